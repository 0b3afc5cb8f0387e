// The least that pushing costs on this system: one thread, one socket, frames filled in place, all that are
// ready gathered into one sendmsg, acknowledgements read into one buffer. It obeys the same limits in flight
// as the client that it is compared with.
//
//   floor HOST PORT SHUFFLE_KEY UNIQUE_ID BATCH_BYTES BATCHES MAX_REQUESTS MAX_BYTES RUNS
//
// Pushes BATCHES batches RUNS times over one connection, measures the last run, and prints it as JSON.
#include <limits.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "wire.h"

#ifndef IOV_MAX
#define IOV_MAX 1024
#endif

namespace {

constexpr int kStallMs = 120000;
constexpr size_t kReadBytes = 64 * 1024;

struct Options {
  std::string host;
  std::string port;
  std::string shuffle_key;
  std::string unique_id;
  size_t batch_bytes;
  uint64_t batches;
  size_t max_requests;
  size_t max_bytes;
  int runs;
};

/// Place of one push in flight, with its frame, which is free again when the push is acknowledged.
struct Slot {
  std::vector<uint8_t> head;
  std::unique_ptr<uint8_t[]> frame;
  uint64_t request_id = 0;
};

struct Counters {
  uint64_t allocated_bytes = 0;
  uint64_t sendmsg_calls = 0;
  uint64_t recv_calls = 0;
};

class Floor {
 public:
  explicit Floor(const Options& options) : options_(options), fd_(Connect()), input_(kReadBytes) {
    slots_.resize(options.max_requests);
    for (size_t i = slots_.size(); i > 0; i--) free_.push_back(i - 1);
  }
  ~Floor() { close(fd_); }
  Floor(const Floor&) = delete;
  Floor& operator=(const Floor&) = delete;

  void Run() {
    uint64_t produced = 0;
    acked_ = 0;
    while (acked_ < options_.batches) {
      while (produced < options_.batches && HasRoom()) Produce(produced++);
      const bool blocked = !Send();
      if (acked_ + InFlight() > options_.batches) wire::Fail("floor: more in flight than produced");
      Wait(blocked);
      Receive();
    }
  }

  void ForgetCounters() { counters = {}; }
  size_t peak_frames() const { return peak_frames_; }

  Counters counters;

 private:
  size_t InFlight() const { return slots_.size() - free_.size(); }

  bool HasRoom() const {
    const size_t bytes = InFlight() * options_.batch_bytes;
    return !free_.empty() && (bytes == 0 || bytes + options_.batch_bytes <= options_.max_bytes);
  }

  void Produce(uint64_t number) {
    const size_t index = free_.back();
    free_.pop_back();
    peak_frames_ = std::max(peak_frames_, InFlight());
    Slot& slot = slots_[index];
    if (slot.frame == nullptr) {
      // Not zeroed: what a frame pool gives out is not either.
      slot.frame.reset(new uint8_t[options_.batch_bytes]);
      counters.allocated_bytes += options_.batch_bytes;
    }
    memset(slot.frame.get(), static_cast<int>(number & 0xff), options_.batch_bytes);
    slot.request_id = ++sequence_ << 16 | index;
    WriteHead(slot);
    ready_.push_back(index);
  }

  void WriteHead(Slot& slot) {
    const size_t fields = 8 + 1 + 4 + options_.shuffle_key.size() + 4 + options_.unique_id.size();
    slot.head.resize(wire::kFrameHeaderBytes + fields + wire::kBatchHeaderBytes);
    const size_t body = wire::kBatchHeaderBytes + options_.batch_bytes;
    uint8_t* at = wire::PutFrameHeader(slot.head.data(), wire::kPushData, fields, body);
    at = wire::PutInt64(at, slot.request_id);
    *at++ = 0;  // primary
    at = wire::PutString(at, options_.shuffle_key);
    at = wire::PutString(at, options_.unique_id);
    const uint32_t batch[4] = {0, 0, static_cast<uint32_t>(sequence_),
                               static_cast<uint32_t>(options_.batch_bytes)};
    memcpy(at, batch, sizeof batch);
  }

  /// Sends what is ready. False when the socket takes no more now.
  bool Send() {
    while (first_ < ready_.size()) {
      iovec pieces[IOV_MAX];
      size_t count = 0;
      size_t skip = sent_of_first_;
      for (size_t i = first_; i < ready_.size() && count + 2 <= IOV_MAX; i++) {
        Slot& slot = slots_[ready_[i]];
        if (skip < slot.head.size()) {
          pieces[count++] = {slot.head.data() + skip, slot.head.size() - skip};
          skip = 0;
        } else {
          skip -= slot.head.size();
        }
        pieces[count++] = {slot.frame.get() + skip, options_.batch_bytes - skip};
        skip = 0;
      }
      msghdr message{};
      message.msg_iov = pieces;
      message.msg_iovlen = count;
      const ssize_t sent = sendmsg(fd_, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      counters.sendmsg_calls++;
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) return false;
      if (sent < 0) wire::FailErrno("floor: sendmsg");
      Sent(static_cast<size_t>(sent));
    }
    ready_.clear();
    first_ = 0;
    return true;
  }

  void Sent(size_t bytes) {
    sent_of_first_ += bytes;
    while (first_ < ready_.size()) {
      const size_t size = slots_[ready_[first_]].head.size() + options_.batch_bytes;
      if (sent_of_first_ < size) return;
      sent_of_first_ -= size;
      first_++;
    }
  }

  void Wait(bool blocked) {
    pollfd poll_fd{fd_, static_cast<short>(blocked ? POLLIN | POLLOUT : POLLIN), 0};
    const int ready = poll(&poll_fd, 1, kStallMs);
    if (ready < 0 && errno != EINTR) wire::FailErrno("floor: poll");
    if (ready == 0) wire::Fail("floor: the worker neither reads nor answers");
  }

  void Receive() {
    const ssize_t got = recv(fd_, input_.data() + input_bytes_, input_.size() - input_bytes_, MSG_DONTWAIT);
    counters.recv_calls++;
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got < 0) wire::FailErrno("floor: recv");
    if (got == 0) wire::Fail("floor: the worker closed the connection");
    input_bytes_ += static_cast<size_t>(got);
    const uint8_t* at = input_.data();
    const uint8_t* const end = at + input_bytes_;
    while (static_cast<size_t>(end - at) >= wire::kFrameHeaderBytes) {
      const size_t fields = wire::GetInt32(at);
      const size_t body = wire::GetInt32(at + 5);
      const size_t size = wire::kFrameHeaderBytes + fields + body;
      if (size > input_.size()) wire::Fail("floor: an answer of " + std::to_string(size) + " bytes");
      if (static_cast<size_t>(end - at) < size) break;
      Answer(at[4], at + wire::kFrameHeaderBytes, fields, body);
      at += size;
    }
    input_bytes_ = static_cast<size_t>(end - at);
    memmove(input_.data(), at, input_bytes_);
  }

  void Answer(uint8_t type, const uint8_t* fields, size_t fields_bytes, size_t body_bytes) {
    if (type == wire::kHeartbeat) return;
    if (type == wire::kRpcFailure && fields_bytes >= 12) {
      wire::Fail("floor: the worker refused a push: " +
                 std::string(reinterpret_cast<const char*>(fields) + 12, fields_bytes - 12));
    }
    if (type != wire::kRpcResponse || fields_bytes != 12) wire::Fail("floor: a message that is no answer");
    const uint8_t status = body_bytes == 0 ? 0 : fields[fields_bytes];
    // Soft split and congestion come with data that was written.
    if (status != 0 && status != 22 && status != 30 && status != 31) {
      wire::Fail("floor: a push was answered with status " + std::to_string(status));
    }
    const uint64_t id = wire::GetInt64(fields);
    const size_t index = id & 0xffff;
    if (index >= slots_.size() || slots_[index].request_id != id) wire::Fail("floor: an answer to no push");
    slots_[index].request_id = 0;
    free_.push_back(index);
    acked_++;
  }

  int Connect() const {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const int error = getaddrinfo(options_.host.c_str(), options_.port.c_str(), &hints, &found);
    if (error != 0) wire::Fail("floor: " + options_.host + ": " + gai_strerror(error));
    for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
      const int fd = socket(address->ai_family, SOCK_STREAM, 0);
      if (fd < 0) continue;
      if (connect(fd, address->ai_addr, address->ai_addrlen) == 0) {
        freeaddrinfo(found);
        const int on = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        return fd;
      }
      close(fd);
    }
    wire::FailErrno(("floor: cannot connect to " + options_.host + ":" + options_.port).c_str());
  }

  const Options options_;
  const int fd_;
  std::vector<Slot> slots_;
  std::vector<size_t> free_;
  /// Slots to be sent, in order, from `first_` on.
  std::vector<size_t> ready_;
  size_t first_ = 0;
  size_t sent_of_first_ = 0;
  std::vector<uint8_t> input_;
  size_t input_bytes_ = 0;
  uint64_t sequence_ = 0;
  uint64_t acked_ = 0;
  size_t peak_frames_ = 0;
};

double Milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

double WallMilliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

rusage Usage() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 10) wire::Fail("floor: 9 arguments are needed");
  const Options options{argv[1],
                        argv[2],
                        argv[3],
                        argv[4],
                        std::stoul(argv[5]),
                        std::stoull(argv[6]),
                        std::stoul(argv[7]),
                        std::stoul(argv[8]),
                        std::stoi(argv[9])};
  wire::IgnoreSigpipe();
  Floor floor(options);
  for (int run = 1; run < options.runs; run++) floor.Run();
  floor.ForgetCounters();
  const rusage before = Usage();
  const double start = WallMilliseconds();
  floor.Run();
  const double wall = WallMilliseconds() - start;
  const rusage after = Usage();
  printf(
      "{\"wallMs\":%.3f,\"cpuUserMs\":%.3f,\"cpuSystemMs\":%.3f,\"allocatedBytes\":%llu,\"framesAlivePeak\":%"
      "zu,"
      "\"inFlightPeakBytes\":%zu,\"sendmsgCalls\":%llu,\"recvCalls\":%llu}\n",
      wall, Milliseconds(after.ru_utime) - Milliseconds(before.ru_utime),
      Milliseconds(after.ru_stime) - Milliseconds(before.ru_stime),
      static_cast<unsigned long long>(floor.counters.allocated_bytes), floor.peak_frames(),
      floor.peak_frames() * options.batch_bytes,
      static_cast<unsigned long long>(floor.counters.sendmsg_calls),
      static_cast<unsigned long long>(floor.counters.recv_calls));
}

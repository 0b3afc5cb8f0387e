// A worker's push port that reads whole pushes, discards them and acknowledges each. It costs as little as a
// peer can cost, so that what is measured is the client.
//
//   sink
//
// Prints the port it listens on (127.0.0.1). A line on standard input makes it print "pushes payload-bytes",
// counted over all connections. Ends when standard input does.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "wire.h"

namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr size_t kMaxFieldsBytes = 4096;

uint64_t pushes = 0;
uint64_t payload_bytes = 0;

/// One client. Parses what arrives piece by piece, and keeps nothing of a body but its batch header.
class Connection {
 public:
  explicit Connection(int fd) : fd_(fd) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(fd_); }

  int fd() const { return fd_; }
  bool has_output() const { return sent_ < out_.size(); }

  /// False when the client is gone.
  bool Read(std::vector<uint8_t>& buffer) {
    const ssize_t got = recv(fd_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) return false;
    const uint8_t* at = buffer.data();
    const uint8_t* const end = at + got;
    while (at < end) at += Take(at, static_cast<size_t>(end - at));
    return Write();
  }

  bool Write() {
    while (has_output()) {
      const ssize_t sent = send(fd_, out_.data() + sent_, out_.size() - sent_, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return errno == EAGAIN;
      sent_ += static_cast<size_t>(sent);
    }
    out_.clear();
    sent_ = 0;
    return true;
  }

 private:
  /// Takes some bytes and says how many.
  size_t Take(const uint8_t* at, size_t size) {
    if (head_.size() < head_bytes_) {
      const size_t taken = std::min(size, head_bytes_ - head_.size());
      head_.insert(head_.end(), at, at + taken);
      if (head_.size() == head_bytes_) HeadGrown();
      return taken;
    }
    const size_t taken = std::min(size, body_left_);
    body_left_ -= taken;
    if (body_left_ == 0) MessageEnd();
    return taken;
  }

  /// The head is kept: frame header, fields, and the batch header of a push.
  void HeadGrown() {
    if (head_.size() == wire::kFrameHeaderBytes) {
      const size_t fields = wire::GetInt32(head_.data());
      body_left_ = wire::GetInt32(head_.data() + 5);
      if (fields > kMaxFieldsBytes)
        wire::Fail("sink: a message with " + std::to_string(fields) + " bytes of fields");
      head_bytes_ += fields;
      if (head_[4] == wire::kPushData) {
        if (body_left_ < wire::kBatchHeaderBytes) wire::Fail("sink: a push without a batch header");
        head_bytes_ += wire::kBatchHeaderBytes;
        body_left_ -= wire::kBatchHeaderBytes;
      }
    }
    if (head_.size() == head_bytes_ && body_left_ == 0) MessageEnd();
  }

  void MessageEnd() {
    if (head_[4] == wire::kPushData) CountPush();
    if (head_[4] == wire::kPushData || head_[4] == wire::kPushMergedData) Acknowledge();
    head_.clear();
    head_bytes_ = wire::kFrameHeaderBytes;
  }

  /// Of pushes of one batch; merged ones are acknowledged and not looked into.
  void CountPush() {
    uint32_t size;
    memcpy(&size, head_.data() + head_.size() - 4, 4);
    const size_t body = wire::GetInt32(head_.data() + 5);
    if (size + wire::kBatchHeaderBytes != body) wire::Fail("sink: a batch header that does not fit its push");
    pushes++;
    payload_bytes += size;
  }

  void Acknowledge() {
    const size_t at = out_.size();
    out_.resize(at + wire::kFrameHeaderBytes + 12);
    uint8_t* put = wire::PutFrameHeader(out_.data() + at, wire::kRpcResponse, 12, 0);
    put = wire::PutInt64(put, wire::GetInt64(head_.data() + wire::kFrameHeaderBytes));
    wire::PutInt32(put, 0);
  }

  const int fd_;
  std::vector<uint8_t> head_;
  size_t head_bytes_ = wire::kFrameHeaderBytes;
  size_t body_left_ = 0;
  std::vector<uint8_t> out_;
  size_t sent_ = 0;
};

int Listen() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(fd, 16) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    wire::FailErrno("sink: cannot listen on 127.0.0.1");
  }
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  return fd;
}

/// Answers each line on standard input. False at its end.
bool Answer() {
  char buffer[256];
  const ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
  if (got <= 0) return false;
  for (const char* at = buffer; at < buffer + got; at++) {
    if (*at == '\n')
      printf("%llu %llu\n", static_cast<unsigned long long>(pushes),
             static_cast<unsigned long long>(payload_bytes));
  }
  fflush(stdout);
  return true;
}

}  // namespace

int main() {
  wire::IgnoreSigpipe();
  const int listener = Listen();
  std::vector<uint8_t> buffer(kReadBytes);
  std::vector<std::unique_ptr<Connection>> connections;
  for (;;) {
    std::vector<pollfd> polls{{STDIN_FILENO, POLLIN, 0}, {listener, POLLIN, 0}};
    for (const auto& connection : connections) {
      polls.push_back(
          {connection->fd(), static_cast<short>(connection->has_output() ? POLLIN | POLLOUT : POLLIN), 0});
    }
    if (poll(polls.data(), polls.size(), -1) < 0 && errno != EINTR) wire::FailErrno("sink: poll");
    if (polls[0].revents != 0 && !Answer()) return 0;
    for (size_t i = 0; i < connections.size(); i++) {
      const short events = polls[i + 2].revents;
      bool alive = true;
      if ((events & POLLOUT) != 0) alive = connections[i]->Write();
      if (alive && (events & ~POLLOUT) != 0) alive = connections[i]->Read(buffer);
      if (!alive) connections[i].reset();
    }
    connections.erase(std::remove(connections.begin(), connections.end(), nullptr), connections.end());
    if (polls[1].revents == 0) continue;
    const int fd = accept(listener, nullptr, nullptr);
    if (fd < 0) continue;
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections.push_back(std::make_unique<Connection>(fd));
  }
}

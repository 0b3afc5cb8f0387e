// A worker's fetch port with one file: answers each request of a connection, whatever it asks for, with the
// next chunk, and lets the kernel send it from the page cache (sendfile). What serving chunks costs at the
// least.
//
//   serve FILE CHUNK_BYTES
//
// Prints the port it listens on (127.0.0.1). A line on standard input makes it print the microseconds of
// processor time, user and system, that it has used. The stream id of every answer is 0, offset and length
// are those of a whole chunk. Ends when standard input does.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "wire.h"

namespace {

constexpr size_t kMaxRequestBytes = 64 * 1024;
constexpr size_t kSliceBytes = 20;  // int64 stream id, int32 chunk index, int32 offset, int32 length

struct File {
  int fd;
  size_t chunk_bytes;
  size_t chunks;
};

/// One reader.
class Connection {
 public:
  Connection(int fd, const File& file) : fd_(fd), file_(file), input_(kMaxRequestBytes) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { close(fd_); }

  int fd() const { return fd_; }

  /// Takes requests and answers them. False when the reader is gone.
  bool Serve() {
    const ssize_t got = recv(fd_, input_.data() + input_bytes_, input_.size() - input_bytes_, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (got <= 0) return false;
    input_bytes_ += static_cast<size_t>(got);
    const uint8_t* at = input_.data();
    const uint8_t* const end = at + input_bytes_;
    while (static_cast<size_t>(end - at) >= wire::kFrameHeaderBytes) {
      const size_t size = wire::kFrameHeaderBytes + wire::GetInt32(at) + wire::GetInt32(at + 5);
      if (size > input_.size()) wire::Fail("serve: a request of " + std::to_string(size) + " bytes");
      if (static_cast<size_t>(end - at) < size) break;
      if (at[4] == wire::kRpcRequest && !SendChunk()) return false;
      at += size;
    }
    input_bytes_ = static_cast<size_t>(end - at);
    memmove(input_.data(), at, input_bytes_);
    return true;
  }

 private:
  bool SendChunk() {
    uint8_t head[wire::kFrameHeaderBytes + kSliceBytes];
    uint8_t* put = wire::PutFrameHeader(head, wire::kChunkFetchSuccess, kSliceBytes, file_.chunk_bytes);
    put = wire::PutInt64(put, 0);
    put = wire::PutInt32(put, static_cast<uint32_t>(next_));
    put = wire::PutInt32(put, 0);
    wire::PutInt32(put, 0x7fffffff);
    if (send(fd_, head, sizeof head, MSG_NOSIGNAL | MSG_MORE) != sizeof head) return false;
    off_t at = static_cast<off_t>(next_ * file_.chunk_bytes);
    const off_t end = at + static_cast<off_t>(file_.chunk_bytes);
    while (at < end) {
      const ssize_t sent = sendfile(fd_, file_.fd, &at, static_cast<size_t>(end - at));
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) return false;
    }
    next_ = (next_ + 1) % file_.chunks;
    return true;
  }

  const int fd_;
  const File& file_;
  std::vector<uint8_t> input_;
  size_t input_bytes_ = 0;
  size_t next_ = 0;
};

int Listen() {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (fd < 0 || bind(fd, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(fd, 16) != 0 ||
      getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) {
    wire::FailErrno("serve: cannot listen on 127.0.0.1");
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
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const long long us = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec +
                       usage.ru_stime.tv_usec;
  for (const char* at = buffer; at < buffer + got; at++) {
    if (*at == '\n') printf("%lld\n", us);
  }
  fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) wire::Fail("serve: 2 arguments are needed");
  wire::IgnoreSigpipe();
  File file{open(argv[1], O_RDONLY | O_CLOEXEC), std::stoul(argv[2]), 0};
  struct stat stats{};
  if (file.fd < 0 || fstat(file.fd, &stats) != 0) wire::FailErrno((std::string("serve: ") + argv[1]).c_str());
  file.chunks = static_cast<size_t>(stats.st_size) / file.chunk_bytes;
  if (file.chunks == 0) wire::Fail("serve: the file has not one chunk");
  const int listener = Listen();
  std::unique_ptr<Connection> connection;
  for (;;) {
    pollfd polls[3] = {{STDIN_FILENO, POLLIN, 0},
                       {listener, POLLIN, 0},
                       {connection == nullptr ? -1 : connection->fd(), POLLIN, 0}};
    if (poll(polls, 3, -1) < 0 && errno != EINTR) wire::FailErrno("serve: poll");
    if (polls[0].revents != 0 && !Answer()) return 0;
    if (connection != nullptr && polls[2].revents != 0 && !connection->Serve()) connection.reset();
    if (polls[1].revents == 0) continue;
    const int fd = accept(listener, nullptr, nullptr);
    if (fd < 0) continue;
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connection = std::make_unique<Connection>(fd, file);
  }
}

// The little of Celeborn's wire protocol that is needed: frame heads, PUSH_DATA, chunks, answers.
#pragma once

#include <sys/socket.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0  // macOS: the signal is ignored instead
#endif

namespace wire {

constexpr size_t kFrameHeaderBytes = 9;   // int32 bytes of the fields, type, int32 bytes of the body
constexpr size_t kBatchHeaderBytes = 16;  // map id, attempt id, batch id, payload bytes, in native byte order

enum MessageType : uint8_t {
  kChunkFetchSuccess = 1,
  kRpcRequest = 3,
  kRpcResponse = 4,
  kRpcFailure = 5,
  kPushData = 11,
  kPushMergedData = 12,
  kHeartbeat = 22
};

inline uint8_t* PutInt32(uint8_t* at, uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) *at++ = static_cast<uint8_t>(value >> shift);
  return at;
}

inline uint8_t* PutInt64(uint8_t* at, uint64_t value) {
  return PutInt32(PutInt32(at, static_cast<uint32_t>(value >> 32)), static_cast<uint32_t>(value));
}

inline uint8_t* PutString(uint8_t* at, const std::string& text) {
  at = PutInt32(at, static_cast<uint32_t>(text.size()));
  memcpy(at, text.data(), text.size());
  return at + text.size();
}

inline uint8_t* PutFrameHeader(uint8_t* at, uint8_t type, size_t fields_bytes, size_t body_bytes) {
  at = PutInt32(at, static_cast<uint32_t>(fields_bytes));
  *at++ = type;
  return PutInt32(at, static_cast<uint32_t>(body_bytes));
}

inline uint32_t GetInt32(const uint8_t* at) {
  return static_cast<uint32_t>(at[0]) << 24 | static_cast<uint32_t>(at[1]) << 16 |
         static_cast<uint32_t>(at[2]) << 8 | static_cast<uint32_t>(at[3]);
}

inline uint64_t GetInt64(const uint8_t* at) {
  return static_cast<uint64_t>(GetInt32(at)) << 32 | GetInt32(at + 4);
}

/// Ends the program with one line that says why.
[[noreturn]] inline void Fail(const std::string& message) {
  fprintf(stderr, "%s\n", message.c_str());
  exit(1);
}

inline void IgnoreSigpipe() {
  signal(SIGPIPE, SIG_IGN);
}

[[noreturn]] inline void FailErrno(const char* what) {
  Fail(std::string(what) + ": " + strerror(errno));
}

}  // namespace wire

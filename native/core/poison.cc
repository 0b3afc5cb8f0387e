#include "poison.h"

#include <atomic>
#include <cstring>

#if defined(__SANITIZE_ADDRESS__)
#define CELEBORN_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CELEBORN_ASAN 1
#endif
#endif

#ifdef CELEBORN_ASAN
#include <sanitizer/asan_interface.h>
#endif

namespace celeborn {

namespace {
std::atomic<bool> poison{false};
}  // namespace

void SetPoison(bool on) {
  poison.store(on, std::memory_order_relaxed);
}

bool PoisonEnabled() {
  return poison.load(std::memory_order_relaxed);
}

void FillPoison(void* data, size_t bytes) {
  if (bytes != 0) std::memset(data, kPoisonByte, bytes);
}

void AsanHide([[maybe_unused]] const void* data, [[maybe_unused]] size_t bytes) {
#ifdef CELEBORN_ASAN
  ASAN_POISON_MEMORY_REGION(data, bytes);
#endif
}

void AsanShow([[maybe_unused]] const void* data, [[maybe_unused]] size_t bytes) {
#ifdef CELEBORN_ASAN
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
#endif
}

}  // namespace celeborn

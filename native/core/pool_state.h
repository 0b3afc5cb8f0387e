#ifndef CELEBORN_NATIVE_CORE_POOL_STATE_H_
#define CELEBORN_NATIVE_CORE_POOL_STATE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "counters.h"
#include "handle.h"
#include "size_class.h"
#include "slot_table.h"

namespace celeborn {

struct PoolOptions {
  size_t max_bytes = SIZE_MAX;  // of blocks that somebody owns
  size_t max_pooled_bytes = 0;  // of free blocks kept for the next owner
};

// What a heap keeps per pool. Guarded by the heap's lock, but for the atomics.
struct PoolState {
  // The free blocks of one class, the latest first: its pages are the likeliest to be in the cache.
  struct FreeList {
    uint32_t head = kNoSlot;
    uint64_t last_use = 0;
  };

  // Frames that the garbage collector had to free, for the report. When more are lost between two looks than
  // fit here, the rest is only counted.
  static constexpr size_t kDroppedLog = 16;

  explicit PoolState(PoolOptions pool_options) : options(pool_options) {}

  const PoolOptions options;
  bool closed = false;
  uint64_t clock = 0;  // counts uses of free lists, to know the one unused for longest
  std::array<FreeList, SizeClasses::kMaxClasses> free_lists{};
  Counters counters;
  std::array<Handle, kDroppedLog> dropped{};
  size_t dropped_count = 0;
  // Two of the counters for readers without the lock.
  std::atomic<size_t> pooled_bytes{0};
  std::atomic<uint64_t> finalized_without_release{0};

  void AddFinalized(Handle handle) {
    finalized_without_release.store(++counters.finalized_without_release, std::memory_order_relaxed);
    if (dropped_count < dropped.size()) dropped[dropped_count++] = handle;
  }
  void AddPooled(size_t bytes) { SetPooled(counters.pooled_bytes + bytes); }
  void SubPooled(size_t bytes) { SetPooled(counters.pooled_bytes - bytes); }

 private:
  void SetPooled(size_t bytes) {
    counters.pooled_bytes = bytes;
    pooled_bytes.store(bytes, std::memory_order_relaxed);
  }
};

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_POOL_STATE_H_

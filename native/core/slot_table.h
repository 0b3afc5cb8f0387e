#ifndef CELEBORN_NATIVE_CORE_SLOT_TABLE_H_
#define CELEBORN_NATIVE_CORE_SLOT_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "backing.h"
#include "handle.h"
#include "size_class.h"

namespace celeborn {

struct PoolState;

inline constexpr uint32_t kNoSlot = UINT32_MAX;

enum class SlotState : uint8_t {
  kFree,       // the place is unused
  kPooled,     // its block waits in a free list
  kInTransit,  // its block is between two owners; the thread that works on it holds its only reference
  kAlive,      // somebody owns the block
  kAbandoned,  // released, but a buffer that could not be detached still shows the block
};

// One place of the block table. All fields are guarded by the heap's lock.
struct Slot {
  uint32_t index = kNoSlot;
  uint32_t generation = 1;
  uint32_t next = kNoSlot;  // the next free place, or the next pooled block of the class
  uint32_t size_class = SizeClasses::kNoClass;
  SlotState state = SlotState::kFree;
  size_t capacity = 0;  // bytes of the block
  size_t backed = 0;    // bytes of it that memory stands behind: what it is charged at
  Backing backing;
  std::shared_ptr<PoolState> pool;  // while somebody owns the block
};

// The table of all blocks of a heap. Places have stable addresses; the table grows in chunks, never shrinks,
// and its growth fails as a value.
class SlotTable {
 public:
  // An unused place, or null when there is no memory for one more.
  Slot* New();
  // Makes a place free again. Its generation must have been moved on by Retire or never been given out.
  void Free(Slot* slot);
  // Ends the present life of a place: its handle is stale from now on.
  static void Retire(Slot* slot) { ++slot->generation; }

  // The place that a handle names, or null when it is stale or was never given out.
  Slot* Find(Handle handle);
  Slot* At(uint32_t index);

 private:
  static constexpr uint32_t kChunkLog2 = 8;
  static constexpr uint32_t kChunkSlots = 1U << kChunkLog2;
  static constexpr uint32_t kMaxChunks = 1U << 14;  // 4 million blocks
  using Chunk = std::array<Slot, kChunkSlots>;

  std::array<std::unique_ptr<Chunk>, kMaxChunks> chunks_;
  uint32_t used_ = 0;  // places that were ever given out
  uint32_t free_ = kNoSlot;
};

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_SLOT_TABLE_H_

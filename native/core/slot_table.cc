#include "slot_table.h"

#include <new>

namespace celeborn {

Slot* SlotTable::New() {
  if (free_ != kNoSlot) {
    Slot* slot = At(free_);
    free_ = slot->next;
    slot->next = kNoSlot;
    return slot;
  }
  const uint32_t chunk = used_ >> kChunkLog2;
  if (chunk >= kMaxChunks) return nullptr;
  if (!chunks_[chunk]) {
    chunks_[chunk].reset(new (std::nothrow) Chunk);
    if (!chunks_[chunk]) return nullptr;
  }
  Slot* slot = At(used_);
  slot->index = used_++;
  return slot;
}

void SlotTable::Free(Slot* slot) {
  slot->state = SlotState::kFree;
  slot->capacity = 0;
  slot->backed = 0;
  slot->size_class = SizeClasses::kNoClass;
  slot->next = kNoSlot;
  if (slot->generation == 0) return;  // all generations are used: this place is never given out again
  slot->next = free_;
  free_ = slot->index;
}

Slot* SlotTable::Find(Handle handle) {
  if (handle.generation == 0 || handle.index >= used_) return nullptr;
  Slot* slot = At(handle.index);
  return slot->generation == handle.generation ? slot : nullptr;
}

Slot* SlotTable::At(uint32_t index) {
  return &(*chunks_[index >> kChunkLog2])[index & (kChunkSlots - 1)];
}

}  // namespace celeborn

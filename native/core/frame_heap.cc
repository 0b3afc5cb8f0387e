#include "frame_heap.h"

#include <algorithm>
#include <new>
#include <type_traits>
#include <utility>

#include "poison.h"

namespace celeborn {

namespace {

PageMemory* PagesOf(Slot* slot) {
  return std::get_if<PageMemory>(&slot->backing);
}

void* DataOf(Slot* slot) {
  if (PageMemory* pages = PagesOf(slot)) return pages->data();
  if (auto* foreign = std::get_if<ForeignMemory>(&slot->backing)) return foreign->data();
  if (auto* map = std::get_if<FileMap>(&slot->backing)) return map->data();
  return nullptr;
}

}  // namespace

FrameHeap::FrameHeap() : classes_(PageMemory::PageBytes()) {}

FrameHeap& FrameHeap::Process() {
  // Constructed in place and never destroyed, without an owner on the C++ heap.
  alignas(FrameHeap) static std::byte storage[sizeof(FrameHeap)];
  static auto* heap = new (storage) FrameHeap;
  return *heap;
}

FrameHeap& FrameHeap::ProcessMaps() {
  alignas(FrameHeap) static std::byte storage[sizeof(FrameHeap)];
  static auto* heap = new (storage) FrameHeap;
  return *heap;
}

Frame FrameHeap::Acquire(const std::shared_ptr<PoolState>& pool, size_t size, bool elsewhere) {
  if (size > kMaxFrameBytes) return {Status::kAboveCap, {}, nullptr, 0};
  uint32_t size_class = classes_.ClassOf(size);
  size_t bytes = classes_.BytesOf(size_class);

  Lock lock(mutex_);
  if (pool->closed) return {Status::kClosed, {}, nullptr, 0};
  if (bytes > pool->options.max_bytes) {
    // The rounding alone must not make a size impossible. Such a block fits no class and is not pooled.
    bytes = classes_.RoundToPages(size);
    size_class = SizeClasses::kNoClass;
    if (bytes > pool->options.max_bytes) return {Status::kAboveCap, {}, nullptr, 0};
  }
  const size_t alive = pool->counters.bytes_alive;
  if (alive > pool->options.max_bytes || bytes > pool->options.max_bytes - alive) {
    return {Status::kCapReached, {}, nullptr, 0};
  }
  pool->counters.Born(bytes);
  totals_.Born(bytes);

  Slot* slot = elsewhere ? nullptr : PopFree(pool.get(), size_class);
  if (slot == nullptr) {
    Backing backing;
    if (!elsewhere) {
      lock.unlock();
      PageMemory pages = PageMemory::Allocate(bytes);
      if (pages.empty() && TrimFree(pool, 0) > 0) pages = PageMemory::Allocate(bytes);
      const bool refused = pages.empty();
      backing = std::move(pages);
      lock.lock();
      slot = refused ? nullptr : slots_.New();
    } else {
      slot = slots_.New();
    }
    if (slot == nullptr) {
      pool->counters.Unborn(bytes);
      totals_.Unborn(bytes);
      lock.unlock();  // before the pages die
      return {Status::kOutOfMemory, {}, nullptr, 0};
    }
    slot->backing = std::move(backing);
    slot->capacity = bytes;
    slot->size_class = elsewhere ? SizeClasses::kNoClass : size_class;
    if (!elsewhere) {
      ++pool->counters.blocks_allocated;
      ++totals_.blocks_allocated;
    }
  }
  slot->backed = bytes;  // the pages that a trim gave back return when they are touched
  return Give(slot, pool);
}

template <typename Memory>
Frame FrameHeap::Adopt(const std::shared_ptr<PoolState>& pool, Memory* memory) {
  const Lock lock(mutex_);
  if (pool->closed) return {Status::kClosed, {}, nullptr, 0};
  Slot* slot = slots_.New();
  if (slot == nullptr) return {Status::kOutOfMemory, {}, nullptr, 0};
  slot->capacity = slot->backed = memory->bytes();
  slot->size_class = SizeClasses::kNoClass;
  slot->backing = std::move(*memory);
  pool->counters.Born(slot->backed);
  totals_.Born(slot->backed);
  return Give(slot, pool);
}

Frame FrameHeap::Give(Slot* slot, const std::shared_ptr<PoolState>& pool) {
  slot->state = SlotState::kAlive;
  slot->pool = pool;
  void* data = DataOf(slot);
  if (PagesOf(slot) != nullptr) AsanShow(data, slot->capacity);
  return {Status::kOk, {slot->index, slot->generation}, data, slot->capacity};
}

Status FrameHeap::Finish(Handle handle, End end) {
  std::shared_ptr<PoolState> pool;  // may die here, after the lock is gone
  Lock lock(mutex_);
  Slot* slot = slots_.Find(handle);
  if (slot == nullptr) return Status::kStale;
  const bool abandoned = slot->state == SlotState::kAbandoned;
  if (abandoned && end != End::kFinalized) return Status::kStale;

  SlotTable::Retire(slot);
  slot->state = SlotState::kInTransit;
  pool = std::move(slot->pool);
  slot->pool.reset();
  if (end == End::kCancelled) {
    pool->counters.Unborn(slot->backed);
    totals_.Unborn(slot->backed);
  } else {
    pool->counters.Died(slot->backed);
    totals_.Died(slot->backed);
  }
  if (end == End::kFinalized && !abandoned) {
    pool->AddFinalized(handle);
    ++totals_.finalized_without_release;
  }

  if (abandoned) {
    Discard(&lock, slot);
  } else {
    Recycle(&lock, pool.get(), slot);
  }
  lock.unlock();
  return Status::kOk;
}

Status FrameHeap::Trim(Handle handle, size_t length, size_t* backed) {
  const Lock lock(mutex_);
  Slot* slot = slots_.Find(handle);
  if (slot == nullptr || slot->state != SlotState::kAlive) {
    *backed = 0;
    return Status::kStale;
  }
  *backed = slot->backed;
  const PageMemory* pages = PagesOf(slot);
  if (pages == nullptr || length > slot->capacity) return Status::kOk;
  const size_t keep = classes_.RoundToPages(length);
  if (keep >= slot->backed) return Status::kOk;
  const size_t tail = slot->backed - keep;
  if (tail < kTrimMinBytes || tail < slot->capacity / 4 * 3) return Status::kOk;
  // Under the lock: a block that was recycled meanwhile would lose its next owner's bytes.
  if (!pages->GiveBackFrom(keep)) return Status::kOk;
  slot->backed = keep;
  slot->pool->counters.bytes_alive -= tail;
  totals_.bytes_alive -= tail;
  *backed = keep;
  return Status::kOk;
}

Status FrameHeap::Abandon(Handle handle) {
  const Lock lock(mutex_);
  Slot* slot = slots_.Find(handle);
  if (slot == nullptr || slot->state != SlotState::kAlive) return Status::kStale;
  slot->state = SlotState::kAbandoned;
  return Status::kOk;
}

Status FrameHeap::MoveElsewhere(Handle handle) {
  Backing doomed;  // dies after the lock is gone
  const Lock lock(mutex_);
  Slot* slot = slots_.Find(handle);
  if (slot == nullptr || slot->state != SlotState::kAlive) return Status::kStale;
  doomed = std::exchange(slot->backing, Backing{});
  slot->size_class = SizeClasses::kNoClass;
  return Status::kOk;
}

Counters FrameHeap::Totals() {
  const Lock lock(mutex_);
  return totals_;
}

Slot* FrameHeap::PopFree(PoolState* pool, uint32_t size_class) {
  if (size_class == SizeClasses::kNoClass) return nullptr;
  PoolState::FreeList& list = pool->free_lists[size_class];
  if (list.head == kNoSlot) return nullptr;
  list.last_use = ++pool->clock;
  Slot* slot = slots_.At(list.head);
  list.head = slot->next;
  slot->next = kNoSlot;
  slot->state = SlotState::kInTransit;
  pool->SubPooled(slot->backed);
  totals_.pooled_bytes -= slot->backed;
  return slot;
}

Slot* FrameHeap::PopUnusedForLongest(PoolState* pool) {
  uint32_t oldest = SizeClasses::kNoClass;
  for (uint32_t i = 0; i < pool->free_lists.size(); ++i) {
    const PoolState::FreeList& list = pool->free_lists[i];
    if (list.head == kNoSlot) continue;
    if (oldest == SizeClasses::kNoClass || list.last_use < pool->free_lists[oldest].last_use) oldest = i;
  }
  if (oldest == SizeClasses::kNoClass) return nullptr;
  const uint64_t last_use = pool->free_lists[oldest].last_use;
  Slot* slot = PopFree(pool, oldest);
  pool->free_lists[oldest].last_use = last_use;  // eviction is no use
  return slot;
}

void FrameHeap::Recycle(Lock* lock, PoolState* pool, Slot* slot) {
  const PageMemory* pages = PagesOf(slot);
  if (pages == nullptr || slot->size_class == SizeClasses::kNoClass) {
    Discard(lock, slot);
    return;
  }
  if (PoisonEnabled()) {
    // What a trim gave back stays given back: nobody can have written there unless the frame was overrun.
    lock->unlock();
    FillPoison(pages->data(), slot->backed);
    lock->lock();
  }
  const size_t bytes = slot->backed;
  const size_t max = pool->options.max_pooled_bytes;
  // Room is made by the sizes that are asked for least: a changed mix of sizes must not leave the pool full
  // of blocks that nobody wants.
  while (!pool->closed && bytes <= max && pool->counters.pooled_bytes > max - bytes) {
    Slot* victim = PopUnusedForLongest(pool);
    if (victim == nullptr) break;
    Discard(lock, victim);
  }
  if (pool->closed || bytes > max || pool->counters.pooled_bytes > max - bytes) {
    Discard(lock, slot);
    return;
  }
  AsanHide(pages->data(), slot->capacity);
  PoolState::FreeList& list = pool->free_lists[slot->size_class];
  list.last_use = ++pool->clock;
  slot->state = SlotState::kPooled;
  slot->next = list.head;
  list.head = slot->index;
  pool->AddPooled(bytes);
  totals_.pooled_bytes += bytes;
}

void FrameHeap::Discard(Lock* lock, Slot* slot) {
  {
    Backing doomed = std::exchange(slot->backing, Backing{});
    slots_.Free(slot);
    if (auto* pages = std::get_if<PageMemory>(&doomed)) AsanShow(pages->data(), pages->bytes());
    lock->unlock();
    // The system call, or the owner's deallocator, runs here.
  }
  lock->lock();
}

size_t FrameHeap::TrimFree(const std::shared_ptr<PoolState>& pool, size_t keep_bytes) {
  size_t given_back = 0;
  Lock lock(mutex_);
  while (pool->counters.pooled_bytes > keep_bytes) {
    Slot* slot = PopUnusedForLongest(pool.get());
    if (slot == nullptr) break;
    given_back += slot->backed;
    Discard(&lock, slot);
  }
  return given_back;
}

void FrameHeap::Close(const std::shared_ptr<PoolState>& pool) {
  {
    const Lock lock(mutex_);
    pool->closed = true;
  }
  TrimFree(pool, 0);
}

FramePool::FramePool(FrameHeap* heap, PoolOptions options)
    : heap_(heap), state_(std::make_shared<PoolState>(options)) {}

Frame FramePool::Adopt(void* data, size_t bytes, Deallocator deallocator, void* context) {
  if ((data == nullptr && bytes != 0) || deallocator == nullptr || bytes > kMaxFrameBytes) return {};
  ForeignMemory memory(data, bytes, deallocator, context);
  Frame frame = heap_->Adopt(state_, &memory);
  if (frame.status != Status::kOk) memory.Forget();
  return frame;
}

Frame FramePool::Map(int descriptor, uint64_t offset, size_t bytes, int* error) {
  *error = 0;
  if (bytes > kMaxFrameBytes) return {Status::kAboveCap, {}, nullptr, 0};
  FileMap map = FileMap::Map(descriptor, offset, bytes, error);
  if (map.empty()) return {Status::kOutOfMemory, {}, nullptr, 0};
  return heap_->Adopt(state_, &map);
}

Counters FramePool::Stats() {
  const FrameHeap::Lock lock(heap_->mutex_);
  return state_->counters;
}

size_t FramePool::TakeDropped(Handle* handles, size_t max) {
  const FrameHeap::Lock lock(heap_->mutex_);
  const size_t count = std::min(max, state_->dropped_count);
  std::copy_n(state_->dropped.begin(), count, handles);
  std::copy(state_->dropped.begin() + static_cast<std::ptrdiff_t>(count),
            state_->dropped.begin() + static_cast<std::ptrdiff_t>(state_->dropped_count),
            state_->dropped.begin());
  state_->dropped_count -= count;
  return count;
}

}  // namespace celeborn

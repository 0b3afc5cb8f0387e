#ifndef CELEBORN_NATIVE_CORE_FRAME_HEAP_H_
#define CELEBORN_NATIVE_CORE_FRAME_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "backing.h"
#include "counters.h"
#include "handle.h"
#include "pool_state.h"
#include "size_class.h"
#include "slot_table.h"

namespace celeborn {

// The first values are part of the addon's interface (src/memory/native.ts): append only.
enum class Status : uint8_t {
  kOk = 0,
  kCapReached = 1,   // there is no room now; a release makes some
  kAboveCap = 2,     // larger than the pool or a block may ever be
  kOutOfMemory = 3,  // the system refused
  kClosed = 4,       // the pool is closed
  kStale = 5,        // the handle names an earlier life
  kInvalid = 6,      // the arguments make no sense
};

// One life of one block.
struct Frame {
  Status status = Status::kInvalid;
  Handle handle;
  void* data = nullptr;  // null when the memory lives elsewhere
  size_t capacity = 0;   // bytes from data on that the owner may use
};

// How a life of a block ended.
enum class End : uint8_t {
  kReleased,   // by its owner
  kFinalized,  // by the garbage collector: harmless for a life that is over, a lost frame otherwise
  kCancelled,  // it never reached an owner: as if it had not been acquired
};

// All blocks of the process (or of a test) and the pools they belong to. Every call is thread-safe: the addon
// calls it on JavaScript threads, its finalizers on the thread of whichever environment ends, engines on
// threads of their own. One lock guards the tables; it is held for some tens of nanoseconds, and never during
// a system call, a fill or a deallocator - the one exception is Trim.
//
// Nothing here throws on purpose, and running out of memory is a Status.
class FrameHeap {
 public:
  FrameHeap();
  FrameHeap(const FrameHeap&) = delete;
  FrameHeap& operator=(const FrameHeap&) = delete;
  ~FrameHeap() = default;

  // The heap of the process. It is never destroyed: finalizers and engine threads may run after main()
  // returned.
  static FrameHeap& Process();

  // Another one of the process, for mapped files: they are counted apart, since no memory of ours stands
  // behind them.
  static FrameHeap& ProcessMaps();

  // Ends a life. kStale when it is over already: nothing is done then, so a second call is harmless.
  Status Finish(Handle handle, End end);

  // Only the first `length` bytes are needed from now on. Gives the pages behind them back where that pays:
  // at least kTrimMinBytes and three quarters of the block (giving pages back and faulting them in again
  // costs several times what copying them does). *backed: bytes still backed, also when nothing was done.
  Status Trim(Handle handle, size_t length, size_t* backed);
  static constexpr size_t kTrimMinBytes = size_t{512} << 10;

  // The owner is done, but somebody can still see the memory: it is freed, not recycled, when Finish comes
  // with kFinalized. It stays counted as alive until then.
  Status Abandon(Handle handle);

  // Frees the block's memory but keeps the frame and its charge: its bytes live elsewhere.
  Status MoveElsewhere(Handle handle);

  [[nodiscard]] Counters Totals();
  [[nodiscard]] const SizeClasses& size_classes() const { return classes_; }

 private:
  friend class FramePool;
  using Lock = std::unique_lock<std::mutex>;

  Frame Acquire(const std::shared_ptr<PoolState>& pool, size_t size, bool elsewhere);
  // Takes the memory over on kOk.
  template <typename Memory>
  Frame Adopt(const std::shared_ptr<PoolState>& pool, Memory* memory);
  size_t TrimFree(const std::shared_ptr<PoolState>& pool, size_t keep_bytes);
  void Close(const std::shared_ptr<PoolState>& pool);

  Frame Give(Slot* slot, const std::shared_ptr<PoolState>& pool);
  Slot* PopFree(PoolState* pool, uint32_t size_class);
  Slot* PopUnusedForLongest(PoolState* pool);
  // Puts the block into the pool's free list, or frees it. The slot is in transit. The lock is held on entry
  // and exit.
  void Recycle(Lock* lock, PoolState* pool, Slot* slot);
  // Frees the block and its place. The slot is in transit. The lock is held on entry and exit.
  void Discard(Lock* lock, Slot* slot);

  const SizeClasses classes_;
  std::mutex mutex_;
  SlotTable slots_;
  Counters totals_;
};

// A pool of blocks: a cap on what is owned, and free lists of what was released. Dying, it closes: its free
// blocks go back to the system, its frames stay valid until their end. The heap must live longer.
class FramePool {
 public:
  FramePool(FrameHeap* heap, PoolOptions options);
  FramePool(const FramePool&) = delete;
  FramePool& operator=(const FramePool&) = delete;
  ~FramePool() { Close(); }

  // A block of at least size bytes. Its contents are undefined. size 0 gives a smallest block.
  Frame Acquire(size_t size) { return heap_->Acquire(state_, size, false); }

  // A frame whose memory lives elsewhere: it is counted and capped like any other.
  Frame AcquireElsewhere(size_t size) { return heap_->Acquire(state_, size, true); }

  // Makes memory that somebody else allocated a frame. It counts as alive, but the cap does not refuse it:
  // the memory exists already. On kOk the deallocator will be called exactly once, when the frame ends;
  // otherwise never, and the memory is still the caller's.
  Frame Adopt(void* data, size_t bytes, Deallocator deallocator, void* context);

  // Makes a mapped part of a file a frame; its end unmaps it, at once. Like adopted memory it is counted, but
  // not refused by the cap. *error: the system's reason when it refuses (kOutOfMemory), else 0.
  Frame Map(int descriptor, uint64_t offset, size_t bytes, int* error);

  // Gives free blocks back to the system until at most keep_bytes are pooled, those unused for longest first.
  // Bytes given back.
  size_t TrimFree(size_t keep_bytes) { return heap_->TrimFree(state_, keep_bytes); }

  void Close() { heap_->Close(state_); }

  [[nodiscard]] Counters Stats();
  [[nodiscard]] size_t pooled_bytes() const { return state_->pooled_bytes.load(std::memory_order_relaxed); }

  [[nodiscard]] uint64_t finalized_without_release() const {
    return state_->finalized_without_release.load(std::memory_order_relaxed);
  }

  // Handles of frames that the garbage collector had to free since the last call, oldest first; how many.
  size_t TakeDropped(Handle* handles, size_t max);

 private:
  FrameHeap* const heap_;
  const std::shared_ptr<PoolState> state_;
};

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_FRAME_HEAP_H_

#include "frame_heap.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "harness.h"
#include "poison.h"

using celeborn::End;
using celeborn::Frame;
using celeborn::FrameHeap;
using celeborn::FramePool;
using celeborn::Handle;
using celeborn::PageMemory;
using celeborn::PoolOptions;
using celeborn::Status;

namespace {

constexpr size_t kKiB = 1024;
constexpr size_t kMiB = 1024 * kKiB;

struct Fixture {
  explicit Fixture(PoolOptions options = {64 * kMiB, 16 * kMiB})
      : heap(std::make_unique<FrameHeap>()), pool(std::make_unique<FramePool>(heap.get(), options)) {}
  ~Fixture() {
    pool.reset();
    // Whatever a test does, nothing may be left behind.
    CHECK_EQ(heap->Totals().frames_alive, 0U);
    CHECK_EQ(heap->Totals().bytes_alive, 0U);
    CHECK_EQ(heap->Totals().pooled_bytes, 0U);
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  Status Release(const Frame& frame) const { return heap->Finish(frame.handle, End::kReleased); }

  std::unique_ptr<FrameHeap> heap;
  std::unique_ptr<FramePool> pool;
};

// A deallocator that counts; the memory stays the test's.
struct Freed {
  static void Count(void* data, size_t bytes, void* context) {
    auto* freed = static_cast<Freed*>(context);
    ++freed->times;
    freed->data = data;
    freed->bytes = bytes;
  }
  int times = 0;
  void* data = nullptr;
  size_t bytes = 0;
};

}  // namespace

TEST(BlocksArePageAlignedWritableAndApart) {
  Fixture f;
  std::vector<Frame> frames;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{4096}, size_t{4097}, 64 * kKiB, 3 * kMiB}) {
    const Frame frame = f.pool->Acquire(size);
    CHECK_STATUS(frame.status, kOk);
    CHECK(frame.data != nullptr);
    CHECK_EQ(reinterpret_cast<uintptr_t>(frame.data) % PageMemory::PageBytes(), 0U);
    CHECK(frame.capacity >= size && frame.capacity > 0);
    std::memset(frame.data, static_cast<int>(frames.size()), frame.capacity);
    frames.push_back(frame);
  }
  for (size_t i = 0; i < frames.size(); ++i) {
    const auto* bytes = static_cast<const unsigned char*>(frames[i].data);
    CHECK_EQ(bytes[0], i);
    CHECK_EQ(bytes[frames[i].capacity - 1], i);
  }
  for (const Frame& frame : frames) CHECK_STATUS(f.Release(frame), kOk);
}

TEST(AReleasedBlockIsRecycledUnderANewHandle) {
  Fixture f;
  const Frame first = f.pool->Acquire(64 * kKiB);
  CHECK_STATUS(f.Release(first), kOk);
  CHECK_EQ(f.pool->Stats().pooled_bytes, 64 * kKiB);
  const Frame second = f.pool->Acquire(60 * kKiB);
  CHECK(second.data == first.data);
  CHECK(!(second.handle == first.handle));
  CHECK_EQ(f.pool->Stats().pooled_bytes, 0U);
  CHECK_EQ(f.pool->Stats().blocks_allocated, 1U);
  CHECK_EQ(f.pool->Stats().frames_allocated, 2U);
  f.Release(second);
}

TEST(AStaleHandleDoesNotTouchTheNextOwner) {
  Fixture f;
  const Frame first = f.pool->Acquire(kMiB);
  f.Release(first);
  const Frame second = f.pool->Acquire(kMiB);
  CHECK(second.data == first.data);
  std::memset(second.data, 0x5A, second.capacity);
  celeborn::SetPoison(true);
  // Every operation on the earlier life: nothing may happen to the present one.
  CHECK_STATUS(f.heap->Finish(first.handle, End::kReleased), kStale);
  CHECK_STATUS(f.heap->Finish(first.handle, End::kFinalized), kStale);
  CHECK_STATUS(f.heap->Finish(first.handle, End::kCancelled), kStale);
  CHECK_STATUS(f.heap->Abandon(first.handle), kStale);
  CHECK_STATUS(f.heap->MoveElsewhere(first.handle), kStale);
  size_t backed = 1;
  CHECK_STATUS(f.heap->Trim(first.handle, 0, &backed), kStale);
  celeborn::SetPoison(false);
  CHECK_EQ(f.pool->Stats().frames_alive, 1U);
  CHECK_EQ(f.pool->Stats().finalized_without_release, 0U);
  CHECK_EQ(static_cast<unsigned char*>(second.data)[second.capacity - 1], 0x5A);
  CHECK_STATUS(f.Release(second), kOk);
}

TEST(ReleasingTwiceIsHarmless) {
  Fixture f;
  const Frame frame = f.pool->Acquire(kKiB);
  CHECK_STATUS(f.Release(frame), kOk);
  CHECK_STATUS(f.Release(frame), kStale);
  CHECK_EQ(f.pool->Stats().pooled_bytes, frame.capacity);
  // The free list holds the block once: two owners get two blocks.
  const Frame a = f.pool->Acquire(kKiB);
  const Frame b = f.pool->Acquire(kKiB);
  CHECK(a.data != b.data);
  f.Release(a);
  f.Release(b);
}

TEST(HandlesThatWereNeverGivenOutAreStale) {
  Fixture f;
  CHECK_STATUS(f.heap->Finish({0, 0}, End::kReleased), kStale);
  CHECK_STATUS(f.heap->Finish({0, 1}, End::kReleased), kStale);
  CHECK_STATUS(f.heap->Finish({UINT32_MAX, UINT32_MAX}, End::kFinalized), kStale);
  const Handle handle{0x89ABCDEF, 0x01234567};
  CHECK(Handle::Unpack(handle.Pack()) == handle);
}

TEST(TheCapCountsWhatIsBackedAndAReleaseMakesRoom) {
  Fixture f({256 * kKiB, kMiB});
  std::vector<Frame> frames;
  for (int i = 0; i < 4; ++i) frames.push_back(f.pool->Acquire(64 * kKiB));
  CHECK_STATUS(f.pool->Acquire(1).status, kCapReached);
  CHECK_EQ(f.pool->Stats().bytes_alive, 256 * kKiB);
  f.Release(frames.back());
  frames.pop_back();
  const Frame again = f.pool->Acquire(64 * kKiB);
  CHECK_STATUS(again.status, kOk);
  frames.push_back(again);
  CHECK_EQ(f.pool->Stats().peak_bytes_alive, 256 * kKiB);
  CHECK_EQ(f.pool->Stats().peak_frames_alive, 4U);
  for (const Frame& frame : frames) f.Release(frame);
}

TEST(SizesAboveTheCapAreToldApartFromAFullPool) {
  Fixture f({100 * kKiB, kMiB});
  CHECK_STATUS(f.pool->Acquire(200 * kKiB).status, kAboveCap);
  CHECK_STATUS(f.pool->Acquire(SIZE_MAX).status, kAboveCap);
  CHECK_STATUS(f.pool->Acquire(size_t{1} << 40).status, kAboveCap);
  // Rounding alone (100 KiB would become 112) does not make a size impossible.
  const Frame frame = f.pool->Acquire(100 * kKiB);
  CHECK_STATUS(frame.status, kOk);
  CHECK_EQ(frame.capacity, 100 * kKiB);
  f.Release(frame);
  CHECK_EQ(f.pool->Stats().pooled_bytes, 0U);
}

TEST(TheFreeListStaysUnderItsCap) {
  Fixture f({64 * kMiB, 256 * kKiB});
  std::vector<Frame> frames;
  for (int i = 0; i < 16; ++i) frames.push_back(f.pool->Acquire(64 * kKiB));
  for (const Frame& frame : frames) {
    f.Release(frame);
    CHECK(f.pool->Stats().pooled_bytes <= 256 * kKiB);
    CHECK_EQ(f.pool->Stats().pooled_bytes, f.pool->pooled_bytes());
  }
  CHECK_EQ(f.pool->Stats().pooled_bytes, 256 * kKiB);
  const Frame large = f.pool->Acquire(kMiB);
  f.Release(large);  // larger than the cap: it must not drive the others out
  CHECK_EQ(f.pool->Stats().pooled_bytes, 256 * kKiB);
}

TEST(AChangedMixOfSizesDrivesTheOldOnesOut) {
  Fixture f({64 * kMiB, 256 * kKiB});
  std::vector<Frame> frames;
  for (int i = 0; i < 4; ++i) frames.push_back(f.pool->Acquire(64 * kKiB));
  for (const Frame& frame : frames) f.Release(frame);
  frames.clear();
  for (int i = 0; i < 2; ++i) frames.push_back(f.pool->Acquire(128 * kKiB));
  for (const Frame& frame : frames) f.Release(frame);
  const uint64_t blocks = f.pool->Stats().blocks_allocated;
  frames.clear();
  for (int i = 0; i < 2; ++i) frames.push_back(f.pool->Acquire(128 * kKiB));
  CHECK_EQ(f.pool->Stats().blocks_allocated, blocks);
  for (const Frame& frame : frames) f.Release(frame);
}

TEST(TrimFreeGivesBackDownToWhatIsKept) {
  Fixture f;
  std::vector<Frame> frames;
  for (int i = 0; i < 8; ++i) frames.push_back(f.pool->Acquire(64 * kKiB));
  for (const Frame& frame : frames) f.Release(frame);
  CHECK_EQ(f.pool->TrimFree(128 * kKiB), 384 * kKiB);
  CHECK_EQ(f.pool->Stats().pooled_bytes, 128 * kKiB);
  CHECK_EQ(f.pool->TrimFree(0), 128 * kKiB);
  CHECK_EQ(f.pool->TrimFree(0), 0U);
}

TEST(ATrimThatPaysLowersTheChargeAndTheTailReadsZero) {
  Fixture f({4 * kMiB, 16 * kMiB});
  const Frame frame = f.pool->Acquire(4 * kMiB);
  std::memset(frame.data, 0x5A, frame.capacity);
  size_t backed = 0;
  CHECK_STATUS(f.heap->Trim(frame.handle, 100 * kKiB, &backed), kOk);
  CHECK_EQ(backed, 100 * kKiB);
  CHECK_EQ(f.pool->Stats().bytes_alive, 100 * kKiB);
  const auto* bytes = static_cast<const unsigned char*>(frame.data);
  CHECK_EQ(bytes[100 * kKiB - 1], 0x5A);
#ifndef __APPLE__
  CHECK_EQ(bytes[100 * kKiB], 0);
  CHECK_EQ(bytes[frame.capacity - 1], 0);
#endif
  const Frame other = f.pool->Acquire(kMiB);  // the charge really made room
  CHECK_STATUS(other.status, kOk);
  f.Release(other);
  f.Release(frame);
  CHECK_EQ(f.pool->Stats().pooled_bytes, kMiB + 100 * kKiB);
  const Frame again = f.pool->Acquire(4 * kMiB);
  CHECK(again.data == frame.data);
  CHECK_EQ(f.pool->Stats().bytes_alive, 4 * kMiB);
  std::memset(again.data, 1, again.capacity);
  f.Release(again);
}

TEST(ATrimThatDoesNotPayKeepsThePagesAndTheCharge) {
  Fixture f;
  size_t backed = 0;
  const Frame small = f.pool->Acquire(64 * kKiB);
  CHECK_STATUS(f.heap->Trim(small.handle, 1, &backed), kOk);
  CHECK_EQ(backed, 64 * kKiB);
  const Frame half = f.pool->Acquire(4 * kMiB);
  CHECK_STATUS(f.heap->Trim(half.handle, 2 * kMiB, &backed), kOk);
  CHECK_EQ(backed, 4 * kMiB);
  CHECK_STATUS(f.heap->Trim(half.handle, SIZE_MAX, &backed), kOk);
  CHECK_EQ(backed, 4 * kMiB);
  CHECK_EQ(f.pool->Stats().bytes_alive, 4 * kMiB + 64 * kKiB);
  f.Release(small);
  f.Release(half);
}

TEST(AdoptedMemoryIsFreedExactlyOnceByItsOwner) {
  Fixture f;
  unsigned char memory[100] = {};
  for (const End end : {End::kReleased, End::kFinalized}) {
    Freed freed;
    const Frame frame = f.pool->Adopt(memory, sizeof memory, &Freed::Count, &freed);
    CHECK_STATUS(frame.status, kOk);
    CHECK(frame.data == memory);
    CHECK_EQ(f.pool->Stats().bytes_alive, sizeof memory);
    CHECK_EQ(freed.times, 0);
    CHECK_STATUS(f.heap->Finish(frame.handle, end), kOk);
    CHECK_STATUS(f.heap->Finish(frame.handle, End::kReleased), kStale);
    CHECK_STATUS(f.heap->Finish(frame.handle, End::kFinalized), kStale);
    CHECK_EQ(freed.times, 1);
    CHECK(freed.data == memory);
    CHECK_EQ(freed.bytes, sizeof memory);
  }
  CHECK_EQ(f.pool->Stats().pooled_bytes, 0U);
}

TEST(AdoptedMemoryIsNeverWrittenNorTrimmed) {
  Fixture f;
  celeborn::SetPoison(true);
  static const std::vector<unsigned char> memory(size_t{4} << 20, 7);
  Freed freed;
  const Frame frame =
      f.pool->Adopt(const_cast<unsigned char*>(memory.data()), memory.size(), &Freed::Count, &freed);
  size_t backed = 0;
  CHECK_STATUS(f.heap->Trim(frame.handle, 1, &backed), kOk);
  CHECK_EQ(backed, memory.size());
  f.Release(frame);
  celeborn::SetPoison(false);
  CHECK_EQ(memory.front(), 7);
  CHECK_EQ(memory.back(), 7);
  CHECK_EQ(freed.times, 1);
}

TEST(ARefusedAdoptionLeavesTheMemoryToTheCaller) {
  Fixture f;
  unsigned char memory[1];
  Freed freed;
  CHECK_STATUS(f.pool->Adopt(nullptr, 1, &Freed::Count, &freed).status, kInvalid);
  CHECK_STATUS(f.pool->Adopt(memory, SIZE_MAX, &Freed::Count, &freed).status, kInvalid);
  CHECK_STATUS(f.pool->Adopt(memory, 1, nullptr, &freed).status, kInvalid);
  f.pool->Close();
  CHECK_STATUS(f.pool->Adopt(memory, 1, &Freed::Count, &freed).status, kClosed);
  CHECK_EQ(freed.times, 0);
}

TEST(AnEmptyAdoptionIsAFrame) {
  Fixture f;
  Freed freed;
  const Frame frame = f.pool->Adopt(nullptr, 0, &Freed::Count, &freed);
  CHECK_STATUS(frame.status, kOk);
  f.Release(frame);
  CHECK_EQ(freed.times, 1);
}

TEST(AdoptionIsNotRefusedByTheCapButFillsIt) {
  Fixture f({64 * kKiB, 0});
  static unsigned char memory[128 * 1024];
  Freed freed;
  const Frame frame = f.pool->Adopt(memory, sizeof memory, &Freed::Count, &freed);
  CHECK_STATUS(frame.status, kOk);
  CHECK_STATUS(f.pool->Acquire(1).status, kCapReached);
  f.Release(frame);
  const Frame room = f.pool->Acquire(1);
  CHECK_STATUS(room.status, kOk);
  f.Release(room);
}

TEST(PoisonFillsFreedMemory) {
  Fixture f;
  celeborn::SetPoison(true);
  const Frame first = f.pool->Acquire(64 * kKiB);
  std::memset(first.data, 1, first.capacity);
  f.Release(first);
  const Frame second = f.pool->Acquire(64 * kKiB);
  celeborn::SetPoison(false);
  CHECK(second.data == first.data);
  const auto* bytes = static_cast<const unsigned char*>(second.data);
  bool all = true;
  for (size_t i = 0; i < second.capacity; ++i) all = all && bytes[i] == celeborn::kPoisonByte;
  CHECK(all);
  f.Release(second);
}

TEST(AFinalizedFrameIsCountedLoggedAndRecycled) {
  Fixture f;
  std::vector<Frame> frames;
  for (int i = 0; i < 20; ++i) frames.push_back(f.pool->Acquire(kKiB));
  for (const Frame& frame : frames) CHECK_STATUS(f.heap->Finish(frame.handle, End::kFinalized), kOk);
  CHECK_EQ(f.pool->Stats().finalized_without_release, 20U);
  CHECK_EQ(f.heap->Totals().finalized_without_release, 20U);
  CHECK(f.pool->Stats().pooled_bytes > 0);
  Handle dropped[12];
  CHECK_EQ(f.pool->TakeDropped(dropped, 12), 12U);
  CHECK(dropped[0] == frames[0].handle);
  CHECK(dropped[11] == frames[11].handle);
  CHECK_EQ(f.pool->TakeDropped(dropped, 12), 4U);  // the log holds 16; the rest is only counted
  CHECK(dropped[0] == frames[12].handle);
  CHECK_EQ(f.pool->TakeDropped(dropped, 12), 0U);
}

TEST(AnAbandonedFrameIsFreedByItsFinalizerAndNotRecycled) {
  Fixture f;
  const Frame frame = f.pool->Acquire(64 * kKiB);
  CHECK_STATUS(f.heap->Abandon(frame.handle), kOk);
  CHECK_STATUS(f.heap->Abandon(frame.handle), kStale);
  CHECK_STATUS(f.Release(frame), kStale);
  CHECK_EQ(f.pool->Stats().frames_alive, 1U);  // its memory is still there
  static_cast<unsigned char*>(frame.data)[0] = 1;
  CHECK_STATUS(f.heap->Finish(frame.handle, End::kFinalized), kOk);
  CHECK_EQ(f.pool->Stats().frames_alive, 0U);
  CHECK_EQ(f.pool->Stats().pooled_bytes, 0U);
  CHECK_EQ(f.pool->Stats().finalized_without_release, 0U);
}

TEST(FramesElsewhereAreCountedAndCappedAlike) {
  Fixture f({128 * kKiB, kMiB});
  const Frame first = f.pool->AcquireElsewhere(60 * kKiB);
  CHECK_STATUS(first.status, kOk);
  CHECK(first.data == nullptr);
  CHECK_EQ(first.capacity, 64 * kKiB);  // rounded to its class like any other
  const Frame second = f.pool->Acquire(64 * kKiB);
  CHECK_STATUS(f.heap->MoveElsewhere(second.handle), kOk);
  CHECK_EQ(f.pool->Stats().bytes_alive, first.capacity + 64 * kKiB);
  CHECK_STATUS(f.pool->AcquireElsewhere(64 * kKiB).status, kCapReached);
  size_t backed = 0;
  CHECK_STATUS(f.heap->Trim(second.handle, 1, &backed), kOk);
  CHECK_EQ(backed, 64 * kKiB);
  CHECK_STATUS(f.Release(first), kOk);
  CHECK_STATUS(f.heap->Finish(second.handle, End::kFinalized), kOk);
  CHECK_EQ(f.pool->Stats().pooled_bytes, 0U);
  CHECK_EQ(f.pool->Stats().blocks_allocated, 1U);
}

TEST(ACancelledFrameWasNeverThere) {
  Fixture f;
  const Frame frame = f.pool->Acquire(kKiB);
  CHECK_STATUS(f.heap->Finish(frame.handle, End::kCancelled), kOk);
  CHECK_EQ(f.pool->Stats().frames_allocated, 0U);
  CHECK_EQ(f.pool->Stats().frames_alive, 0U);
}

TEST(OutOfMemoryIsAStatusAndTheFreeListIsGivenUpFirst) {
  Fixture f;
  const Frame small = f.pool->Acquire(kKiB);
  f.Release(small);
  PageMemory::FailForTesting(1);
  const Frame second_try = f.pool->Acquire(kMiB);  // after the free list went back
  CHECK_STATUS(second_try.status, kOk);
  CHECK_EQ(f.pool->Stats().pooled_bytes, 0U);
  PageMemory::FailForTesting(1);
  const Frame refused = f.pool->Acquire(kMiB);
  CHECK_STATUS(refused.status, kOutOfMemory);
  CHECK_EQ(f.pool->Stats().frames_alive, 1U);
  CHECK_EQ(f.pool->Stats().bytes_alive, second_try.capacity);
  CHECK_EQ(f.pool->Stats().frames_allocated, 2U);
  f.Release(second_try);
  const Frame fine = f.pool->Acquire(2 * kMiB);
  CHECK_STATUS(fine.status, kOk);
  f.Release(fine);
}

TEST(FramesOutliveTheirPool) {
  Fixture f;
  Frame frame;
  Freed freed;
  unsigned char memory[1];
  Frame adopted;
  {
    FramePool pool(f.heap.get(), {kMiB, kMiB});
    frame = pool.Acquire(kKiB);
    adopted = pool.Adopt(memory, 1, &Freed::Count, &freed);
    f.Release(pool.Acquire(kKiB));
  }
  CHECK_EQ(f.heap->Totals().pooled_bytes, 0U);
  static_cast<unsigned char*>(frame.data)[0] = 1;
  CHECK_EQ(f.heap->Totals().frames_alive, 2U);
  CHECK_STATUS(f.Release(frame), kOk);
  CHECK_STATUS(f.Release(adopted), kOk);
  CHECK_EQ(freed.times, 1);
}

TEST(AClosedPoolGivesNothingOutAndKeepsNothing) {
  Fixture f;
  const Frame frame = f.pool->Acquire(kKiB);
  f.pool->Close();
  f.pool->Close();
  CHECK_STATUS(f.pool->Acquire(kKiB).status, kClosed);
  CHECK_STATUS(f.pool->AcquireElsewhere(kKiB).status, kClosed);
  CHECK_STATUS(f.Release(frame), kOk);
  CHECK_EQ(f.pool->Stats().pooled_bytes, 0U);
}

TEST(ManyBlocksGetPlacesOfTheirOwn) {
  Fixture f({size_t{1} << 32, 0});
  std::vector<Frame> frames;
  std::set<void*> addresses;
  for (int i = 0; i < 3000; ++i) {
    frames.push_back(f.pool->AcquireElsewhere(1));
    CHECK_STATUS(frames.back().status, kOk);
  }
  for (int i = 0; i < 300; ++i) {
    frames.push_back(f.pool->Acquire(1));
    CHECK(addresses.insert(frames.back().data).second);
  }
  for (const Frame& frame : frames) CHECK_STATUS(f.Release(frame), kOk);
  for (const Frame& frame : frames) CHECK_STATUS(f.Release(frame), kStale);
}

#if defined(__SANITIZE_ADDRESS__)
// Pooled memory is ours and mapped: only the marking by hand lets AddressSanitizer see a use after the
// release.
TEST(AddressSanitizerSeesAUseAfterRelease) {
  Fixture f;
  const Frame frame = f.pool->Acquire(64 * kKiB);
  auto* byte = static_cast<volatile unsigned char*>(frame.data);
  *byte = 1;
  f.Release(frame);
  const pid_t child = fork();
  if (child == 0) {
    (void)close(STDERR_FILENO);  // the report is expected
    const unsigned char read = *byte;
    _exit(read == 1 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 1);
  // Its next owner may read it again.
  const Frame again = f.pool->Acquire(64 * kKiB);
  CHECK(again.data == frame.data);
  *byte = 2;
  f.Release(again);
}
#endif

TEST(TheProcessHasOneHeap) {
  CHECK(&FrameHeap::Process() == &FrameHeap::Process());
}

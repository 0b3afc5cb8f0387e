#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "frame_heap.h"
#include "harness.h"
#include "poison.h"

using celeborn::End;
using celeborn::Frame;
using celeborn::FrameHeap;
using celeborn::FramePool;
using celeborn::Status;

namespace {

constexpr size_t kKiB = 1024;
constexpr int kThreads = 8;

// A small generator, so that each thread has its own reproducible sequence.
class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed * 2654435761U + 1) {}
  uint32_t Next(uint32_t below) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_ % below;
  }

 private:
  uint32_t state_;
};

void CountFreed(void* /*data*/, size_t /*bytes*/, void* context) {
  static_cast<std::atomic<int>*>(context)->fetch_add(1);
}

// One thread's random life with the pool: each frame carries its owner's mark at both ends for as long as it
// is owned.
void Hammer(FrameHeap* heap, FramePool* pool, int id, int rounds, std::atomic<int>* errors) {
  Random random(static_cast<uint32_t>(id) + 1);
  std::vector<Frame> mine;
  const auto mark = static_cast<unsigned char>(id + 1);
  const auto end = [&](size_t i) {
    const Frame frame = mine[i];
    mine[i] = mine.back();
    mine.pop_back();
    const auto* bytes = static_cast<const unsigned char*>(frame.data);
    if (bytes[0] != mark || bytes[frame.capacity - 1] != mark) errors->fetch_add(1);
    const End how = random.Next(4) == 0 ? End::kFinalized : End::kReleased;
    if (heap->Finish(frame.handle, how) != Status::kOk) errors->fetch_add(1);
    if (heap->Finish(frame.handle, End::kReleased) != Status::kStale) errors->fetch_add(1);
  };
  for (int i = 0; i < rounds; ++i) {
    const uint32_t action = random.Next(10);
    if (action < 6) {
      const Frame frame = pool->Acquire(random.Next(256 * kKiB));
      if (frame.status == Status::kOk) {
        static_cast<unsigned char*>(frame.data)[0] = mark;
        static_cast<unsigned char*>(frame.data)[frame.capacity - 1] = mark;
        mine.push_back(frame);
      } else if (frame.status != Status::kCapReached) {
        errors->fetch_add(1);
      }
    } else if (action < 9 && !mine.empty()) {
      end(random.Next(static_cast<uint32_t>(mine.size())));
    } else if (action == 9) {
      pool->TrimFree(random.Next(4) * 256 * kKiB);
      if (pool->Stats().bytes_alive > 16 * 1024 * kKiB) errors->fetch_add(1);
    }
  }
  while (!mine.empty()) end(mine.size() - 1);
}

}  // namespace

TEST(ThreadsHammerOnePool) {
  FrameHeap heap;
  FramePool pool(&heap, {16 * 1024 * kKiB, 1024 * kKiB});
  std::atomic<int> errors{0};
  std::vector<std::thread> threads;
  for (int id = 0; id < kThreads; ++id) {
    threads.emplace_back([&, id] { Hammer(&heap, &pool, id, 4000, &errors); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(errors.load(), 0);
  CHECK_EQ(pool.Stats().frames_alive, 0U);
  CHECK_EQ(pool.Stats().bytes_alive, 0U);
  CHECK(pool.Stats().peak_bytes_alive <= 16 * 1024 * kKiB);
  CHECK(pool.Stats().pooled_bytes <= 1024 * kKiB);
  pool.Close();
  CHECK_EQ(heap.Totals().pooled_bytes, 0U);
}

TEST(ThreadsHammerOnePoolWithPoison) {
  celeborn::SetPoison(true);
  TestThreadsHammerOnePool();
  celeborn::SetPoison(false);
}

TEST(ThreadsFreeWhatOthersAllocated) {
  FrameHeap heap;
  FramePool pool(&heap, {16 * 1024 * kKiB, 1024 * kKiB});
  std::atomic<int> freed{0};
  std::atomic<int> ok{0};
  std::atomic<bool> done{false};
  std::mutex mutex;
  std::vector<Frame> handed_over;
  unsigned char memory[1];
  constexpr int kFrames = 4000;
  std::vector<std::thread> threads;
  // Two consumers get each frame twice over: exactly one of the two may end it.
  for (int id = 0; id < 2; ++id) {
    threads.emplace_back([&] {
      size_t next = 0;
      while (true) {
        const bool last = done.load();
        std::vector<Frame> frames;
        {
          const std::lock_guard<std::mutex> lock(mutex);
          frames.assign(handed_over.begin() + static_cast<std::ptrdiff_t>(next), handed_over.end());
        }
        next += frames.size();
        for (const Frame& frame : frames) {
          if (heap.Finish(frame.handle, End::kReleased) == Status::kOk) ok.fetch_add(1);
        }
        if (last && frames.empty()) return;
        if (frames.empty()) std::this_thread::yield();
      }
    });
  }
  int given = 0;
  while (given < kFrames) {
    const Frame frame = given % 2 == 0 ? pool.Acquire(4 * kKiB) : pool.Adopt(memory, 1, &CountFreed, &freed);
    if (frame.status != Status::kOk) {
      std::this_thread::yield();
      continue;
    }
    ++given;
    const std::lock_guard<std::mutex> lock(mutex);
    handed_over.push_back(frame);
  }
  done.store(true);
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(ok.load(), kFrames);
  CHECK_EQ(freed.load(), kFrames / 2);
  CHECK_EQ(pool.Stats().frames_alive, 0U);
}

TEST(APoolClosesUnderItsUsers) {
  FrameHeap heap;
  std::atomic<int> errors{0};
  for (int round = 0; round < 20; ++round) {
    auto pool = std::make_unique<FramePool>(&heap, celeborn::PoolOptions{16 * 1024 * kKiB, 4 * 1024 * kKiB});
    std::vector<std::thread> threads;
    for (int id = 0; id < 4; ++id) {
      threads.emplace_back([&, id] {
        Random random(static_cast<uint32_t>(round * 10 + id) + 1);
        for (int i = 0; i < 200; ++i) {
          const Frame frame = pool->Acquire(random.Next(64 * kKiB));
          if (frame.status == Status::kClosed) return;
          if (frame.status == Status::kOk && heap.Finish(frame.handle, End::kReleased) != Status::kOk) {
            errors.fetch_add(1);
          }
        }
      });
    }
    pool->Close();
    for (std::thread& thread : threads) thread.join();
    pool.reset();
    CHECK_EQ(heap.Totals().pooled_bytes, 0U);
    CHECK_EQ(heap.Totals().frames_alive, 0U);
  }
  CHECK_EQ(errors.load(), 0);
}

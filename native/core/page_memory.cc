#include "page_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <utility>

namespace celeborn {

namespace {

std::atomic<int> failures_to_come{0};

bool FailThisOne() {
  if (failures_to_come.load(std::memory_order_relaxed) == 0) return false;
  return failures_to_come.fetch_sub(1, std::memory_order_relaxed) > 0;
}

#ifdef __APPLE__
constexpr int kGiveBack = MADV_FREE;
#else
constexpr int kGiveBack = MADV_DONTNEED;
#endif

}  // namespace

PageMemory::PageMemory(PageMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

PageMemory& PageMemory::operator=(PageMemory&& other) noexcept {
  if (this != &other) {
    Free();
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

PageMemory::~PageMemory() {
  Free();
}

PageMemory PageMemory::Allocate(size_t bytes) {
  if (bytes == 0 || FailThisOne()) return {};
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) return {};
  return {data, bytes};
}

size_t PageMemory::PageBytes() {
  static const auto bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool PageMemory::GiveBackFrom(size_t offset) const {
  return madvise(static_cast<char*>(data_) + offset, bytes_ - offset, kGiveBack) == 0;
}

void PageMemory::FailForTesting(int count) {
  failures_to_come.store(count, std::memory_order_relaxed);
}

void PageMemory::Free() {
  if (data_ == nullptr) return;
  // Unmapping the middle of a merged mapping splits it, which the kernel refuses when its table is full. The
  // memory itself can still be given back; only addresses are lost then.
  if (munmap(data_, bytes_) != 0) (void)madvise(data_, bytes_, kGiveBack);
  data_ = nullptr;
  bytes_ = 0;
}

}  // namespace celeborn

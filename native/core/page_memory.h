#ifndef CELEBORN_NATIVE_CORE_PAGE_MEMORY_H_
#define CELEBORN_NATIVE_CORE_PAGE_MEMORY_H_

#include <cstddef>

namespace celeborn {

// The allocation layer: owns a range of whole pages had from the system and gives it back when it dies.
//
// Every block is a mapping of its own. That costs a system call where nothing is pooled, and buys memory that
// really returns to the system (no arena keeps it), alignment for direct I/O, and a tail that can be given
// back. Neighbouring anonymous mappings share one entry of the kernel's table, so many small blocks do not
// exhaust it.
class PageMemory {
 public:
  PageMemory() = default;
  PageMemory(PageMemory&& other) noexcept;
  PageMemory& operator=(PageMemory&& other) noexcept;
  PageMemory(const PageMemory&) = delete;
  PageMemory& operator=(const PageMemory&) = delete;
  ~PageMemory();

  // bytes: whole pages, more than 0. Empty when the system refuses.
  static PageMemory Allocate(size_t bytes);
  static size_t PageBytes();

  [[nodiscard]] bool empty() const { return data_ == nullptr; }
  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] size_t bytes() const { return bytes_; }

  // Gives the pages from offset (a page boundary) on back to the system. The range stays usable: its pages
  // return, as zeros, when they are touched. False when the system refuses; nothing has changed then.
  [[nodiscard]] bool GiveBackFrom(size_t offset) const;

  // The next `count` calls of Allocate fail, in any thread.
  static void FailForTesting(int count);

 private:
  PageMemory(void* data, size_t bytes) : data_(data), bytes_(bytes) {}
  void Free();

  void* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_PAGE_MEMORY_H_

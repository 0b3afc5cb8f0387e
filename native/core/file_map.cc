#include "file_map.h"

#include <sys/mman.h>
#include <sys/types.h>

#include <cerrno>
#include <limits>
#include <utility>

#include "page_memory.h"

namespace celeborn {

FileMap::FileMap(FileMap&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)),
      lead_(std::exchange(other.lead_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

FileMap& FileMap::operator=(FileMap&& other) noexcept {
  if (this != &other) {
    Unmap();
    pages_ = std::exchange(other.pages_, nullptr);
    lead_ = std::exchange(other.lead_, 0);
    mapped_ = std::exchange(other.mapped_, 0);
  }
  return *this;
}

FileMap::~FileMap() {
  Unmap();
}

FileMap FileMap::Map(int descriptor, uint64_t offset, size_t bytes, int* error) {
  const size_t lead = offset % PageMemory::PageBytes();
  const uint64_t start = offset - lead;
  if (bytes == 0 || bytes > std::numeric_limits<size_t>::max() - lead ||
      start > static_cast<uint64_t>(std::numeric_limits<off_t>::max())) {
    *error = EINVAL;
    return {};
  }
  void* pages = mmap(nullptr, lead + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor,
                     static_cast<off_t>(start));
  if (pages == MAP_FAILED) {
    *error = errno;
    return {};
  }
  *error = 0;
  return {pages, lead, lead + bytes};
}

void FileMap::Unmap() {
  if (pages_ == nullptr) return;
  (void)munmap(pages_, mapped_);
  pages_ = nullptr;
}

}  // namespace celeborn

#ifndef CELEBORN_NATIVE_CORE_BACKING_H_
#define CELEBORN_NATIVE_CORE_BACKING_H_

#include <cstddef>
#include <utility>
#include <variant>

#include "file_map.h"
#include "page_memory.h"

namespace celeborn {

// Frees memory that somebody else allocated. Called exactly once, on whatever thread ends the frame, without
// a lock held. It must not call back into the frame it frees.
using Deallocator = void (*)(void* data, size_t bytes, void* context);

// Memory that somebody else allocated, with the way to free it.
class ForeignMemory {
 public:
  ForeignMemory(void* data, size_t bytes, Deallocator deallocator, void* context)
      : data_(data), bytes_(bytes), deallocator_(deallocator), context_(context) {}
  ForeignMemory(ForeignMemory&& other) noexcept
      : data_(other.data_),
        bytes_(other.bytes_),
        deallocator_(std::exchange(other.deallocator_, nullptr)),
        context_(other.context_) {}
  ForeignMemory& operator=(ForeignMemory&& other) noexcept {
    if (this != &other) {
      Free();
      data_ = other.data_;
      bytes_ = other.bytes_;
      deallocator_ = std::exchange(other.deallocator_, nullptr);
      context_ = other.context_;
    }
    return *this;
  }
  ForeignMemory(const ForeignMemory&) = delete;
  ForeignMemory& operator=(const ForeignMemory&) = delete;
  ~ForeignMemory() { Free(); }

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] size_t bytes() const { return bytes_; }

  // The memory is the caller's again: nothing will be called.
  void Forget() { deallocator_ = nullptr; }

 private:
  void Free() {
    if (deallocator_ != nullptr) std::exchange(deallocator_, nullptr)(data_, bytes_, context_);
  }

  void* data_;
  size_t bytes_;
  Deallocator deallocator_;
  void* context_;
};

// What stands behind a frame: nothing of ours (the memory lives elsewhere and is only counted), pages,
// adopted memory, or part of a file.
using Backing = std::variant<std::monostate, PageMemory, ForeignMemory, FileMap>;

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_BACKING_H_

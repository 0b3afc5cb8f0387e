#ifndef CELEBORN_NATIVE_CORE_SIZE_CLASS_H_
#define CELEBORN_NATIVE_CORE_SIZE_CLASS_H_

#include <cstddef>
#include <cstdint>

namespace celeborn {

// Largest block. A body on the wire has an int32 length, so nothing longer could ever be sent.
inline constexpr size_t kMaxFrameBytes = size_t{1} << 31;

// Block sizes: 1 to 8 pages, then four steps per doubling (10, 12, 14, 16, 20, ...). At most a fifth of a
// block is lost to rounding from 8 pages on, and the sizes that people choose (64 KiB, 1 MiB, 4 MiB) are met
// exactly.
class SizeClasses {
 public:
  static constexpr uint32_t kMaxClasses = 96;
  static constexpr uint32_t kNoClass = UINT32_MAX;

  // page_bytes: a power of two.
  explicit SizeClasses(size_t page_bytes) : page_bytes_(page_bytes) {}

  [[nodiscard]] size_t page_bytes() const { return page_bytes_; }

  // size rounded up to whole pages, one page at least. size <= kMaxFrameBytes.
  [[nodiscard]] size_t RoundToPages(size_t size) const;

  // The smallest class that holds size bytes, or kNoClass beyond kMaxFrameBytes.
  [[nodiscard]] uint32_t ClassOf(size_t size) const;

  // Bytes of a block of that class.
  [[nodiscard]] size_t BytesOf(uint32_t size_class) const;

 private:
  size_t page_bytes_;
};

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_SIZE_CLASS_H_

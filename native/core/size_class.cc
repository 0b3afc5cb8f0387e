#include "size_class.h"

namespace celeborn {

namespace {

constexpr uint32_t kLinearClasses = 8;  // 1 to 8 pages
constexpr uint32_t kLinearLog2 = 3;
constexpr uint32_t kStepsLog2 = 2;  // four steps per doubling
constexpr uint32_t kSteps = 1U << kStepsLog2;

uint32_t FloorLog2(size_t value) {
  uint32_t log2 = 0;
  while (value >>= 1) ++log2;
  return log2;
}

}  // namespace

size_t SizeClasses::RoundToPages(size_t size) const {
  if (size == 0) return page_bytes_;
  return (size + page_bytes_ - 1) & ~(page_bytes_ - 1);
}

uint32_t SizeClasses::ClassOf(size_t size) const {
  if (size > kMaxFrameBytes) return kNoClass;  // before the rounding, which could overflow
  const size_t pages = RoundToPages(size) / page_bytes_;
  if (pages <= kLinearClasses) return static_cast<uint32_t>(pages) - 1;
  const uint32_t log2 = FloorLog2(pages - 1);  // pages lie in (2^log2, 2^(log2 + 1)]
  const size_t step = size_t{1} << (log2 - kStepsLog2);
  const size_t steps = (pages - (size_t{1} << log2) + step - 1) / step;
  return kLinearClasses + (log2 - kLinearLog2) * kSteps + static_cast<uint32_t>(steps) - 1;
}

size_t SizeClasses::BytesOf(uint32_t size_class) const {
  if (size_class < kLinearClasses) return (size_class + size_t{1}) * page_bytes_;
  const uint32_t log2 = (size_class - kLinearClasses) / kSteps + kLinearLog2;
  const size_t steps = (size_class - kLinearClasses) % kSteps + size_t{1};
  return ((size_t{1} << log2) + (steps << (log2 - kStepsLog2))) * page_bytes_;
}

}  // namespace celeborn

#include "size_class.h"

#include "harness.h"

using celeborn::kMaxFrameBytes;
using celeborn::SizeClasses;

TEST(EverySizeFitsItsClassAndNotTheOneBelow) {
  for (const size_t page : {size_t{4096}, size_t{16384}, size_t{65536}}) {
    const SizeClasses classes(page);
    for (size_t size = 1; size <= kMaxFrameBytes; size += size / 7 + 1) {
      const uint32_t c = classes.ClassOf(size);
      CHECK(c < SizeClasses::kMaxClasses);
      CHECK(classes.BytesOf(c) >= size);
      CHECK(c == 0 || classes.BytesOf(c - 1) < size);
      CHECK_EQ(classes.BytesOf(c) % page, size_t{0});
    }
  }
}

TEST(ClassBoundariesMapToThemselves) {
  const SizeClasses classes(4096);
  const uint32_t last = classes.ClassOf(kMaxFrameBytes);
  CHECK_EQ(classes.BytesOf(last), kMaxFrameBytes);
  for (uint32_t c = 0; c <= last; ++c) {
    CHECK_EQ(classes.ClassOf(classes.BytesOf(c)), c);
    if (c > 0) {
      CHECK(classes.BytesOf(c) > classes.BytesOf(c - 1));
      CHECK_EQ(classes.ClassOf(classes.BytesOf(c - 1) + 1), c);
    }
  }
}

TEST(RoundingLosesAtMostAFifthFromEightPagesOn) {
  const SizeClasses classes(4096);
  for (size_t size = size_t{8} * 4096 + 1; size <= kMaxFrameBytes; size += size / 5) {
    const size_t bytes = classes.BytesOf(classes.ClassOf(size));
    const size_t pages = classes.RoundToPages(size);
    CHECK((bytes - pages) * 5 <= bytes);
  }
}

TEST(UsualSizesAreMetExactly) {
  const SizeClasses classes(4096);
  for (const size_t kib : {4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 65536}) {
    CHECK_EQ(classes.BytesOf(classes.ClassOf(kib * 1024)), kib * 1024);
  }
}

TEST(SizesThatCannotBeAreRefusedWithoutOverflow) {
  const SizeClasses classes(4096);
  CHECK_EQ(classes.ClassOf(kMaxFrameBytes + 1), SizeClasses::kNoClass);
  CHECK_EQ(classes.ClassOf(SIZE_MAX), SizeClasses::kNoClass);
  CHECK_EQ(classes.ClassOf(SIZE_MAX - 4095), SizeClasses::kNoClass);
  CHECK_EQ(classes.ClassOf(0), 0U);
  CHECK_EQ(classes.RoundToPages(0), size_t{4096});
}

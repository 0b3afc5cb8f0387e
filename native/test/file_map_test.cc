#include "file_map.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "frame_heap.h"
#include "harness.h"

using celeborn::End;
using celeborn::FileMap;
using celeborn::Frame;
using celeborn::FrameHeap;
using celeborn::FramePool;
using celeborn::PageMemory;
using celeborn::Status;

namespace {

char PatternAt(size_t i) {
  return static_cast<char>(i * 31 + (i >> 8));
}

// A file of `bytes` bytes that has no name.
class PatternFile {
 public:
  explicit PatternFile(size_t bytes) {
    std::vector<char> content(bytes);
    for (size_t i = 0; i < bytes; ++i) content[i] = PatternAt(i);
    CHECK_EQ(write(descriptor(), content.data(), bytes), static_cast<ssize_t>(bytes));
  }

  void Close() { file_.reset(); }
  [[nodiscard]] int descriptor() const { return fileno(file_.get()); }

 private:
  struct Closer {
    void operator()(std::FILE* file) const { (void)std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file_{std::tmpfile()};
};

bool Holds(const void* data, size_t offset, size_t bytes) {
  const auto* actual = static_cast<const char*>(data);
  for (size_t i = 0; i < bytes; ++i) {
    if (actual[i] != PatternAt(offset + i)) return false;
  }
  return true;
}

}  // namespace

TEST(FileMapAtAnyOffsetWithoutTheFile) {
  const size_t page = PageMemory::PageBytes();
  PatternFile file(4 * page);
  std::vector<FileMap> maps;
  const std::array<std::pair<size_t, size_t>, 5> parts = {
      {{0, 4 * page}, {1, 1}, {page - 1, 2}, {page, page}, {3 * page + 5, page - 5}}};
  for (const auto& [offset, bytes] : parts) {
    int error = -1;
    maps.push_back(FileMap::Map(file.descriptor(), offset, bytes, &error));
    CHECK_EQ(error, 0);
    CHECK_EQ(maps.back().bytes(), bytes);
  }
  file.Close();
  for (size_t i = 0; i < parts.size(); ++i) CHECK(Holds(maps[i].data(), parts[i].first, parts[i].second));
}

TEST(FileMapIsPrivate) {
  const size_t page = PageMemory::PageBytes();
  const PatternFile file(page);
  int error = 0;
  const FileMap map = FileMap::Map(file.descriptor(), 0, page, &error);
  std::memset(map.data(), 0, page);
  std::vector<char> content(page);
  CHECK_EQ(pread(file.descriptor(), content.data(), page, 0), static_cast<ssize_t>(page));
  CHECK(Holds(content.data(), 0, page));
}

TEST(FileMapRefused) {
  const PatternFile file(100);
  int error = 0;
  CHECK(FileMap::Map(-1, 0, 1, &error).empty());
  CHECK_EQ(error, EBADF);
  CHECK(FileMap::Map(file.descriptor(), 0, 0, &error).empty());
  CHECK_EQ(error, EINVAL);
  CHECK(FileMap::Map(file.descriptor(), UINT64_MAX, 1, &error).empty());
  CHECK_EQ(error, EINVAL);
  CHECK(FileMap::Map(file.descriptor(), 0, SIZE_MAX, &error).empty());
  CHECK(error != 0);
}

TEST(FileMapMoves) {
  const PatternFile file(100);
  int error = 0;
  FileMap first = FileMap::Map(file.descriptor(), 0, 100, &error);
  FileMap second = std::move(first);
  CHECK(first.empty());  // NOLINT(bugprone-use-after-move)
  CHECK(Holds(second.data(), 0, 100));
  first = FileMap::Map(file.descriptor(), 50, 50, &error);
  second = std::move(first);
  CHECK(Holds(second.data(), 50, 50));
}

TEST(MappedFrames) {
  const PatternFile file(1000);
  FrameHeap heap;
  FramePool pool(&heap, {});
  int error = -1;
  const Frame frame = pool.Map(file.descriptor(), 10, 500, &error);
  CHECK_STATUS(frame.status, kOk);
  CHECK_EQ(frame.capacity, 500U);
  CHECK(Holds(frame.data, 10, 500));
  CHECK_EQ(pool.Stats().frames_alive, 1U);
  CHECK_EQ(pool.Stats().bytes_alive, 500U);
  const Frame refused = pool.Map(-1, 10, 500, &error);
  CHECK_STATUS(refused.status, kOutOfMemory);
  CHECK_EQ(error, EBADF);
  CHECK_STATUS(pool.Map(file.descriptor(), 0, celeborn::kMaxFrameBytes + 1, &error).status, kAboveCap);
  size_t backed = 0;
  CHECK_STATUS(heap.Trim(frame.handle, 1, &backed), kOk);
  CHECK_EQ(backed, 500U);
  CHECK_STATUS(heap.Finish(frame.handle, End::kReleased), kOk);
  CHECK_STATUS(heap.Finish(frame.handle, End::kFinalized), kStale);
  CHECK_EQ(pool.Stats().frames_alive, 0U);
  CHECK_EQ(pool.Stats().pooled_bytes, 0U);
  const Frame dropped = pool.Map(file.descriptor(), 0, 1000, &error);
  CHECK_STATUS(heap.Finish(dropped.handle, End::kFinalized), kOk);
  CHECK_EQ(pool.finalized_without_release(), 1U);
  pool.Close();
  CHECK_STATUS(pool.Map(file.descriptor(), 0, 1, &error).status, kClosed);
}

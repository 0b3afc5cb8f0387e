#ifndef CELEBORN_NATIVE_CORE_FILE_MAP_H_
#define CELEBORN_NATIVE_CORE_FILE_MAP_H_

#include <cstddef>
#include <cstdint>

namespace celeborn {

// A part of a file mapped into memory; unmapped when it dies.
//
// The mapping is private: what is written into it by mistake stays in this process and does not end it, and
// the file is never changed. Whoever truncates a mapped file takes the memory away: a read of the lost pages
// is a SIGBUS, a socket write of them fails with EFAULT.
class FileMap {
 public:
  FileMap() = default;
  FileMap(FileMap&& other) noexcept;
  FileMap& operator=(FileMap&& other) noexcept;
  FileMap(const FileMap&) = delete;
  FileMap& operator=(const FileMap&) = delete;
  ~FileMap();

  // The file need not stay open. bytes: more than 0; offset: any. Empty when the system refuses, with its
  // reason in *error (an errno). That the file is that long is for the caller to check.
  static FileMap Map(int descriptor, uint64_t offset, size_t bytes, int* error);

  [[nodiscard]] bool empty() const { return pages_ == nullptr; }
  [[nodiscard]] void* data() const { return static_cast<char*>(pages_) + lead_; }
  [[nodiscard]] size_t bytes() const { return mapped_ - lead_; }

 private:
  FileMap(void* pages, size_t lead, size_t mapped) : pages_(pages), lead_(lead), mapped_(mapped) {}
  void Unmap();

  void* pages_ = nullptr;
  size_t lead_ = 0;    // bytes from the page's start to the offset asked for
  size_t mapped_ = 0;  // bytes from the page's start to the end
};

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_FILE_MAP_H_

#ifndef CELEBORN_NATIVE_CORE_HANDLE_H_
#define CELEBORN_NATIVE_CORE_HANDLE_H_

#include <cstdint>

namespace celeborn {

// Names one life of one block. A block is found by its handle and never by its address: after a block was
// recycled its address belongs to somebody else, while the handle of the earlier life is recognised as stale
// for ever (a place whose generations are used up is retired). Generation 0 is never valid.
struct Handle {
  uint32_t index = 0;
  uint32_t generation = 0;

  [[nodiscard]] uint64_t Pack() const { return (static_cast<uint64_t>(generation) << 32) | index; }
  static Handle Unpack(uint64_t packed) {
    return {static_cast<uint32_t>(packed), static_cast<uint32_t>(packed >> 32)};
  }
};

inline bool operator==(Handle a, Handle b) {
  return a.index == b.index && a.generation == b.generation;
}

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_HANDLE_H_

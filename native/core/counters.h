#ifndef CELEBORN_NATIVE_CORE_COUNTERS_H_
#define CELEBORN_NATIVE_CORE_COUNTERS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace celeborn {

// Counters of one pool, or of all pools of a heap. Bytes are what is really backed, not what was asked for.
struct Counters {
  uint64_t frames_alive = 0;
  uint64_t bytes_alive = 0;
  uint64_t peak_frames_alive = 0;
  uint64_t peak_bytes_alive = 0;
  uint64_t frames_allocated = 0;  // frames given out or adopted since the start
  uint64_t blocks_allocated = 0;  // blocks had from the system since the start
  uint64_t pooled_bytes = 0;
  uint64_t finalized_without_release = 0;

  void Born(size_t bytes) {
    ++frames_allocated;
    peak_frames_alive = std::max(peak_frames_alive, ++frames_alive);
    bytes_alive += bytes;
    peak_bytes_alive = std::max(peak_bytes_alive, bytes_alive);
  }
  // Takes a birth back that came to nothing.
  void Unborn(size_t bytes) {
    --frames_allocated;
    Died(bytes);
  }
  void Died(size_t bytes) {
    --frames_alive;
    bytes_alive -= bytes;
  }
};

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_COUNTERS_H_

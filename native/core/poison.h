#ifndef CELEBORN_NATIVE_CORE_POISON_H_
#define CELEBORN_NATIVE_CORE_POISON_H_

#include <cstddef>

namespace celeborn {

// Debug mode of the process: freed frame memory is filled with kPoisonByte before anybody else can get it, so
// that a late reader shows. Off by default; a build under AddressSanitizer always hides pooled memory from
// readers, too.
inline constexpr unsigned char kPoisonByte = 0xEE;

void SetPoison(bool on);
bool PoisonEnabled();
void FillPoison(void* data, size_t bytes);

// Marks memory as unreadable (and readable again) for AddressSanitizer; nothing in other builds. The
// allocator hands out pages of its own, so without this a use after free would go unseen.
void AsanHide(const void* data, size_t bytes);
void AsanShow(const void* data, size_t bytes);

}  // namespace celeborn

#endif  // CELEBORN_NATIVE_CORE_POISON_H_

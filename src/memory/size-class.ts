/**
 * Bytes of the block that the native core gives for a request of `size` bytes: 1 to 8 pages, then four steps per
 * doubling (native/core/size_class.h).
 * @param size bytes, 0 to 2^31
 * @param pageBytes the system's page size
 * @internal
 */
export function blockBytes(size: number, pageBytes: number): number {
  const pages = Math.max(1, Math.ceil(size / pageBytes))
  if (pages <= 8) return pages * pageBytes
  const log2 = 31 - Math.clz32(pages - 1) // pages lie in (2^log2, 2^(log2 + 1)]
  const step = 1 << (log2 - 2)
  return Math.ceil(pages / step) * step * pageBytes
}

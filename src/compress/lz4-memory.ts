/**
 * What lz4-napi really allocates. Its output buffer is reserved for the worst case, zero-filled, and shrunk with
 * `realloc` afterwards; its allocator (mimalloc, linked in) leaves a block where it is unless the new size is below
 * half of the block. So an output between half and all of the worst case keeps the whole block: 46 KB compressed out of
 * 64 KiB hold 128 KiB. V8 is told the length only.
 *
 * The figures below were measured with lz4-napi 2.10.0 on Linux x64 as the distance between consecutive outputs, 1 KB
 * to 8 MiB of source; with transparent huge pages all of a block is resident. test/compress/lz4-memory.test.ts holds
 * them against the growth of the process.
 */

const KIB = 1024
const MIB = 1024 * KIB
const SLICE = 64 * KIB
/** Blocks from this size on begin at multiples of it. */
const LARGE = 512 * KIB
/** Bytes of lz4-napi's length prefix. */
export const LZ4_PREFIX_BYTES = 4

function roundUp(bytes: number, step: number): number {
  return Math.ceil(bytes / step) * step
}

/** The allocator's block for a request: size classes an eighth apart up to one slice, pages above. */
function blockBytes(request: number): number {
  if (request <= SLICE) return roundUp(request, Math.max(8, 2 ** (31 - Math.clz32(request - 1) - 2)))
  if (request < LARGE) return roundUp(request, 4 * KIB)
  if (request < 2 * MIB) return roundUp(request, 64 * KIB)
  if (request < 8 * MIB) return roundUp(request, 256 * KIB)
  if (request < 32 * MIB) return roundUp(request, MIB)
  return roundUp(request, 4 * MIB)
}

/** What that block takes out of the process's memory. */
function spanBytes(block: number): number {
  if (block <= SLICE) return block
  return roundUp(block, block < LARGE ? SLICE : LARGE)
}

/** lz4-napi's first reservation for a source of that length. */
function worstCase(sourceBytes: number): number {
  return LZ4_PREFIX_BYTES + 20 + Math.floor(sourceBytes * 1.1)
}

/** Bytes that an output of `outputBytes` (prefix included), compressed from `sourceBytes`, really holds. */
export function lz4AllocatedBytes(sourceBytes: number, outputBytes: number): number {
  const block = blockBytes(worstCase(sourceBytes))
  return spanBytes(outputBytes < block / 2 ? blockBytes(outputBytes) : block)
}

/** Most that {@link lz4AllocatedBytes} can be for a source of that length. */
export function lz4MaxAllocatedBytes(sourceBytes: number): number {
  return spanBytes(blockBytes(worstCase(sourceBytes)))
}

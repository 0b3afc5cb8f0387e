import { GCProfiler, getHeapStatistics } from 'node:v8'
import { nativeStats } from '../../src/memory'

/** Bytes allocated between {@link AllocationMeter.start} and its end, whether they were freed meanwhile or not. */
export interface Allocations {
  /** Objects of JavaScript. */
  readonly heapBytes: number
  /** ArrayBuffers whose memory Node allocated. */
  readonly arrayBufferBytes: number
  /** Blocks that the frame pools had from the system. */
  readonly nativeBytes: number
}

/** Options of Node for a process that measures allocations: see {@link AllocationMeter}. */
export const ALLOCATION_NODE_OPTIONS = ['--no-concurrent-array-buffer-sweeping']

/**
 * Counts what this process allocates, in V8's heap, in ArrayBuffers and in the frame pools.
 *
 * V8 tells used heap and external memory before and after each garbage collection; what is there before one and was not
 * there after the last was allocated in between. That is exact as long as nothing is freed in between, hence
 * {@link ALLOCATION_NODE_OPTIONS}: ArrayBuffers are then freed inside the collection. A pool's frame is external
 * memory for V8, too, but comes and goes by explicit calls; every frame that is had in the interval and is
 * released in it cancels out, so the caller measures from no frame alive to no frame alive. What the pools really
 * had from the system is counted by the pools: recycled blocks are no allocation.
 *
 * Not counted: what Node and libuv allocate for a socket call (some hundred bytes each), and the compilers of V8.
 */
export class AllocationMeter {
  readonly #profiler = new GCProfiler()
  readonly #blockBytes: number
  #heapBytes = 0
  #externalBytes = 0
  #blocks = 0

  /** @param blockBytes bytes of the blocks that the pools give out: all of one size */
  constructor(blockBytes: number) {
    this.#blockBytes = blockBytes
  }

  start(): void {
    const { blocksAllocated } = nativeStats()
    this.#blocks = blocksAllocated
    this.#profiler.start()
    const { used_heap_size, external_memory } = getHeapStatistics()
    this.#heapBytes = used_heap_size
    this.#externalBytes = external_memory
  }

  stop(): Allocations {
    const end = getHeapStatistics()
    const collections = this.#profiler.stop().statistics
    let heapBytes = 0
    let arrayBufferBytes = 0
    for (const { beforeGC, afterGC } of collections) {
      heapBytes += beforeGC.heapStatistics.usedHeapSize - this.#heapBytes
      arrayBufferBytes += beforeGC.heapStatistics.externalMemory - this.#externalBytes
      this.#heapBytes = afterGC.heapStatistics.usedHeapSize
      this.#externalBytes = afterGC.heapStatistics.externalMemory
    }
    heapBytes += end.used_heap_size - this.#heapBytes
    arrayBufferBytes += end.external_memory - this.#externalBytes
    const blocks = nativeStats().blocksAllocated - this.#blocks
    return { heapBytes, arrayBufferBytes, nativeBytes: blocks * this.#blockBytes }
  }
}

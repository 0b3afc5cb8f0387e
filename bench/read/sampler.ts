import { join } from 'node:path'
import { CelebornError } from '../../src/errors'
import { type CelebornJava } from '../lib/java'
import { askFreshProcess } from '../lib/processes'
import { type PushTargetProcesses } from '../push/target'
import {
  clientConf,
  JAVA,
  type NodeVariant,
  type ReadCodec,
  type ReadRequest,
  type SampleResult,
  type Shuffle,
  type Variant,
  type WriteRequest,
  type Written,
} from './messages'
import { BATCH_BYTES } from './tally'

export interface ReadShape {
  readonly partitions: number
  /** Of each partition. */
  readonly batches: number
  readonly warmRuns: number
  /** Of the array that the Java client's stream is read into. */
  readonly readBufferBytes: number
  /** Most that the Java client's heap may take, in MiB. */
  readonly javaHeapMib: number
}

/** Writes shuffles, and takes samples of reading them, each in a fresh process. */
export class ReadSampler {
  #shuffleId = 0

  /** @param java what the Java variant runs; null where it is left out */
  constructor(
    private readonly target: PushTargetProcesses,
    private readonly java: CelebornJava | null,
    private readonly shape: ReadShape,
    private readonly signal: AbortSignal,
  ) {}

  /** A shuffle of its own, committed. */
  async write(codec: ReadCodec): Promise<{ readonly shuffle: Shuffle; readonly written: Written }> {
    const { appId, lifecycleManager } = this.target
    const { partitions, batches } = this.shape
    const shuffle: Shuffle = { appId, lifecycleManager, codec, partitions, shuffleId: this.#shuffleId++ }
    const request: WriteRequest = { ...shuffle, batches }
    const { signal } = this
    const child = join(__dirname, 'write-child.js')
    const written = await this.target.guarded(
      askFreshProcess<Written>('the writer', child, request, { signal }),
    )
    return { shuffle, written }
  }

  forget({ shuffleId }: Shuffle): Promise<void> {
    return this.target.unregister(shuffleId)
  }

  /** @throws CelebornError when what was read is not what was written */
  async read(variant: Variant, shuffle: Shuffle, written: Written): Promise<SampleResult> {
    const sample = await this.target.guarded(
      variant === JAVA ? this.readJava(shuffle) : this.readNode(variant, shuffle),
    )
    // Chunks are not looked into, and not of a length that could be known.
    if (variant !== 'floor') verify(variant, sample, written)
    return sample
  }

  private readNode(variant: NodeVariant, shuffle: Shuffle): Promise<SampleResult> {
    const { warmRuns } = this.shape
    const request: ReadRequest = { ...shuffle, variant, warmRuns }
    const { signal } = this
    return askFreshProcess('the measured client', join(__dirname, 'read-child.js'), request, { signal })
  }

  private async readJava(shuffle: Shuffle): Promise<SampleResult> {
    if (this.java === null) throw new CelebornError('CELEBORN_INTERNAL', `${JAVA} is left out`)
    const { appId, shuffleId, codec, partitions, lifecycleManager } = shuffle
    const { warmRuns, readBufferBytes, javaHeapMib } = this.shape
    const args = {
      ...{ app: appId, host: lifecycleManager.host, port: lifecycleManager.port, shuffle: shuffleId },
      ...{ partitions, warm: warmRuns, buffer: readBufferBytes, block: BATCH_BYTES },
      ...clientConf(codec, false),
    }
    const text = await this.java.run(
      'the Java client',
      [`-Xmx${javaHeapMib}m`],
      Object.entries(args).map(([name, value]) => `${name}=${value}`),
      this.signal,
    )
    return JSON.parse(text) as SampleResult
  }
}

function verify(variant: Variant, sample: SampleResult, written: Written): void {
  for (const [what, read, wanted] of [
    ['bytes', sample.bytes, written.bytes],
    ['sum of bytes', sample.sum, written.sum],
    ['checksum', sample.checksum, written.checksum],
  ] as const) {
    if (read === wanted) continue
    throw new CelebornError(
      'CELEBORN_CORRUPT_DATA',
      `${variant} did not read what was written: ${what} ${read} instead of ${wanted}`,
    )
  }
}

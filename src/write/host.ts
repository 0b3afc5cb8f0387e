import { type CelebornConf } from '../conf'
import { type CelebornError } from '../errors'
import { type PushSource } from '../push/payload'
import { type MapAttempt, type PushEncoding, type PushReceipt, type PushTarget } from '../push/types'
import { type BufferPool } from './buffer-pool'

/**
 * What writers need of their client.
 * @internal
 */
export interface WriterHost {
  readonly conf: CelebornConf
  /** The push buffers of all writers of the client. */
  readonly buffers: BufferPool
  push(
    target: PushTarget,
    source: PushSource,
    encoding: PushEncoding,
    signal: AbortSignal | undefined,
    merged: boolean,
  ): Promise<PushReceipt>
  /** Sends all that is gathered, of whatever attempt. */
  flushMerged(): void
  /** Calls for an idle task begin (1) and cease (-1) to wait: what is gathered meanwhile does not wait for more. */
  taskWanted(change: 1 | -1): void
  mapperEnd(of: MapAttempt): Promise<void>
  cleanup(of: MapAttempt): Promise<void>
  /** Gives an attempt to one writer. @returns bytes of its batches as encoded, so far */
  claim(of: MapAttempt, onFailure: (error: CelebornError) => void): () => number
}

/** A client that writers can be made for: a {@link import('../client').ShuffleClient}. */
export interface WriterClient {
  /** @internal */
  readonly writerHost: WriterHost
}

import { type CelebornError } from '../errors'
import { type Connection, type GatherWriter, nextRequestId, type PendingRequest } from '../network'
import { BATCH_HEADER_BYTES, writeBatchHeader } from '../protocol/batch'
import { pushMergedDataHeaderLength, PushMode, writePushMergedDataHeader } from '../protocol/framing'
import { type Charge } from './admission'
import { type PushBatch } from './batch'
import { type PlacedPartition } from './partition'

/** One batch of a merged push, and the location it goes to. */
export interface MergedPart {
  readonly batch: PushBatch
  readonly place: PlacedPartition
}

/** What the answers of a merged push are for. */
export interface MergedRequestHandler {
  answeredMerged(request: MergedRequest, body: Uint8Array): void
  refusedMerged(request: MergedRequest, message: string): void
  unansweredMerged(request: MergedRequest, error: CelebornError): void
}

/**
 * One PUSH_MERGED_DATA: batches of one map attempt for partitions with the same primary and replica, sent as one
 * gather write. Each batch keeps its own memory and its own references; the request holds one of each until the
 * socket no longer reads them.
 */
export class MergedRequest implements PendingRequest {
  readonly requestId = nextRequestId()
  readonly byteLength: number
  private readonly bodyBytes: number
  private readonly offsets: number[] = []

  constructor(
    readonly parts: readonly MergedPart[],
    /** The one request that all of them take. */
    readonly charge: Charge,
    readonly connection: Connection,
    readonly timeoutMs: number,
    private readonly handler: MergedRequestHandler,
  ) {
    let body = 0
    for (const { batch } of parts) {
      batch.retain()
      this.offsets.push(body)
      body += BATCH_HEADER_BYTES + batch.blockHeader.length + batch.payload.byteLength
    }
    this.bodyBytes = body
    this.byteLength = body + 64 * parts.length
  }

  encode(writer: GatherWriter): void {
    const uniqueIds = this.parts.map(({ place }) => place.uniqueId)
    const shuffleKey = (this.parts[0] as MergedPart).place.shuffleKey
    const at = writer.reserve(pushMergedDataHeaderLength(shuffleKey.length, uniqueIds))
    writePushMergedDataHeader(
      writer.buffer,
      at,
      this.requestId,
      PushMode.PRIMARY,
      shuffleKey,
      uniqueIds,
      this.offsets,
      this.bodyBytes,
    )
    for (const { batch } of this.parts) {
      const { attempt, blockHeader, payload } = batch
      const head = writer.reserve(BATCH_HEADER_BYTES + blockHeader.length)
      const size = blockHeader.length + payload.byteLength
      const next = writeBatchHeader(
        writer.buffer,
        head,
        attempt.mapId,
        attempt.attemptId,
        batch.batchId,
        size,
      )
      writer.buffer.set(blockHeader, next)
      writer.append(payload)
    }
  }

  writeStarted(): void {}

  writeEnded(): void {
    for (const { batch } of this.parts) batch.unref()
  }

  onResponse(body: Uint8Array): void {
    this.handler.answeredMerged(this, body)
  }

  onRpcFailure(message: string): void {
    this.handler.refusedMerged(this, message)
  }

  onError(error: CelebornError): void {
    this.handler.unansweredMerged(this, error)
  }
}

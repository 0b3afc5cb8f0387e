import { type CelebornError } from '../errors'
import { type Connection, type GatherWriter, nextRequestId, type PendingRequest } from '../network'
import { BATCH_HEADER_BYTES, writeBatchHeader } from '../protocol/batch'
import { pushDataHeaderLength, PushMode, writePushDataHeader } from '../protocol/framing'
import { type PushBatch } from './batch'
import { type PlacedPartition } from './partition'

/** What the answers of a request are for. */
export interface PushRequestHandler {
  answered(request: PushRequest, body: Uint8Array): void
  refused(request: PushRequest, message: string): void
  unanswered(request: PushRequest, error: CelebornError): void
}

/**
 * One PUSH_DATA of one batch to one location. It holds a reference to the batch from the moment a connection has it
 * until the socket no longer reads the payload; a retry is another request.
 */
export class PushRequest implements PendingRequest {
  readonly requestId = nextRequestId()

  constructor(
    readonly batch: PushBatch,
    /** Where it goes; its epoch is the one a failure is reported for. */
    readonly place: PlacedPartition,
    /** The connection that has it. */
    readonly connection: Connection,
    readonly timeoutMs: number,
    private readonly handler: PushRequestHandler,
  ) {
    batch.retain()
  }

  get byteLength(): number {
    return this.headLength + this.batch.payload.byteLength
  }

  encode(writer: GatherWriter): void {
    const { batch, place } = this
    const payload = batch.payload
    const size = batch.blockHeader.length + payload.byteLength
    let at = writer.reserve(this.headLength)
    const buffer = writer.buffer
    at = writePushDataHeader(
      buffer,
      at,
      this.requestId,
      PushMode.PRIMARY,
      place.shuffleKey,
      place.uniqueId,
      BATCH_HEADER_BYTES + size,
    )
    at = writeBatchHeader(buffer, at, batch.attempt.mapId, batch.attempt.attemptId, batch.batchId, size)
    buffer.set(batch.blockHeader, at)
    writer.append(payload)
  }

  writeStarted(): void {}

  writeEnded(): void {
    this.batch.unref()
  }

  onResponse(body: Uint8Array): void {
    this.handler.answered(this, body)
  }

  onRpcFailure(message: string): void {
    this.handler.refused(this, message)
  }

  onError(error: CelebornError): void {
    this.handler.unanswered(this, error)
  }

  private get headLength(): number {
    return (
      pushDataHeaderLength(this.place.shuffleKey.length, this.place.uniqueId.length) +
      BATCH_HEADER_BYTES +
      this.batch.blockHeader.length
    )
  }
}

import { type Codec, type EncodedBlock } from '../compress'
import { MAX_BLOCK_SOURCE } from '../compress/block'
import { type BatchSum } from '../protocol/integrity'
import { type PushBatch } from './batch'
import { BlockPayload, type Payload, type PushSource } from './payload'
import { type PushEncoding } from './types'

/**
 * Gives an admitted batch its memory: the source's own, uncopied, or what the codec made of it. A source that the
 * codec's output replaces is released here, with reason `encoded`. What it throws leaves the batch with whatever it
 * owned by then, to be freed as any other failed batch's memory.
 *
 * @param sum counts the bytes as they are before encoding; null where nobody compares them
 */
export function encodeBatch(
  batch: PushBatch,
  source: PushSource,
  encoding: PushEncoding,
  codec: Codec,
  sum: BatchSum | null = null,
): void {
  if (codec.name === 'NONE' || encoding === 'encoded') {
    const payload = source.own()
    batch.setPayload(payload)
    // What others have encoded is decoded for its sum.
    sum?.add(codec.decodeReadOnly(payload.bytes, MAX_BLOCK_SOURCE))
    return
  }
  if (encoding === 'compress' && source.consumedByEncoding) {
    sum?.add(source.read())
    const block = codec.encode(source.read())
    batch.blockHeader = block.header
    batch.setPayload(block.stored ? source.own() : new BlockPayload(block))
    return
  }
  const payload = source.own()
  if (encoding === 'stored') {
    batch.setPayload(payload)
    sum?.add(payload.bytes)
    batch.blockHeader = codec.encodeStored(payload.bytes).header
    return
  }
  // Were the charge lowered to the source's, whoever is admitted then would be above the limit with the output's.
  batch.holdPayload(payload)
  sum?.add(payload.bytes)
  exchange(batch, payload, codec.encode(payload.bytes))
}

/**
 * As {@link encodeBatch} under `compress`, on the thread pool. Takes a reference of the batch, which its caller gives back whatever
 * came: the source stays until then, also when the batch has ended meanwhile.
 * @returns false when the batch has ended meanwhile: then the output is dropped
 */
export async function encodeInThread(
  batch: PushBatch,
  source: PushSource,
  encode: (bytes: Uint8Array) => Promise<EncodedBlock>,
  sum: BatchSum | null,
): Promise<boolean> {
  batch.retain()
  const owned = source.own()
  batch.holdPayload(owned)
  sum?.add(owned.bytes)
  const block = await encode(owned.bytes)
  if (batch.settlement !== null) {
    block.release()
    return false
  }
  exchange(batch, owned, block)
  return true
}

/** What the codec made replaces the source, which is free at once; a stored block is the source itself. */
function exchange(batch: PushBatch, payload: Payload, block: EncodedBlock): void {
  batch.blockHeader = block.header
  batch.setPayload(block.stored ? payload : new BlockPayload(block))
  if (!block.stored) payload.free('encoded')
}

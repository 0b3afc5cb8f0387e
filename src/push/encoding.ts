import { type Codec } from '../compress'
import { type PushBatch } from './batch'
import { BlockPayload, type PushSource } from './payload'
import { type PushEncoding } from './types'

/**
 * Gives an admitted batch its memory: the source's own, uncopied, or what the codec made of it. A source that the
 * codec's output replaces is released here, with reason `encoded`. What it throws leaves the batch with whatever it
 * owned by then, to be freed as any other failed batch's memory.
 */
export function encodeBatch(
  batch: PushBatch,
  source: PushSource,
  encoding: PushEncoding,
  codec: Codec,
): void {
  if (codec.name === 'NONE' || encoding === 'encoded') {
    batch.setPayload(source.own())
    return
  }
  if (encoding === 'compress' && source.consumedByEncoding) {
    const block = codec.encode(source.read())
    batch.blockHeader = block.header
    batch.setPayload(block.stored ? source.own() : new BlockPayload(block))
    return
  }
  const payload = source.own()
  if (encoding === 'stored') {
    batch.setPayload(payload)
    batch.blockHeader = codec.encodeStored(payload.bytes).header
    return
  }
  // Were the charge lowered to the source's, whoever is admitted then would be above the limit with the output's.
  batch.holdPayload(payload)
  const block = codec.encode(payload.bytes)
  batch.blockHeader = block.header
  batch.setPayload(block.stored ? payload : new BlockPayload(block))
  if (!block.stored) payload.free('encoded')
}

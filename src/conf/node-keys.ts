import { bool, oneOf, size } from './entry'
import {
  CLIENT_PUSH_MAX_BYTES_SIZE_IN_FLIGHT_PER_WORKER,
  CLIENT_PUSH_MAX_BYTES_SIZE_IN_FLIGHT_TOTAL,
} from './push-keys'

// This package's own keys, all below celeborn.node.

const MIB = 1024 * 1024

export const NODE_MAX_IN_FLIGHT_BYTES = size(
  'celeborn.node.maxInFlightBytes',
  {
    from: (conf) => conf.get(CLIENT_PUSH_MAX_BYTES_SIZE_IN_FLIGHT_TOTAL) ?? 64 * MIB,
    text: 'value of celeborn.client.push.maxBytesSizeInFlight.total, else 64m',
  },
  { min: 1, doc: 'Bytes in flight of one ShuffleClient, over all its map attempts.' },
)
export const NODE_MAX_IN_FLIGHT_BYTES_PER_WORKER = size(
  'celeborn.node.maxInFlightBytesPerWorker',
  {
    from: (conf) => {
      const total = conf.get(NODE_MAX_IN_FLIGHT_BYTES)
      const half = Math.ceil(total / 2)
      return Math.min(total, conf.get(CLIENT_PUSH_MAX_BYTES_SIZE_IN_FLIGHT_PER_WORKER) ?? half)
    },
    text: 'value of celeborn.client.push.maxBytesSizeInFlight.perWorker, else half of celeborn.node.maxInFlightBytes',
  },
  { min: 1, doc: 'Share of that which one worker may take.' },
)
export const NODE_WRITER_MAX_BYTES = size('celeborn.node.writer.maxBytes', '256m', {
  min: 1,
  doc: 'Native memory of all writers of one ShuffleClient together: buffers that they fill, and those whose pushes are not over.',
})
export const NODE_MAX_READ_BYTES = size('celeborn.node.maxReadBytes', '256m', {
  min: 1,
  doc: 'Native memory of all readers of one ShuffleClient together: chunks that they asked for, or hold. A larger chunk is read alone.',
})
export const NODE_WRITER_COMPRESS_IN_THREADS = bool('celeborn.node.writer.compressInThreads', 'true', {
  doc: 'Writers’ buffers from 16 KiB on are compressed on Node’s thread pool, not on the event loop (LZ4).',
})
export const NODE_RPC_FORM = oneOf('celeborn.node.rpc.form', ['V1', 'V2'], 'V1', {
  doc: 'How control requests are written: V1 is understood by Celeborn 0.5 to 0.7, V2 from 0.6 on.',
})
export const NODE_MAX_FRAME_BYTES = size('celeborn.node.maxFrameBytes', '64m', {
  min: 1,
  max: 0x7fffffff - 1024,
  doc: 'Largest frame that may be pushed, and largest batch that is decoded.',
})
export const NODE_MAX_MESSAGE_BYTES = size('celeborn.node.maxMessageBytes', '256m', {
  min: 1024,
  max: 0x7fffffff,
  doc: 'Largest message body accepted from a peer.',
})

export { ArrowIpcSerializer, type ArrowModule } from './arrow'
export { BufferPool, type BufferPoolStats } from './buffer-pool'
export { createDataPusher } from './create-pusher'
export { createWriter, writerKind } from './create-writer'
export { DataPusher, type DataPusherOptions, type DataPusherStats, type PushSide } from './data-pusher'
export { HashShuffleWriter } from './hash-shuffle-writer'
export { type WriterClient } from './host'
export { type WriterMetrics } from './metrics'
export {
  type Compare,
  type HashKey,
  HashPartitioner,
  partitionBy,
  type Partitioner,
  RangePartitioner,
} from './partitioner'
export { PushBuffer } from './push-buffer'
export { type Piece, PushTask } from './push-task'
export {
  LengthPrefixedSerializer,
  NdjsonSerializer,
  RawBytesSerializer,
  readLengthPrefixed,
  readNdjson,
  type Serializer,
} from './serializer'
export { ShuffleWriter, type ShuffleWriterOptions } from './shuffle-writer'
export { SortShuffleWriter } from './sort-shuffle-writer'

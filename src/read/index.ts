export { PartitionReader, type ReaderStats, type ReadOptions } from './partition-reader'

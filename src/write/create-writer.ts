import { type CelebornConf } from '../conf'
import * as keys from '../conf/keys'
import { HashShuffleWriter } from './hash-shuffle-writer'
import { type WriterClient } from './host'
import { type ShuffleWriter, type ShuffleWriterOptions } from './shuffle-writer'
import { SortShuffleWriter } from './sort-shuffle-writer'

/**
 * The writer that the configuration asks for: `celeborn.client.spark.shuffle.writer`, or, with
 * `celeborn.client.spark.push.dynamicWriteMode.enabled`, the sort writer above so many partitions and the hash writer otherwise.
 */
export function writerKind(conf: CelebornConf, numPartitions: number): 'HASH' | 'SORT' {
  if (!conf.get(keys.CLIENT_SPARK_PUSH_DYNAMIC_WRITE_MODE_ENABLED))
    return conf.get(keys.CLIENT_SPARK_SHUFFLE_WRITER)
  const threshold = conf.get(keys.CLIENT_SPARK_PUSH_DYNAMIC_WRITE_MODE_PARTITION_NUM_THRESHOLD)
  return numPartitions > threshold ? 'SORT' : 'HASH'
}

/** A {@link ShuffleWriter} of the kind that the configuration asks for ({@link writerKind}). @throws as its constructor */
export function createWriter<T, K = T>(
  client: WriterClient,
  options: ShuffleWriterOptions<T, K>,
): ShuffleWriter<T, K> {
  const kind = writerKind(client.writerHost.conf, options.attempt.numPartitions)
  return kind === 'SORT' ? new SortShuffleWriter(client, options) : new HashShuffleWriter(client, options)
}

import * as keys from '../conf/keys'
import { throwIfAborted } from '../errors/abort'
import { type MapAttempt } from '../push/types'
import { AttemptSide } from './attempt-side'
import { DataPusher } from './data-pusher'
import { type WriterClient } from './host'

/**
 * A {@link DataPusher} of one map task attempt, for callers that fill push buffers themselves. The attempt is this pusher's alone.
 * To end it: `waitOnTermination`, then the client's `mapperEnd` (or `cleanup` to give it up).
 * @throws ConfigError when the attempt has a writer or pusher already; AbortedError when the signal has fired
 */
export function createDataPusher(
  client: WriterClient,
  attempt: MapAttempt,
  options: { readonly signal?: AbortSignal } = {},
): DataPusher {
  const { signal } = options
  throwIfAborted(signal)
  const host = client.writerHost
  const { conf, buffers } = host
  // Claimed last but heard of first: a failure comes at a push, which needs the pusher.
  const pusher: DataPusher = new DataPusher({
    side: new AttemptSide(host, attempt, signal),
    buffers,
    capacity: conf.get(keys.CLIENT_PUSH_QUEUE_CAPACITY),
    bufferBytes: conf.get(keys.CLIENT_PUSH_BUFFER_MAX_SIZE),
    signal,
  })
  host.claim(attempt, (error) => pusher.fail(error))
  return pusher
}

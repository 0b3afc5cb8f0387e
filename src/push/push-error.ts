import { CelebornError } from '../errors'
import { partitionUniqueId } from '../protocol/ids'
import { type PushBatch } from './batch'
import { type PlacedPartition } from './partition'

/** The error of a batch that failed for good: what, where, and every try. */
export function pushError(
  batch: PushBatch,
  place: PlacedPartition | null,
  cause: CelebornError,
): CelebornError {
  const { attempt, batchId, partitionId } = batch
  const { shuffleId, mapId, attemptId } = attempt
  const history = batch.history ?? [cause.message]
  const tries = history.length === 1 ? 'in 1 try' : `in ${history.length} tries`
  return new CelebornError(
    'CELEBORN_PUSH_FAILED',
    `batch ${batchId} of partition ${partitionId} of ${attempt.name} could not be delivered ${tries}: ` +
      withoutRepeats(history).join('; then '),
    {
      shuffleId,
      mapId,
      attemptId,
      partitionId,
      batchId,
      hostPort: place?.hostPort ?? cause.context.hostPort,
      location: place === null ? undefined : partitionUniqueId(place.location.id, place.location.epoch),
      attempts: history,
      peerMessage: cause.context.peerMessage,
    },
    cause,
  )
}

/** The same line several times in a row is said once; all of them are in the error's context. */
function withoutRepeats(lines: readonly string[]): string[] {
  const said: string[] = []
  for (let i = 0; i < lines.length; ) {
    let end = i + 1
    while (end < lines.length && lines[end] === lines[i]) end++
    said.push(end - i === 1 ? `${lines[i]}` : `${lines[i]} (${end - i} times)`)
    i = end
  }
  return said
}

import { SplitMode } from '../../protocol/messages'
import { StatusCode, statusName } from '../../protocol/status'
import type { OpenPartition, ShuffleState } from './shuffle-state'

/** What a worker does with the batches for one location. */
export type PushDecision =
  /** Take them; with `softSplit` the client shall get a new location for later ones. */
  | { readonly kind: 'write'; readonly partition: OpenPartition; readonly softSplit: boolean }
  /** Not taken: they must go to a new location. */
  | { readonly kind: 'hard-split' }
  /** Not needed: another attempt of the map task has won. */
  | { readonly kind: 'map-ended' }
  /** The text of the failure, beginning with the status that clients look for. */
  | { readonly kind: 'failure'; readonly text: string }

export interface PushRules {
  readonly splitEnabled: boolean
  /** Smaller files are not split because the disk is full. */
  readonly splitMin: number
  /** Bytes from which on a file is split hard even in soft mode. */
  readonly splitMax: number
  readonly diskFull: boolean
  /** The worker is about to stop. */
  readonly shuttingDown: boolean
}

const HARD_SPLIT: PushDecision = { kind: 'hard-split' }
const MAP_ENDED: PushDecision = { kind: 'map-ended' }

/** Celeborn's rules for a push, in their order. `merged`: the batches are part of a PUSH_MERGED_DATA. */
export function decidePush(
  state: ShuffleState | undefined,
  mode: 0 | 1,
  uniqueId: string,
  mapId: number,
  merged: boolean,
  rules: PushRules,
): PushDecision {
  const partition = state?.open[mode].get(uniqueId)
  if (partition === undefined) return unknownLocation(state, mapId)
  if (rules.shuttingDown) return HARD_SPLIT
  const { writer } = partition
  // A removed partition has an error too, but it is closed first of all.
  if (writer.closed) return merged ? HARD_SPLIT : { kind: 'failure', text: 'File already closed!' }
  if (writer.error !== undefined) return { kind: 'failure', text: writeFailure(mode, writer.error) }
  if (rules.splitEnabled && rules.diskFull && writer.length > rules.splitMin) return HARD_SPLIT
  const options = state?.options
  if (options === undefined || mode !== 0 || !rules.splitEnabled || writer.length <= options.splitThreshold) {
    return { kind: 'write', partition, softSplit: false }
  }
  return options.splitMode === SplitMode.SOFT && writer.length < rules.splitMax
    ? { kind: 'write', partition, softSplit: true }
    : HARD_SPLIT
}

/** A location that was committed or never reserved here. */
function unknownLocation(state: ShuffleState | undefined, mapId: number): PushDecision {
  const attempts = state?.mapAttempts
  if (attempts !== undefined) {
    // Committed for good, or because of a split while its map tasks were still running.
    return (attempts[mapId] ?? -1) === -1 ? HARD_SPLIT : MAP_ENDED
  }
  if (state !== undefined && state.files.size > 0) return HARD_SPLIT
  return { kind: 'failure', text: statusName(StatusCode.PUSH_DATA_FAIL_PARTITION_NOT_FOUND) }
}

/** Text of a failure to write. */
export function writeFailure(mode: 0 | 1, error: Error): string {
  const status =
    mode === 0 ? StatusCode.PUSH_DATA_WRITE_FAIL_PRIMARY : StatusCode.PUSH_DATA_WRITE_FAIL_REPLICA
  return `${statusName(status)}: ${error.message}`
}

/** Text of a failure that has nothing to do with the worker's state. */
export function nonCriticalFailure(mode: 0 | 1, error: Error): string {
  const status =
    mode === 0
      ? StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY
      : StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_REPLICA
  return `${statusName(status)}: ${error.message}`
}

import { ProtocolError } from '../errors'
import { ControlMessageType } from './control-message-type'
import {
  decodePushMergedDataSplitPartitionInfo,
  encodePushMergedDataSplitPartitionInfo,
} from './messages/fetch'
import { StatusCode } from './status'
import { decodeBare, encodeBare } from './transport-message'

/** What a worker's answer to a PUSH_DATA means for its batch. */
export interface PushAnswer {
  readonly kind: PushAnswerKind
  /** The status byte; 0 for an empty answer. */
  readonly status: number
}

/**
 * - `success`: written.
 * - `congested`: written, but the primary or replica wants a slower client.
 * - `soft-split`: written; the partition wants a new location for later batches.
 * - `hard-split`: not written; must go to a new location.
 * - `map-ended`: another attempt of this map task has won; not needed.
 * - `stage-ended`: the stage is over; not needed.
 * - `unknown`: a byte that means nothing here. A failure, to be tried again: readers drop duplicates.
 */
export type PushAnswerKind =
  | 'success'
  | 'congested'
  | 'soft-split'
  | 'hard-split'
  | 'map-ended'
  | 'stage-ended'
  | 'unknown'

/** What a worker's answer to a PUSH_MERGED_DATA means for its batches. */
export interface PushMergedAnswer {
  /** `split` when it differs from batch to batch: see the two lists; batches in neither were written. */
  readonly kind: 'success' | 'congested' | 'split' | 'map-ended' | 'stage-ended' | 'unknown'
  readonly status: number
  /** Indexes of batches that were not written and must go to a new location; ascending. */
  readonly hardSplit: readonly number[]
  /** Indexes of batches that were written but whose partition wants a new location; ascending. */
  readonly softSplit: readonly number[]
}

const KINDS = new Map<number, PushAnswerKind>([
  [StatusCode.SUCCESS, 'success'],
  [StatusCode.MAP_ENDED, 'map-ended'],
  [StatusCode.STAGE_ENDED, 'stage-ended'],
  [StatusCode.HARD_SPLIT, 'hard-split'],
  [StatusCode.SOFT_SPLIT, 'soft-split'],
  [StatusCode.PUSH_DATA_SUCCESS_PRIMARY_CONGESTED, 'congested'],
  [StatusCode.PUSH_DATA_SUCCESS_REPLICA_CONGESTED, 'congested'],
])

// One answer for each byte, made once: this runs for every acknowledgement.
const ANSWERS: readonly PushAnswer[] = Array.from({ length: 256 }, (_, status) =>
  Object.freeze({ kind: KINDS.get(status) ?? ('unknown' as const), status }),
)
const SUCCESS: PushAnswer = { kind: 'success', status: StatusCode.SUCCESS }

/**
 * Classifies the body of an answer to a PUSH_DATA: by its first byte, an empty one being success. Does not
 * allocate. A byte that means nothing is `unknown`, a failure, although Java takes it for success: trying
 * again costs a duplicate that readers drop, taking it for success may cost data.
 */
export function classifyPushData(body: Uint8Array): PushAnswer {
  return body.length === 0 ? SUCCESS : (ANSWERS[body[0] as number] ?? SUCCESS)
}

const NO_INDEXES: readonly number[] = Object.freeze([])

/**
 * Classifies the body of an answer to a PUSH_MERGED_DATA of `batchCount` batches. Throws a ProtocolError when
 * what follows the status byte makes no sense.
 */
export function classifyPushMerged(body: Uint8Array, batchCount: number): PushMergedAnswer {
  const { kind, status } = classifyPushData(body)
  if (kind !== 'hard-split' && kind !== 'soft-split') {
    return { kind, status, hardSplit: NO_INDEXES, softSplit: NO_INDEXES }
  }
  if (body.length > 1) return splitAnswer(body, status, batchCount)
  // A 0.5 worker does not say which batches: on a hard split it has written none of them, on a soft one all,
  // and names no partition that would need a new location.
  const hardSplit =
    kind === 'hard-split' ? Array.from({ length: batchCount }, (_, index) => index) : NO_INDEXES
  return { kind: 'split', status, hardSplit, softSplit: NO_INDEXES }
}

function splitAnswer(body: Uint8Array, status: number, batchCount: number): PushMergedAnswer {
  const { type, payload } = decodeBare(body.subarray(1))
  if (type !== ControlMessageType.PUSH_MERGED_DATA_SPLIT_PARTITION_INFO) {
    throw new ProtocolError(`a split answer that carries message type ${type}`)
  }
  const { splitPartitionIndexes, statusCodes } = decodePushMergedDataSplitPartitionInfo(payload)
  const hardSplit = new Set<number>()
  const softSplit = new Set<number>()
  splitPartitionIndexes.forEach((index, i) => {
    if (index < 0 || index >= batchCount) {
      throw new ProtocolError(`a split answer about batch ${index} of ${batchCount}`)
    }
    // Any other code is no promise that the batch was written.
    if (statusCodes[i] === StatusCode.SOFT_SPLIT) softSplit.add(index)
    else hardSplit.add(index)
  })
  for (const index of hardSplit) softSplit.delete(index)
  return { kind: 'split', status, hardSplit: ascending(hardSplit), softSplit: ascending(softSplit) }
}

function ascending(indexes: Set<number>): number[] {
  return [...indexes].sort((a, b) => a - b)
}

/** Encodes a worker's answer of one status byte. */
export function encodePushAnswer(status: StatusCode): Buffer {
  return Buffer.from([status])
}

/** Encodes the answer of a worker that has split some partitions of a PUSH_MERGED_DATA. */
export function encodePushMergedSplit(hardSplit: readonly number[], softSplit: readonly number[]): Buffer {
  const info = encodePushMergedDataSplitPartitionInfo({
    splitPartitionIndexes: [...hardSplit, ...softSplit],
    statusCodes: [
      ...hardSplit.map(() => StatusCode.HARD_SPLIT),
      ...softSplit.map(() => StatusCode.SOFT_SPLIT),
    ],
  })
  return Buffer.concat([
    encodePushAnswer(hardSplit.length > 0 ? StatusCode.HARD_SPLIT : StatusCode.SOFT_SPLIT),
    encodeBare(ControlMessageType.PUSH_MERGED_DATA_SPLIT_PARTITION_INFO, info),
  ])
}

/** Failure texts by which a worker names the cause, in Celeborn's order; a text begins with one of them. */
const CAUSES = [
  'PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_REPLICA',
  'PUSH_DATA_WRITE_FAIL_REPLICA',
  'PUSH_DATA_WRITE_FAIL_PRIMARY',
  'PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY',
  'PUSH_DATA_CREATE_CONNECTION_FAIL_REPLICA',
  'PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY',
  'PUSH_DATA_CONNECTION_EXCEPTION_REPLICA',
  'PUSH_DATA_TIMEOUT_PRIMARY',
  'PUSH_DATA_TIMEOUT_REPLICA',
  'REPLICATE_DATA_FAILED',
  'PUSH_DATA_PRIMARY_WORKER_EXCLUDED',
  'PUSH_DATA_REPLICA_WORKER_EXCLUDED',
  'PUSH_DATA_FAIL_PARTITION_NOT_FOUND',
] as const satisfies readonly (keyof typeof StatusCode)[]

const CONNECTION_LOST = [
  /^Connection from .* closed/,
  /^Connection reset by peer/,
  /^Failed to send request /,
]

/** The cause that a client derives from the text of a push's RPC_FAILURE, and reports when it revives. */
export function causeOfFailure(text: string | null | undefined): StatusCode {
  if (text !== null && text !== undefined) {
    for (const name of CAUSES) if (text.startsWith(name)) return StatusCode[name]
    if (CONNECTION_LOST.some((pattern) => pattern.test(text))) {
      return StatusCode.PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY
    }
  }
  return StatusCode.PUSH_DATA_FAIL_NON_CRITICAL_CAUSE_PRIMARY
}

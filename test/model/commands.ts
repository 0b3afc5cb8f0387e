/**
 * Programs of the model test, as plain data: they are made and shrunk by fast-check, and printed when they fail.
 * Numbers that choose among things are taken modulo the number of things there are.
 */

/** What a worker answers to a push. */
export type AnswerKind =
  | 'ack'
  | 'soft-split'
  | 'hard-split'
  /** Merged pushes: each batch by itself; others: one of the splits. */
  | 'split'
  | 'congested'
  | 'replica-congested'
  | 'map-ended'
  | 'stage-ended'
  | 'unknown-status'
  | 'failure'
  /** Bytes that make no sense in the place of an answer. */
  | 'malformed'
  /** Bytes that are no message at all. */
  | 'garbage'
  | 'silent'
  /** After the client has given up. */
  | 'late'
  /** When the program says so, in an order of its own. */
  | 'held'
  | 'twice'
  /** Before the body has been read, which then waits. */
  | 'early'
  /** In place of an answer the connection is reset. */
  | 'reset'
  /** In place of an answer the connection is ended in good order. */
  | 'end'

export interface Answer {
  readonly kind: AnswerKind
  readonly arg: number
  /** Whether the batch was written although the answer does not say so. */
  readonly wrote: boolean
}

/** What the LifecycleManager answers when it is asked for new locations. */
export type ReviveKind =
  | 'next'
  | 'other'
  | 'dead'
  | 'same'
  /** A location that the client knows to be old; it keeps the newer one. */
  | 'older'
  | 'refused'
  | 'omitted'
  | 'slow'
  | 'error'
  | 'silent'
  | 'stage-ended'

export interface ReviveAnswer {
  readonly kind: ReviveKind
  readonly arg: number
}

/** What it answers to a registration or to the report of an attempt's end. */
export type ReportKind = 'success' | 'refused' | 'slow' | 'error' | 'silent'

export type How = 'frame' | 'buffer' | 'data'
export type Encoding = 'compress' | 'stored' | 'encoded'
/** What an onRelease callback does. */
export type CallbackKind = 'plain' | 'throws' | 'pushes' | 'cleans'

export type BadCall = 'partition' | 'map' | 'attempt' | 'numbers' | 'size' | 'signal'

export type Action =
  | { readonly do: 'acquire'; readonly size: number; readonly waits: boolean; readonly signal: number }
  | { readonly do: 'encode'; readonly frame: number; readonly length: number; readonly block: boolean }
  | { readonly do: 'trim'; readonly frame: number; readonly permille: number }
  | { readonly do: 'release'; readonly frame: number }
  | { readonly do: 'forget'; readonly frame: number }
  | { readonly do: 'touch'; readonly frame: number; readonly how: 'bytes' | 'trim' | 'release' | 'push' }
  | {
      readonly do: 'push'
      readonly how: How
      readonly merge: boolean
      readonly attempt: number
      readonly partition: number
      readonly encoding: Encoding
      readonly size: number
      /** Frames: one that is there already, if there is one. */
      readonly reuse: boolean
      /** 0: none; others share their signals. */
      readonly signal: number
      readonly callback: CallbackKind
    }
  | { readonly do: 'push-bad'; readonly how: How; readonly what: BadCall }
  | { readonly do: 'push-merged'; readonly attempt: number }
  | { readonly do: 'fire'; readonly signal: number }
  | { readonly do: 'settle'; readonly attempt: number }
  | { readonly do: 'quiesce' }
  | { readonly do: 'answers'; readonly worker: number; readonly answers: readonly Answer[] }
  | { readonly do: 'held'; readonly worker: number; readonly order: 'first' | 'last' | 'all' }
  | { readonly do: 'stall'; readonly worker: number }
  | { readonly do: 'resume'; readonly worker: number }
  | { readonly do: 'reset'; readonly worker: number; readonly afterBytes: number }
  | { readonly do: 'refuse'; readonly worker: number; readonly count: number }
  | {
      readonly do: 'noise'
      readonly worker: number
      readonly what: 'heartbeat' | 'unknown-answer' | 'duplicate-answer' | 'request' | 'garbage'
      readonly pieces: number
    }
  | { readonly do: 'revives'; readonly answers: readonly ReviveAnswer[] }
  | { readonly do: 'reports'; readonly answers: readonly ReportKind[] }
  | { readonly do: 'foreign'; readonly map: number }
  | { readonly do: 'abort'; readonly attempt: number }
  | { readonly do: 'end'; readonly attempt: number }
  | { readonly do: 'forget-shuffle' }
  | { readonly do: 'close' }
  | { readonly do: 'gc'; readonly full: boolean }
  | { readonly do: 'pause'; readonly ms: number }

/** A step: what is done, and how many turns of the event loop pass before the next one; below 0, promises only. */
export interface Step {
  readonly action: Action
  readonly turns: number
}

export interface Scenario {
  readonly workers: number
  readonly maps: number
  readonly attempts: number
  readonly partitions: number
  /** Partitions whose location the registration leaves out. */
  readonly unplaced: boolean
  readonly registrations: readonly ReportKind[]
  readonly codec: 'NONE' | 'LZ4'
  readonly maxBytes: number
  readonly maxBytesPerWorker: number
  readonly maxRequests: number
  readonly maxRequestsPerWorker: number
  readonly admissionTimeoutMs: number
  readonly pushTimeoutMs: number
  readonly maxRetries: number
  readonly mergeBytes: number
  readonly slowStart: boolean
  readonly exclude: boolean
  readonly connectionsPerPeer: number
  readonly rpcForm: 'V1' | 'V2'
  readonly poolBytes: number
  /** A pool of the program's own, not the client's. */
  readonly foreignPool: boolean
  /** Behave as where external buffers are forbidden; only with a foreign pool. */
  readonly copied: boolean
  /** Megabytes instead of kilobytes, so that writes stay under way. */
  readonly big: boolean
  /** What becomes of each attempt that the steps have not ended, by its number. */
  readonly endings: readonly ('end' | 'abort' | 'leave')[]
}

export interface Program {
  readonly scenario: Scenario
  readonly steps: readonly Step[]
}

/** A program as text, one line per step, for the report of a failure. */
export function programText(program: Program): string {
  const steps = program.steps.map(
    ({ action, turns }, i) => `  ${String(i + 1).padStart(3)} ${JSON.stringify(action)} turns ${turns}`,
  )
  return `  scenario ${JSON.stringify(program.scenario)}\n${steps.join('\n')}`
}

import { type CelebornError } from '../../src/errors'
import { type FrameState, type NativeFrame } from '../../src/memory/native-frame'
import { type DropReason, type MapAttempt, type PushReceipt, type PushSettlement } from '../../src/push/types'
import { type CallbackKind, type Encoding, type How } from './commands'

/** Whose a frame is, as the model has it; `lent` while a push waits. */
export type ModelFrameState = 'writer' | 'lent' | 'client' | 'released'

/** What was written into memory: the first `length` bytes of a content, or a codec's block of them. */
export interface Written {
  readonly contentId: number
  readonly length: number
  readonly block: boolean
}

/** A frame that the program holds. */
export class ModelFrame {
  state: ModelFrameState = 'writer'
  written: Written | null = null
  /** A view taken while it was the writer's; must drop to length 0 at the release. */
  view: Uint8Array | null = null

  constructor(
    readonly id: number,
    readonly frame: NativeFrame,
  ) {}

  get actual(): FrameState {
    return this.frame.state
  }
}

/** One call of `push…` or `merge…`, from the call to its last consequence. */
export class ModelPush {
  state: 'calling' | 'admitted' | 'rejected' = 'calling'
  receipt: PushReceipt | null = null
  settlement: PushSettlement | null = null
  error: CelebornError | null = null
  /** Reasons given to onRelease, in order. */
  readonly releases: string[] = []
  readonly calledAtMs = performance.now()
  rejectedAtMs = 0
  /** The frame was not the writer's at the call. */
  frameTaken = false
  /** The codec's output replaces the caller's memory at admission; bytes that the output holds. */
  outputBytes = 0
  /** The most that admission may charge. */
  mostBytes = 0
  /** Its end was held against what may become of it. */
  judged = false
  /** For `pushData` when the bytes are copied into a lease. */
  copies = false

  constructor(
    readonly index: number,
    readonly how: How,
    readonly merged: boolean,
    readonly attempt: ModelAttempt,
    readonly partitionId: number,
    readonly encoding: Encoding,
    readonly written: Written,
    /** Payload bytes given to the push. */
    readonly length: number,
    readonly frame: ModelFrame | null,
    readonly signal: AbortSignal | undefined,
    readonly callback: CallbackKind,
  ) {}

  get batchId(): number {
    return this.receipt?.batchId ?? 0
  }

  /** Admitted, and sent or to be sent: not empty, and not dropped on the way in. */
  get isBatch(): boolean {
    return this.state === 'admitted' && this.length > 0 && this.onWire
  }

  /** False for a receipt of a push to an attempt that had ended. */
  onWire = true

  get name(): string {
    const { attempt, merged, how, partitionId } = this
    const batch = this.receipt === null ? '' : ` batch ${this.batchId}`
    return `push ${this.index} (${merged ? 'merge' : 'push'} ${how}, ${attempt.name}, partition ${partitionId}${batch})`
  }
}

/** One map task attempt. */
export class ModelAttempt {
  readonly pushes: ModelPush[] = []
  readonly byBatchId = new Map<number, ModelPush>()
  /** Errors of failed batches, and of a failed report. */
  readonly failures = new Set<unknown>()
  /** What it was told, by workers or the LifecycleManager, that makes dropping its batches right. */
  readonly mayDrop = new Set<DropReason>()
  aborted = false
  /** Calls of mapperEnd and cleanup that have not come back. */
  readonly waits = new Set<string>()
  endCalled = false
  endResolved = false
  readonly endErrors = new Set<unknown>()
  /** Nothing was in flight for a moment after that: a report may have left then, whatever was pushed since. */
  wasQuiet = false
  /** It was aborted before a report could have left. */
  reportForbidden = false
  /** The LifecycleManager accepted its report. */
  reported = false

  constructor(
    readonly index: number,
    readonly target: MapAttempt,
  ) {}

  get name(): string {
    return `attempt ${this.target.mapId}/${this.target.attemptId}`
  }

  get quiet(): boolean {
    return this.unsettled.length === 0 && this.waiting.length === 0
  }

  get waiting(): ModelPush[] {
    return this.pushes.filter((push) => push.state === 'calling')
  }

  get unsettled(): ModelPush[] {
    return this.pushes.filter((push) => push.state === 'admitted' && push.settlement === null)
  }
}

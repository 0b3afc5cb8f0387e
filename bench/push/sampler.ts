import { join } from 'node:path'
import { type NativePrograms } from '../lib/compiler'
import { askFreshProcess, output } from '../lib/processes'
import { ALLOCATION_NODE_OPTIONS } from '../lib/allocations'
import {
  type ClientRequest,
  type Limits,
  type PushLocation,
  type SampleResult,
  type Variant,
  WARM_RUNS,
} from './messages'
import { type PushTargetProcesses } from './target'

/** The floor needs no other warming up. */
const RUNS = WARM_RUNS + 1

export interface SampleRequest {
  readonly variant: Variant
  readonly batchBytes: number
  readonly batches: number
  readonly limits: Limits
  readonly measureAllocations: boolean
}

/** Takes samples, each in a fresh process and with a shuffle of its own, which is unregistered afterwards. */
export class Sampler {
  #shuffleId = 0

  constructor(
    private readonly target: PushTargetProcesses,
    private readonly programs: NativePrograms,
    private readonly signal: AbortSignal,
  ) {}

  async sample(request: SampleRequest): Promise<SampleResult> {
    this.signal.throwIfAborted()
    const { variant } = request
    if (variant === 'producer') return this.client({ ...request, variant }, 0)
    const shuffleId = this.#shuffleId++
    const location = await this.target.register(shuffleId)
    try {
      return await this.target.expectArrival(() =>
        variant === 'floor' ? this.floor(request, location) : this.client({ ...request, variant }, shuffleId),
      )
    } finally {
      await this.target.unregister(shuffleId)
    }
  }

  private async client(
    request: SampleRequest & { readonly variant: ClientRequest['variant'] },
    shuffleId: number,
  ): Promise<SampleResult> {
    const { appId, lifecycleManager } = this.target
    const question: ClientRequest = { ...request, appId, shuffleId, lifecycleManager }
    return askFreshProcess('the measured client', join(__dirname, 'client-child.js'), question, {
      signal: this.signal,
      execArgv: request.measureAllocations ? ALLOCATION_NODE_OPTIONS : [],
    })
  }

  private async floor(request: SampleRequest, location: PushLocation): Promise<SampleResult> {
    const { batchBytes, batches, limits } = request
    const numbers = [batchBytes, batches, limits.maxRequests, limits.maxBytes, RUNS]
    const text = await output('the floor', await this.programs.path('floor'), [
      location.host,
      String(location.port),
      location.shuffleKey,
      location.uniqueId,
      ...numbers.map(String),
    ])
    const result = JSON.parse(text) as FloorResult
    return {
      pushedBytes: RUNS * batches * batchBytes,
      wallMs: result.wallMs,
      cpuMs: result.cpuUserMs + result.cpuSystemMs,
      ...(request.measureAllocations
        ? { allocations: { heapBytes: 0, arrayBufferBytes: 0, nativeBytes: result.allocatedBytes } }
        : {}),
      payloadCopies: 0,
      framesAlivePeak: result.framesAlivePeak,
      inFlightPeakBytes: result.inFlightPeakBytes,
      framesAliveEnd: 0,
    }
  }
}

/** What bench/native/floor.cc prints. */
interface FloorResult {
  readonly wallMs: number
  readonly cpuUserMs: number
  readonly cpuSystemMs: number
  readonly allocatedBytes: number
  readonly framesAlivePeak: number
  readonly inFlightPeakBytes: number
}

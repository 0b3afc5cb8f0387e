import { allocatedBytes } from '../../src/memory/ownership'
import { type ModelAttempt, type ModelFrame, type ModelPush } from './model'
import { type Run } from './run'
import { judge } from './verdicts'

/** What must hold whenever the event loop has turned since the last step. */
export function check(run: Run): void {
  judge(run)
  checkFrames(run)
  for (const push of run.pushes) checkRelease(run, push)
  checkCharges(run)
  for (const attempt of run.attempts) {
    if ((attempt.aborted || run.closing) && attempt.waiting.length > 0) {
      run.violate(`${attempt.waiting[0]?.name} still waits although its attempt was given up`)
    }
    if (attempt.failures.size > 0) checkNobodyWaits(run, attempt)
  }
  run.throwViolations()
}

/** Whoever waits for room with an attempt that has failed is rejected with it. */
function checkNobodyWaits(run: Run, attempt: ModelAttempt): void {
  const { slowStart, unplaced } = run.scenario
  // These may wait for something else.
  if (slowStart || unplaced || !run.pushes.some(({ isBatch }) => isBatch)) return
  if (attempt.waiting.length > 0)
    run.violate(`${attempt.waiting[0]?.name} waits although its attempt has failed`)
}

/** Who owns a frame, as the model has it. */
function checkFrames(run: Run): void {
  const pushOf = new Map<ModelFrame, ModelPush>()
  for (const push of run.pushes) {
    if (push.frame !== null && push.state === 'admitted') pushOf.set(push.frame, push)
  }
  for (const frame of run.frames) {
    const { state, actual, view } = frame
    const expected = expectedStates(frame, pushOf.get(frame))
    if (!expected.includes(actual)) {
      const by = pushOf.get(frame)?.name ?? 'no push'
      run.violate(`frame ${frame.id} (${by}) is ${actual}, the model has it ${expected.join(' or ')}`)
    }
    if (state === 'client' && actual === 'released') frame.state = 'released'
    if (frame.state === 'released' && view !== null && view.length > 0) {
      run.violate(`a view of frame ${frame.id} still has ${view.length} bytes after its release`)
    }
  }
}

function expectedStates({ state }: ModelFrame, push: ModelPush | undefined): string[] {
  switch (state) {
    case 'writer':
      return ['writer']
    case 'lent':
      return ['pending']
    case 'released':
      return ['released']
    case 'client': {
      if (push === undefined) return ['client']
      if (!push.onWire || push.length === 0 || push.outputBytes > 0) return ['released']
      return push.settlement === null ? ['client'] : ['client', 'released']
    }
  }
}

/** Callers' own memory: released once, for the reason that the model allows, and not while it may be sent. */
function checkRelease(run: Run, push: ModelPush): void {
  if (push.how !== 'buffer') return
  const { releases, settlement, state } = push
  const [reason] = releases
  if (state !== 'admitted') {
    if (reason !== undefined) run.violate(`${push.name}: released (${reason}) before it was admitted`)
    return
  }
  if (push.onWire && push.outputBytes > 0) {
    if (reason !== 'encoded') run.violate(`${push.name}: released as ${String(reason)} and not as encoded`)
    return
  }
  if (settlement === null) {
    if (reason !== undefined) run.violate(`${push.name}: released (${reason}) before it was settled`)
    return
  }
  if (reason === undefined) {
    if (!push.onWire || push.length === 0) run.violate(`${push.name}: ended on the way in, but not released`)
  } else if (reason !== settlement.outcome) {
    run.violate(`${push.name}: settled as ${settlement.outcome}, released as ${reason}`)
  }
}

interface Charged {
  readonly push: ModelPush
  readonly bytes: number
}

/** What is charged for certain, and what may be: nobody sees when a codec's output is freed behind a settled batch. */
function charges(run: Run): { certain: Charged[]; possible: Charged[] } {
  const certain: Charged[] = []
  const possible: Charged[] = []
  for (const push of run.pushes) {
    if (!push.isBatch) continue
    const { frame, how, settlement, outputBytes } = push
    if (outputBytes > 0) {
      if (settlement === null) certain.push({ push, bytes: outputBytes })
      else possible.push({ push, bytes: outputBytes })
    } else if (frame !== null) {
      if (frame.actual === 'client') certain.push({ push, bytes: allocatedBytes(frame.frame) })
    } else if (how === 'buffer') {
      if (push.releases.length === 0) certain.push({ push, bytes: push.length })
    } else if (settlement === null) certain.push({ push, bytes: 0 })
  }
  return { certain, possible }
}

function sum(of: readonly Charged[]): number {
  return of.reduce((total, { bytes }) => total + bytes, 0)
}

/** Charges and requests: never negative, within the limits, and those of the model. */
export function checkCharges(run: Run): void {
  const stats = run.client.stats()
  const { bytesInFlight, perWorker, leases, peakBytesInFlight } = stats
  const { scenario } = run
  const { certain, possible } = charges(run)
  // Copies lie in leases, whose pool counts them.
  const least = sum(certain) + leases.bytesAlive
  const most = least + sum(possible)
  if (bytesInFlight < least || bytesInFlight > most) {
    run.violate(
      `${bytesInFlight} bytes are charged, the model has ${least}${most > least ? ` to ${most}` : ''}`,
    )
  }
  const open = run.pushes.filter((push) => push.isBatch && push.settlement === null)
  let bytes = 0
  let requests = 0
  for (const [worker, one] of Object.entries(perWorker)) {
    bytes += one.bytes
    requests += one.requests
    if (one.bytes < 0 || one.requests < 0)
      run.violate(`worker ${worker} has ${JSON.stringify(one)} in flight`)
  }
  if (bytes !== bytesInFlight) run.violate(`the workers' bytes add up to ${bytes}, not to ${bytesInFlight}`)
  if (bytesInFlight > scenario.maxBytes && certain.length > 1) {
    run.violate(`${bytesInFlight} bytes in ${certain.length} batches, the limit is ${scenario.maxBytes}`)
  }
  const mostAlone = Math.max(0, ...run.pushes.map(({ mostBytes }) => mostBytes))
  if (peakBytesInFlight > Math.max(scenario.maxBytes, mostAlone)) {
    run.violate(`the peak is ${peakBytesInFlight} bytes, the limit is ${scenario.maxBytes}`)
  }
  if (stats.waiting > 0 && bytesInFlight === 0 && open.length === 0) {
    run.violate(`${stats.waiting} wait for room although nothing is in flight`)
  }
  if (peakBytesInFlight < bytesInFlight)
    run.violate(`the peak is ${peakBytesInFlight}, now are ${bytesInFlight}`)
  const alone = open.filter(({ merged }) => !merged)
  if (requests < alone.length || requests > open.length) {
    run.violate(`${requests} requests count, the model has ${alone.length} to ${open.length}`)
  }
  for (const attempt of run.attempts) checkRequests(run, attempt, alone, stats.reviveRequests === 0)
  if (stats.reviveRequests === 0 && run.world.lifecycle !== null) checkWorkers(run, certain, perWorker)
}

function checkRequests(
  run: Run,
  attempt: ModelAttempt,
  alone: readonly ModelPush[],
  nothingMoved: boolean,
): void {
  const { maxRequests, maxRequestsPerWorker } = run.scenario
  const mine = alone.filter((push) => push.attempt === attempt)
  if (mine.length > maxRequests) {
    run.violate(`${attempt.name} has ${mine.length} requests in flight, the limit is ${maxRequests}`)
  }
  // A retry goes where it is sent, without waiting.
  if (!nothingMoved || run.world.lifecycle === null) return
  run.places.forEach((_, worker) => {
    const there = mine.filter(({ partitionId }) => partitionId % run.places.length === worker)
    if (there.length > maxRequestsPerWorker) {
      run.violate(
        `${attempt.name} has ${there.length} requests at worker ${worker}, the limit is ${maxRequestsPerWorker}`,
      )
    }
  })
}

function checkWorkers(
  run: Run,
  certain: readonly Charged[],
  perWorker: Readonly<Record<string, { readonly bytes: number }>>,
): void {
  run.workers.forEach(({ server }, worker) => {
    const bytes = perWorker[server.hostPort]?.bytes ?? 0
    const there = certain.filter(({ push }) => push.partitionId % run.places.length === worker)
    if (bytes > run.scenario.maxBytesPerWorker && there.length > 1) {
      run.violate(
        `worker ${worker} has ${bytes} bytes in ${there.length} batches, the limit is ` +
          String(run.scenario.maxBytesPerWorker),
      )
    }
  })
}

/** What must hold when nothing is in flight: everything is free, and everything was counted once. */
export function checkQuiet(run: Run): void {
  check(run)
  const stats = run.client.stats()
  const { bytesInFlight, perWorker, waiting, leases } = stats
  for (const [worker, { bytes, requests }] of Object.entries(perWorker)) {
    if (bytes !== 0 || requests !== 0) {
      run.violate(`nothing is in flight, but worker ${worker} has ${bytes} bytes in ${requests} requests`)
    }
  }
  if (bytesInFlight !== 0) run.violate(`nothing is in flight, but ${bytesInFlight} bytes are charged`)
  if (waiting !== 0) run.violate(`nothing is in flight, but ${waiting} wait for room`)
  if (leases.leasesAlive !== 0)
    run.violate(`nothing is in flight, but ${leases.leasesAlive} leases are alive`)
  const { framesAlive } = run.pool.stats()
  const mine = run.frames.filter(({ state }) => state === 'writer').length
  if (framesAlive < mine || framesAlive > mine + run.forgotten) {
    run.violate(
      `nothing is in flight, but ${framesAlive} frames are alive, of which ${mine} are the writer's`,
    )
  }
  for (const push of run.pushes) {
    if (push.how !== 'buffer' || push.state !== 'admitted' || push.releases.length === 1) continue
    run.violate(`nothing is in flight, but ${push.name} was released ${push.releases.length} times`)
  }
  checkCounters(run, stats)
  run.throwViolations()
}

function checkCounters(
  run: Run,
  stats: {
    acked: number
    failed: number
    dropped: number
    releaseCallbackFailures: number
    payloadCopies: number
  },
): void {
  const batches = run.pushes.filter(({ state, length }) => state === 'admitted' && length > 0)
  for (const outcome of ['acked', 'failed', 'dropped'] as const) {
    const count = batches.filter(({ settlement }) => settlement?.outcome === outcome).length
    if (stats[outcome] !== count) run.violate(`stats count ${stats[outcome]} ${outcome}, the model ${count}`)
  }
  if (stats.releaseCallbackFailures !== run.throwingCallbacks) {
    run.violate(`${stats.releaseCallbackFailures} callbacks threw, the model has ${run.throwingCallbacks}`)
  }
  const copies = batches.filter(({ copies, onWire }) => copies && onWire).length
  if (stats.payloadCopies !== copies) {
    run.violate(`${stats.payloadCopies} payloads were copied, the model has ${copies}`)
  }
}

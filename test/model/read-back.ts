import { createHash } from 'node:crypto'
import { content } from './content'
import { type ModelAttempt, type ModelPush } from './model'
import { type Run } from './run'

/** An attempt that ends a map task which nobody else has ended. */
const CLOSER = 99

/** Reads all partitions and holds them against what the winners pushed: exactly that, each batch once. */
export async function readBack(run: Run): Promise<void> {
  if (run.closing || run.shuffleForgotten || !run.attempts.some(wasSent)) return
  run.doing = 'reading back'
  const { client, scenario, shuffleId } = run
  const [first] = run.attempts
  if (first === undefined) return
  // Attempts that are left for close to end lose all.
  for (const { mayDrop } of run.attempts) mayDrop.add('map-ended').add('stage-ended')
  for (let mapId = 0; mapId < scenario.maps; mapId++) {
    await inTime(
      run,
      'the end of all map tasks',
      client.mapperEnd({ ...first.target, mapId, attemptId: CLOSER }),
    )
  }
  const read: string[] = []
  for (let partitionId = 0; partitionId < scenario.partitions; partitionId++) {
    await inTime(run, `partition ${partitionId}`, readPartition(run, partitionId, read))
  }
  await run.until('the release of what was read', () => client.stats().readFrames.framesAlive === 0)
  const actual = read.sort().join('\n')
  const expected = [...winners(run)].map((attempts) => pushedBy(attempts))
  if (expected.some((lines) => lines.join('\n') === actual)) return
  const [likely = []] = expected
  const missing = likely.filter((line) => !read.includes(line))
  const foreign = read.filter((line) => !likely.includes(line))
  run.violate(
    `shuffle ${shuffleId} read back: ${read.length} batches, ${likely.length} were pushed; missing: ` +
      `${missing.join(', ')}; not pushed: ${foreign.join(', ')}`,
  )
  run.throwViolations()
}

function wasSent(attempt: ModelAttempt): boolean {
  return attempt.pushes.some((push) => push.isBatch)
}

async function inTime(run: Run, what: string, work: Promise<void>): Promise<void> {
  let done = false
  let failure: unknown = null
  work.then(
    () => {
      done = true
      run.changed()
    },
    (error: unknown) => {
      done = true
      failure = error
      run.changed()
    },
  )
  await run.until(what, () => done)
  if (failure !== null) run.violate(`${what}: ${String(failure)}`)
  run.throwViolations()
}

async function readPartition(run: Run, partitionId: number, into: string[]): Promise<void> {
  for await (const batch of run.client.readPartition(run.shuffleId, partitionId)) {
    into.push(line(partitionId, batch))
  }
}

function line(partitionId: number, bytes: Uint8Array): string {
  return `${partitionId}: ${bytes.length} ${createHash('sha1').update(bytes).digest('hex').slice(0, 12)}`
}

/**
 * All choices of one winner per map task, likely ones first. The LifecycleManager takes the first report that
 * reaches it, which may be that of an attempt that was aborted in the same moment.
 */
function* winners(run: Run, mapId = 0): Generator<ModelAttempt[]> {
  if (mapId === run.scenario.maps) {
    yield []
    return
  }
  const candidates: (ModelAttempt | null)[] = run.attempts.filter(
    ({ target, endResolved }) => target.mapId === mapId && endResolved,
  )
  // Whoever was told that it has ended well is among the winners, or another one is.
  if (candidates.length === 0) candidates.push(null)
  for (const attempt of run.attempts) {
    const { target, endCalled, endResolved, reportForbidden } = attempt
    if (target.mapId === mapId && endCalled && !endResolved && !reportForbidden) candidates.push(attempt)
  }
  for (const rest of winners(run, mapId + 1)) {
    for (const candidate of candidates) yield candidate === null ? rest : [candidate, ...rest]
  }
}

function pushedBy(attempts: readonly ModelAttempt[]): string[] {
  return attempts
    .flatMap(({ pushes }) => pushes)
    .filter((push) => push.isBatch && push.settlement?.outcome === 'acked')
    .map((push: ModelPush) => line(push.partitionId, content(push.written.contentId, push.written.length)))
    .sort()
}

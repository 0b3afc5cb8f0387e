import { createHash, randomFillSync } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { type MapAttempt, type PushReceipt, type PushSettlement, type PushTarget } from '../../src/push/types'
import { type ConnectionFault } from './fault-proxy'
import { RelayLifecycle } from './relay-lifecycle'

export const PARTITIONS = 4
export const SHUFFLE = { shuffleId: 3, numMappers: 1, numPartitions: PARTITIONS }

export interface WorldOptions {
  readonly workers?: number
  readonly entries?: Record<string, string | number | boolean>
}

/** A real client, embedded cluster and LifecycleManager, with a fault proxy in front of each worker's push port. */
export class World {
  /** What happens to a new connection, by its number over all proxies. */
  fault: (index: number) => ConnectionFault = () => ({})
  connections = 0

  private constructor(
    readonly cluster: EmbeddedCluster,
    readonly manager: LifecycleManager,
    readonly relay: RelayLifecycle,
    readonly client: ShuffleClient,
  ) {
    relay.onProxy = (proxy) => {
      proxy.plan = () => this.fault(this.connections++)
    }
  }

  static async start({ workers = 3, entries = {} }: WorldOptions = {}): Promise<World> {
    const cluster = await EmbeddedCluster.start({ workers })
    onTestFinished(() => cluster.stop())
    const conf = new CelebornConf({
      'celeborn.master.endpoints': cluster.masterEndpoint,
      'celeborn.client.shuffle.compression.codec': 'NONE',
      'celeborn.client.push.revive.interval': '5ms',
      'celeborn.client.shuffle.batchHandleChangePartition.interval': '5ms',
      'celeborn.client.rpc.retryWait': '10ms',
      'celeborn.client.rpc.maxRetries': 2,
      'celeborn.client.reserveSlots.retryWait': '20ms',
      'celeborn.client.requestCommitFiles.retryWait': '20ms',
      'celeborn.data.io.retryWait': '20ms',
      ...entries,
    })
    const manager = new LifecycleManager({ appId: 'fault', conf })
    await manager.start()
    onTestFinished(() => manager.stop())
    const relay = new RelayLifecycle(manager)
    const lifecycleManager = await relay.start()
    onTestFinished(() => relay.close())
    const client = new ShuffleClient({ appId: 'fault', conf, lifecycleManager })
    onTestFinished(() => client.close())
    return new World(cluster, manager, relay, client)
  }

  /** Causes with which the client asked for new locations. */
  get causes(): Set<number> {
    return new Set(this.relay.revives.flatMap(({ partitions }) => partitions.map(({ cause }) => cause)))
  }

  /** All partitions, as sorted digests of their batches. */
  async readBack(shuffleId = SHUFFLE.shuffleId, numPartitions = PARTITIONS): Promise<string[][]> {
    const partitions: string[][] = []
    for (let partitionId = 0; partitionId < numPartitions; partitionId++) {
      const digests: string[] = []
      for await (const batch of this.client.readPartition(shuffleId, partitionId)) digests.push(digest(batch))
      partitions.push(digests.sort())
    }
    return partitions
  }

  /** Closes the client and sees that it leaves nothing: no memory, no charge, no connection. */
  async close(): Promise<void> {
    await this.client.close()
    expectNothingHeld(this.client)
    expect(this.client.stats().connections.connections).toEqual([])
    for (const proxy of this.relay.proxies) await proxy.empty()
    expect(this.relay.proxies.map(({ open }) => open)).toEqual(this.relay.proxies.map(() => 0))
  }
}

/** No memory, no charge, nobody who waits. */
export function expectNothingHeld(client: ShuffleClient): void {
  const stats = client.stats()
  expect(stats).toMatchObject({ bytesInFlight: 0, framesAlive: 0, waiting: 0, releaseCallbackFailures: 0 })
  expect(stats.leases.leasesAlive).toBe(0)
  for (const worker of Object.values(stats.perWorker)) expect(worker).toEqual({ bytes: 0, requests: 0 })
}

export const MODES = ['frame NONE', 'buffer LZ4', 'merged'] as const
export type Mode = (typeof MODES)[number]

export function codecOf(mode: Mode): string {
  return mode === 'buffer LZ4' ? 'LZ4' : 'NONE'
}

/** One batch that was admitted. */
export interface Pushed {
  readonly partitionId: number
  readonly digest: string
  readonly receipt: PushReceipt
  /** Of `onRelease`; null for memory that has none. */
  readonly reasons: string[] | null
  /** `compress`: what replaced the bytes goes on without them. */
  readonly encoded: boolean
  /** A view of the frame, taken before it was given away. */
  readonly view: Uint8Array | null
}

/** Pushes one batch in the manner of a mode. Memory that comes back is overwritten at once: whoever still reads it shows. */
export async function pushOne(
  client: ShuffleClient,
  mode: Mode,
  target: PushTarget,
  bytes: Buffer,
  number: number,
): Promise<Pushed> {
  const { partitionId } = target
  const known = { partitionId, digest: digest(bytes) }
  const merged = mode === 'merged'
  if (mode === 'frame NONE' || (merged && number % 3 === 0)) {
    const frame = client.pool.acquire(bytes.length)
    frame.bytes.set(bytes)
    const view = frame.bytes
    const push = merged ? client.mergeFrame(target, frame) : client.pushFrame(target, frame)
    // A rejected push has left the frame to us.
    const receipt = await push.catch((error: unknown) => {
      frame.release()
      throw error
    })
    return { ...known, receipt, reasons: null, encoded: false, view }
  }
  if (merged && number % 3 === 1) {
    const receipt = await client.mergeData(target, bytes)
    bytes.fill(0xee)
    return { ...known, receipt, reasons: null, encoded: false, view: null }
  }
  const reasons: string[] = []
  const onRelease = (reason: string): void => {
    reasons.push(reason)
    bytes.fill(0xee)
  }
  const encoded = !merged && number % 2 === 0
  const options = { onRelease, encoding: encoded ? 'compress' : 'stored' } as const
  const receipt = await (merged
    ? client.mergeBuffer(target, bytes, options)
    : client.pushBuffer(target, bytes, options))
  return { ...known, receipt, reasons, encoded, view: null }
}

/** Sizes of the batches of a job: odd ones, some empty of structure, some that compress. */
export function content(size: number, number: number): Buffer {
  const bytes = Buffer.alloc(size)
  if (number % 4 === 3) bytes.fill(`batch ${number} `)
  else randomFillSync(bytes)
  return bytes
}

/** Pushes one batch for each size, partition after partition. */
export async function pushAll(
  client: ShuffleClient,
  mode: Mode,
  attempt: MapAttempt,
  sizes: readonly number[],
): Promise<Pushed[]> {
  const pushed: Pushed[] = []
  for (const [number, size] of sizes.entries()) {
    const target = { ...attempt, partitionId: number % attempt.numPartitions }
    pushed.push(await pushOne(client, mode, target, content(size, number), number))
  }
  return pushed
}

/** Waits for the ends of all batches and sees that each one's memory came back once, and for the right reason. */
export async function settle(pushed: readonly Pushed[]): Promise<PushSettlement[]> {
  const settlements = await Promise.all(pushed.map(({ receipt }) => receipt.settled))
  // A batch may have ended while a write of it is under way, and callbacks run in a microtask of their own.
  const freed = ({ reasons, view }: Pushed): boolean =>
    (reasons === null || reasons.length > 0) && (view === null || view.length === 0)
  while (!pushed.every(freed)) await new Promise((resolve) => setImmediate(resolve))
  for (const [i, { reasons, encoded }] of pushed.entries()) {
    if (reasons === null) continue
    expect(reasons).toHaveLength(1)
    const outcome = settlements[i]?.outcome
    // Bytes that do not compress are sent as they are.
    if (!encoded) expect(reasons).toEqual([outcome])
    else expect(['encoded', outcome]).toContain(reasons[0])
  }
  return settlements
}

/** What reading must give: every batch once. */
export function digestsOf(pushed: readonly Pushed[], numPartitions = PARTITIONS): string[][] {
  return Array.from({ length: numPartitions }, (_, partition) =>
    pushed
      .filter(({ partitionId }) => partitionId === partition)
      .map((one) => one.digest)
      .sort(),
  )
}

function digest(bytes: Uint8Array): string {
  return createHash('sha1').update(bytes).digest('base64')
}

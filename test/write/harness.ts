import { expect, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'
import { type MapAttempt } from '../../src/push/types'
import { HashShuffleWriter } from '../../src/write/hash-shuffle-writer'
import { readLengthPrefixed } from '../../src/write/serializer'
import { type ShuffleWriter, type ShuffleWriterOptions } from '../../src/write/shuffle-writer'
import { SortShuffleWriter } from '../../src/write/sort-shuffle-writer'

export type Entries = Record<string, string | number | boolean>

export interface Job {
  readonly cluster: EmbeddedCluster
  readonly client: ShuffleClient
}

/** A client, a LifecycleManager and an embedded cluster, which end with the test. */
export async function startJob(entries: Entries = {}, workers = 2): Promise<Job> {
  const cluster = await EmbeddedCluster.start({ workers })
  onTestFinished(() => cluster.stop())
  const conf = new CelebornConf({
    'celeborn.master.endpoints': cluster.masterEndpoint,
    'celeborn.client.push.revive.interval': '5ms',
    'celeborn.client.shuffle.batchHandleChangePartition.interval': '5ms',
    'celeborn.client.rpc.retryWait': '10ms',
    'celeborn.data.io.retryWait': '20ms',
    ...entries,
  })
  const lifecycle = new LifecycleManager({ appId: 'writers', conf })
  await lifecycle.start()
  onTestFinished(() => lifecycle.stop())
  const client = new ShuffleClient({
    appId: 'writers',
    conf,
    lifecycleManager: { host: lifecycle.host, port: lifecycle.port },
  })
  onTestFinished(() => client.close())
  return { cluster, client }
}

export const KINDS = ['HASH', 'SORT'] as const
export type Kind = (typeof KINDS)[number]

export function makeWriter<T, K = T>(
  kind: Kind,
  client: ShuffleClient,
  options: ShuffleWriterOptions<T, K>,
): ShuffleWriter<T, K> {
  return kind === 'HASH' ? new HashShuffleWriter(client, options) : new SortShuffleWriter(client, options)
}

export function attempt(over: Partial<MapAttempt> = {}): MapAttempt {
  return { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 5, ...over }
}

/** Records of odd sizes, that tell who wrote them and which they are; the same for the same seed. */
export function makeRecords(count: number, maxBytes: number, seed = 1): Buffer[] {
  let x = seed >>> 0
  const next = (): number => {
    x ^= x << 13
    x ^= x >>> 17
    x ^= x << 5
    x >>>= 0
    return x
  }
  return Array.from({ length: count }, (_, i) => {
    const bytes = Buffer.alloc(next() % maxBytes)
    // Half noise, half text, so that a codec has something to do.
    for (let at = 0; at < bytes.length; at++) bytes[at] = at % 2 === 0 ? next() : 97 + (at % 7)
    bytes.write(`${seed}:${i};`)
    return bytes
  })
}

/** The records of one partition in the order in which they are read, from what {@link LengthPrefixedSerializer} wrote. */
export async function readRecords(
  client: ShuffleClient,
  shuffleId: number,
  partitionId: number,
): Promise<Buffer[]> {
  const records: Buffer[] = []
  for await (const batch of client.readPartition(shuffleId, partitionId)) {
    for (const record of readLengthPrefixed(batch)) records.push(Buffer.from(record))
  }
  return records
}

export function sorted(records: readonly Buffer[]): string[] {
  return records.map((record) => record.toString('latin1')).sort()
}

/** No buffer, no charge, nobody who waits; at the end of a write that is under way at the latest. */
export async function expectNothingHeld(client: ShuffleClient): Promise<void> {
  for (let i = 0; i < 1000 && client.stats().bytesInFlight > 0; i++) await turns(1)
  const stats = client.stats()
  expect(stats).toMatchObject({ bytesInFlight: 0, waiting: 0, framesAlive: 0 })
  expect(stats.writerBuffers).toMatchObject({ bytesAlive: 0, taskBytes: 0, buffersAlive: 0, waiting: 0 })
  expect(stats.leases.leasesAlive).toBe(0)
}

export async function turns(count = 5): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

import { type JavaAgent, text } from './agent'
import { type Contents, Digest, fillBatch } from './content'
import { celebornNode } from './package'
import { type Plan, type PlannedTask } from './plan'

/** Celeborn's keys, by name. */
export type Settings = Readonly<Record<string, string>>

/**
 * Files are split at 1 MiB. Java looks for room every 50 ms: with few requests in flight its writing outlasts the search
 * for a new location, which matters for soft splits.
 */
export function splitSettings(mode: string): Settings {
  return {
    'celeborn.client.shuffle.partitionSplit.mode': mode,
    'celeborn.client.shuffle.partitionSplit.threshold': '1m',
    'celeborn.client.shuffle.batchHandleCommitPartition.interval': '200ms',
    'celeborn.client.shuffle.batchHandleChangePartition.interval': '10ms',
    'celeborn.client.push.revive.interval': '10ms',
    'celeborn.client.push.maxReqsInFlight.perWorker': '8',
  }
}

/** An application's driver side: our LifecycleManager, or Celeborn's. */
export interface Driver {
  readonly app: string
  readonly host: string
  readonly port: number
  stop(): Promise<void>
}

/** A client of either language that writes map tasks and reads partitions. */
export interface Party {
  readonly name: string
  /** Writes one map task. Without `end` the attempt is given up instead of ended. */
  write(shuffle: number, plan: Plan, task: PlannedTask, attempt?: number, end?: boolean): Promise<void>
  /** Reads what the map tasks in `[from, to)` have written to a partition. */
  read(shuffle: number, partition: number, from?: number, to?: number): Promise<Contents>
  /** The id that a run of the stage of the application's shuffle 0 writes to, or that its readers use. */
  shuffleId(run: string, writer: boolean): Promise<number>
  /** Reports that shuffle 0 cannot be read under that id. Whether the stage runs again. */
  fetchFailure(shuffle: number): Promise<boolean>
  close(): Promise<void>
}

const ALL_MAPS = 0x7fff_ffff

export async function javaDriver(agent: JavaAgent, app: string, settings: Settings): Promise<Driver> {
  const answer = await agent.ask('manager', { app, ...settings })
  const stop = async () => void (await agent.ask('stop-manager', { app }))
  return { app, host: text(answer, 'host'), port: Number(text(answer, 'port')), stop }
}

export async function nodeDriver(app: string, settings: Settings): Promise<Driver> {
  const conf = new celebornNode.CelebornConf(settings)
  const manager = new celebornNode.LifecycleManager({ appId: app, conf, onFetchFailure: () => true })
  await manager.start()
  return { app, host: manager.host, port: manager.port, stop: () => manager.stop() }
}

export async function javaParty(agent: JavaAgent, driver: Driver, settings: Settings): Promise<Party> {
  const { app, host, port } = driver
  await agent.ask('client', { app, host, port, ...settings })
  return {
    name: 'Java',
    async write(shuffle, plan, task, attempt = 0, end = true) {
      const batches = task.batches.map(
        ({ partition, size, merged }) => `${merged ? 'm' : ''}${partition}:${size}`,
      )
      const { seed, partitions, tasks } = plan
      await agent.ask('write', {
        ...{ app, shuffle, map: task.mapId, attempt, mappers: tasks.length, partitions, seed, end },
        batches: batches.join(','),
      })
    },
    async read(shuffle, partition, from = 0, to = ALL_MAPS) {
      const answer = await agent.ask('read', { app, shuffle, partition, from, to })
      return {
        sha: text(answer, 'sha'),
        records: Number(text(answer, 'records')),
        bytes: Number(text(answer, 'bytes')),
      }
    },
    shuffleId: async (run, writer) => Number(text(await agent.ask('shuffle-id', { app, run, writer }), 'id')),
    fetchFailure: async (shuffle) =>
      text(await agent.ask('fetch-failure', { app, shuffle }), 'again') === 'true',
    close: async () => void (await agent.ask('stop-client', { app })),
  }
}

export function nodeParty(driver: Driver, settings: Settings): Party {
  const client = new celebornNode.ShuffleClient({
    appId: driver.app,
    conf: new celebornNode.CelebornConf(settings),
    lifecycleManager: { host: driver.host, port: driver.port },
  })
  /** Every way to push has its turn. */
  const push = async (
    task: Parameters<typeof client.pushData>[0],
    size: number,
    way: number,
    fill: (bytes: Uint8Array) => void,
  ) => {
    const encoding = way % 4 === 3 ? 'stored' : 'compress'
    if (way % 3 === 0) {
      const frame = client.pool.acquire(size)
      fill(frame.bytes)
      return client.pushFrame(task, frame, { encoding })
    }
    const bytes = new Uint8Array(size)
    fill(bytes)
    return way % 3 === 1
      ? client.pushData(task, bytes, { encoding })
      : client.pushBuffer(task, bytes, { encoding, onRelease: () => {} })
  }
  return {
    name: 'TypeScript',
    async write(shuffleId, plan, task, attemptId = 0, end = true) {
      const { seed, partitions: numPartitions, tasks } = plan
      const { mapId } = task
      const attempt = { shuffleId, mapId, attemptId, numMappers: tasks.length, numPartitions }
      const receipts = []
      for (const [index, { partition: partitionId, size, merged }] of task.batches.entries()) {
        const target = { ...attempt, partitionId }
        const fill = (bytes: Uint8Array) => fillBatch(bytes, seed, mapId, index)
        if (merged) {
          const bytes = new Uint8Array(size)
          fill(bytes)
          receipts.push(await client.mergeData(target, bytes))
        } else receipts.push(await push(target, size, index, fill))
      }
      await client.pushMergedData(attempt)
      if (end) return client.mapperEnd(attempt)
      // Something of what is given up has arrived by then.
      await Promise.all(receipts.slice(0, receipts.length / 2).map(({ settled }) => settled))
      await client.cleanup(attempt)
    },
    async read(shuffle, partition, startMapIndex = 0, endMapIndex = ALL_MAPS) {
      const digest = new Digest()
      for await (const batch of client.readPartition(shuffle, partition, { startMapIndex, endMapIndex }))
        digest.add(batch)
      return digest.contents
    },
    shuffleId: (run, isWriter) => client.getShuffleId(0, run, { isWriter }),
    fetchFailure: (shuffle) => client.reportShuffleFetchFailure(0, shuffle),
    close: () => client.close(),
  }
}

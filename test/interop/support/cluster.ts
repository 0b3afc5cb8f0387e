import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { celebornNode } from './package'
import { type Settings } from './parties'
import { runDir } from './settings'

let count = 0

/** An embedded cluster of the built package, with its files in the run's own directory. */
export function startCluster(workers: number, settings: Settings = {}) {
  return celebornNode.EmbeddedCluster.start({
    workers,
    dir: join(runDir, `cluster-${process.pid}-${count++}`),
    conf: new celebornNode.CelebornConf(settings),
  })
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/** File names `<partition>-<epoch>-<mode>` of all workers. */
export function files(cluster: Cluster, app: string, shuffle: number) {
  const workers = readdirSync(cluster.dir).filter((name) => name.startsWith('worker-'))
  return workers.flatMap((worker) => {
    const shuffles = join(cluster.dir, worker, 'celeborn-worker', 'shuffle_data', app)
    const names = existsSync(shuffles) ? readdirSync(shuffles, { recursive: true, encoding: 'utf8' }) : []
    return names.flatMap((name) => {
      const [, of, partition, epoch, mode] = /^(\d+)\/(\d+)-(\d+)-(\d)$/.exec(name) ?? []
      if (Number(of) !== shuffle) return []
      return [{ worker, partition: Number(partition), epoch: Number(epoch), mode: Number(mode) }]
    })
  })
}

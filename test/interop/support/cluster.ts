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

import { CelebornConf } from '../conf'
import { EmbeddedCluster } from '../embedded'
import { Interruption } from './interruption'
import { parseConf, parseCount } from './options'
import { type RawClusterOptions } from './program'

/** Runs the embedded cluster in this process until a signal comes. */
export async function runCluster(raw: RawClusterOptions): Promise<number> {
  const workers = parseCount('--workers', raw.workers ?? '2', 64)
  const port = parseCount('--port', raw.port ?? '9097', 65535, 0)
  const conf = CelebornConf.load({ entries: parseConf(raw.conf) })
  const interruption = new Interruption()
  try {
    const cluster = await EmbeddedCluster.start({
      workers,
      port,
      conf,
      ...(raw.dir === undefined ? {} : { dir: raw.dir }),
      ...(raw.host === undefined ? {} : { host: raw.host }),
    })
    try {
      if (!interruption.signal.aborted) {
        const stopped = new Promise((resolve) =>
          interruption.signal.addEventListener('abort', resolve, { once: true }),
        )
        process.stdout.write(`${cluster.masterEndpoint}\n`)
        process.stderr.write(
          `embedded Celeborn cluster with ${workers} worker${workers === 1 ? '' : 's'}; ` +
            `use it with --master ${cluster.masterEndpoint}; Ctrl-C stops it and removes its data\n`,
        )
        // Signals alone do not keep a process alive, but the cluster's servers do.
        await stopped
      }
    } finally {
      await cluster.stop()
    }
    return 0
  } finally {
    interruption.dispose()
  }
}

// Runs the embedded cluster for the program that forked this process, and ends when that program says so or is gone.
import { rmSync } from 'node:fs'
import { CelebornConf } from '../../conf'
import { EmbeddedCluster } from '../../embedded'
import { failureLine } from '../failure'
import { type FromCluster, type ToCluster } from './messages'

/** A stop that hangs must not leave this process behind. */
const STOP_DEADLINE_MS = 8_000

/** For the workers' files; removed when this process ends. Made for us by whoever forked us. */
const dir = process.argv[2]
let starting: Promise<EmbeddedCluster> | undefined
let stopping = false

function removeFiles(): void {
  if (dir !== undefined) rmSync(dir, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 })
}

async function stop(status: number): Promise<void> {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), STOP_DEADLINE_MS)
  try {
    await (await starting)?.stop()
  } catch (error) {
    console.error(failureLine(error))
  }
  process.exit(status)
}

function tell(message: FromCluster): void {
  process.send?.(message, () => undefined)
}

async function start(message: Extract<ToCluster, { kind: 'start' }>): Promise<void> {
  try {
    starting = EmbeddedCluster.start({
      workers: message.workers,
      ...(dir === undefined ? {} : { dir }),
      conf: new CelebornConf(message.conf),
    })
    tell({ kind: 'started', masterEndpoint: (await starting).masterEndpoint })
  } catch (error) {
    starting = undefined
    tell({ kind: 'failed', message: failureLine(error) })
  }
}

process.on('exit', removeFiles)
// Whoever reads our last words may be gone already.
process.stderr.on('error', () => undefined)
process.on('message', (message) => {
  const order = message as ToCluster
  void (order.kind === 'start' ? start(order) : stop(0))
})
process.on('disconnect', () => void stop(0))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0))
if (!process.connected) {
  console.error('this module is started by celeborn-node and by nobody else')
  process.exit(1)
}

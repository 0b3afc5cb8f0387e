import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { inMib } from './sizes'

/** What a result was measured on; figures without it say little. */
export interface Environment {
  readonly node: string
  readonly v8: string
  readonly system: string
  readonly cpu: string
  readonly cores: number
  readonly memoryMib: number
  /** Processes that wanted to run during the last minute, when the run began: much more than 0 is a busy machine. */
  readonly loadAverage: number
  readonly date: string
}

export function environment(): Environment {
  const cores = cpus()
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    system: `${type()} ${release()} ${process.arch}`,
    cpu: cores[0]?.model.trim() ?? 'unknown',
    cores: cores.length,
    memoryMib: Math.round(totalmem() / 1024 ** 2),
    loadAverage: Math.round((loadavg()[0] ?? 0) * 100) / 100,
    date: new Date().toISOString(),
  }
}

export function environmentLine(e: Environment): string {
  const memory = inMib(e.memoryMib * 1024 ** 2)
  return `Node ${e.node}, ${e.system}, ${e.cores} x ${e.cpu}, ${memory} MiB, load average ${e.loadAverage}`
}

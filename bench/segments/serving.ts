import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NativePrograms } from '../lib/compiler'
import { LineProgram, NodeProcess } from '../lib/processes'
import { type Samples } from '../lib/rows'
import { sizeName } from '../lib/sizes'
import {
  type CpuUs,
  type ReaderRequest,
  type Served,
  type ServerRequest,
  type ServeVariant,
  type WallUs,
} from './messages'
import { METRICS, type Progress } from './metrics'
import { turned } from './turns'

export const SERVE_VARIANTS = ['mapped', 'read', 'floor'] as const

/** The floor's call is Linux's; others have one of the same name that is called differently. */
const VARIANTS = process.platform === 'linux' ? SERVE_VARIANTS : (['mapped', 'read'] as const)

export interface ServeOptions {
  readonly rounds: number
  readonly warmRounds: number
  /** Sizes of a chunk. */
  readonly serveSizes: readonly number[]
  /** Bytes of the file that is served, all of it in each pass; so many whole chunks of each size. */
  readonly servedBytes: number
}

/** A process that serves one file. */
interface Server {
  readonly variant: string
  readonly served: Served
  readonly failure: Promise<never>
  cpu(): Promise<CpuUs>
  stop(): Promise<void>
}

/** The case of a row, told from those of the other parts. */
export function serveCase(chunkBytes: number): string {
  return `serve-${chunkBytes}`
}

/**
 * A worker's chunks over a loopback socket: the servers of a size live through all rounds, each serves the whole file once in
 * each, and another one begins each round.
 */
export async function serving(
  options: ServeOptions,
  samples: Samples,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  if (options.serveSizes.length === 0) return
  const programs = new NativePrograms()
  try {
    for (const size of options.serveSizes)
      await servingSize(size, options, programs, samples, signal, progress)
  } finally {
    programs.remove()
  }
}

async function servingSize(
  size: number,
  { rounds, warmRounds, servedBytes }: ServeOptions,
  programs: NativePrograms,
  samples: Samples,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  const started: { stop(): Promise<void> }[] = []
  const stop = (): void => void Promise.all(started.map((one) => one.stop()))
  signal.addEventListener('abort', stop, { once: true })
  try {
    progress(`chunks of ${sizeName(size)}: starting`)
    const reader = new NodeProcess('the reader of chunks', join(__dirname, 'reader-child.js'))
    started.push(reader)
    const servers: Server[] = []
    for (const variant of VARIANTS) {
      const server =
        variant === 'floor'
          ? await startFloor(programs, size, servedBytes)
          : await startWorker(variant, size, servedBytes)
      started.push(server)
      servers.push(server)
      signal.throwIfAborted()
    }
    for (let round = -warmRounds; round < rounds; round++) {
      for (const server of turned(servers, round)) {
        progress(`chunks of ${sizeName(size)}, round ${round + 1} of ${rounds}: ${server.variant}`)
        const { variant, served } = server
        const before = await server.cpu()
        const request: ReaderRequest = { kind: 'pass', name: variant, served }
        const wallUs = await Promise.race([reader.ask<WallUs>(request), server.failure])
        const cpuUs = (await server.cpu()) - before
        signal.throwIfAborted()
        if (round < 0) continue
        const mib = servedBytes / 1024 ** 2
        const at = { case: serveCase(size), variant }
        samples.add(at, METRICS.cpuPerMib, cpuUs / mib)
        samples.add(at, METRICS.wallPerMib, wallUs / mib)
      }
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // The reader first: nobody is left in the middle of a chunk.
    for (const one of started) await one.stop()
  }
}

async function startWorker(variant: ServeVariant, chunkBytes: number, fileBytes: number): Promise<Server> {
  const child = new NodeProcess('the serving worker', join(__dirname, 'server-child.js'))
  try {
    const start: ServerRequest = { kind: 'start', variant, chunkBytes, fileBytes }
    const served = await child.ask<Served>(start)
    const cpu: ServerRequest = { kind: 'cpu' }
    const { failure } = child
    return { variant, served, failure, cpu: () => child.ask<CpuUs>(cpu), stop: () => child.stop() }
  } catch (error) {
    await child.stop()
    throw error
  }
}

async function startFloor(programs: NativePrograms, chunkBytes: number, fileBytes: number): Promise<Server> {
  const path = await programs.path('serve')
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-bench-'))
  const file = join(dir, 'data')
  writeFileSync(file, Buffer.alloc(fileBytes, 'celeborn'), { flush: true })
  const program = new LineProgram('the sendfile server', path, [file, String(chunkBytes)])
  const { failure } = program
  const stop = async (): Promise<void> => {
    await program.stop()
    rmSync(dir, { recursive: true, force: true })
  }
  try {
    const port = Number(await program.line())
    const chunks = Math.floor(fileBytes / chunkBytes)
    const served = { host: '127.0.0.1', port, streamId: 0, chunks, chunkBytes, extraBytes: 0 }
    return { variant: 'floor', served, failure, cpu: async () => Number(await program.ask()), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

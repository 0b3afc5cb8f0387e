// Part 3's other side: fetches every chunk of a stream and discards it.
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { ConnectionPool } from '../../src/network'
import { serve } from '../lib/child'
import { IN_FLIGHT, type ReaderRequest, type Served, type WallUs } from './messages'

const TIMEOUT_MS = 60_000

/** The chunks of one server, by one connection. */
class Reader {
  readonly #pool = new ConnectionPool(new CelebornConf(), { module: 'data' })
  readonly #served: Served
  readonly #free: Buffer[] = []

  constructor(served: Served) {
    this.#served = served
  }

  async pass(): Promise<WallUs> {
    const started = performance.now()
    let next = 0
    const lane = async (): Promise<void> => {
      while (next < this.#served.chunks) await this.#fetch(next++)
    }
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane))
    return (performance.now() - started) * 1000
  }

  close(): Promise<void> {
    return this.#pool.close()
  }

  #fetch(chunkIndex: number): Promise<void> {
    const { host, port, streamId, chunkBytes, extraBytes } = this.#served
    return new Promise((resolve, reject) => {
      let target: Buffer | undefined
      const fail = (words: string): void => reject(new CelebornError('CELEBORN_INTERNAL', words))
      this.#pool.connection(host, port).fetchChunk({
        streamId,
        chunkIndex,
        timeoutMs: TIMEOUT_MS,
        allocate: () => (target = this.#free.pop() ?? Buffer.alloc(chunkBytes + extraBytes)),
        onChunk: (size) => {
          if (size === chunkBytes + (chunkIndex === 0 ? extraBytes : 0)) resolve()
          else fail(`a sample is void: chunk ${chunkIndex} has ${size} bytes`)
        },
        onFailure: fail,
        onError: reject,
        targetReleased: () => {
          if (target !== undefined) this.#free.push(target)
        },
      })
    })
  }
}

const readers = new Map<string, Reader>()

async function forget(): Promise<void> {
  await Promise.all([...readers.values()].map((reader) => reader.close()))
  readers.clear()
}

serve(async (question) => {
  const request = question as ReaderRequest
  if (request.kind === 'forget') return forget()
  const reader = readers.get(request.name) ?? new Reader(request.served)
  readers.set(request.name, reader)
  return reader.pass()
}, forget)

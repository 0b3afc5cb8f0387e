import { once } from 'node:events'
import { type AddressInfo, createServer, connect, type Server, type Socket } from 'node:net'
import { CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import {
  type ChunkRequest,
  ConnectionPool,
  type GatherWriter,
  MessageServer,
  nextRequestId,
  type PendingRequest,
} from '../../src/network'
import {
  FrameParser,
  MessageType,
  pushDataHeaderLength,
  readRequestId,
  writePushDataHeader,
} from '../../src/protocol'
import { type Random } from './random'

/** In the corpus the id of each answer; on the wire the id of the push that waits. */
const PLACEHOLDER = Buffer.from('0000000000000007', 'hex')
const KEY = Buffer.from('app-0')
const PARTITION = Buffer.from('7-0')
const TIMEOUT_MS = 30_000

/** What happened to a request; exactly one of the ends, exactly once. */
class Log {
  ends = 0
  released = 0
  /** Waited for besides the end. */
  releases = 1
  problem: string | null = null
  readonly done: Promise<void>
  #resolve: () => void = () => {}

  constructor() {
    this.done = new Promise((resolve) => (this.#resolve = resolve))
  }

  end(error?: CelebornError): void {
    this.ends++
    if (error !== undefined && !(error instanceof CelebornError))
      this.problem = `not a typed error: ${String(error)}`
    this.#check()
  }

  release(): void {
    this.released++
    this.#check()
  }

  #check(): void {
    if (this.ends > 1) this.problem = `ended ${this.ends} times`
    if (this.released > this.releases) this.problem = `released ${this.released} times`
    if (this.ends > 0 && this.released === this.releases) this.#resolve()
  }
}

function push(log: Log, onBody: (body: Uint8Array) => void = () => {}): PendingRequest {
  const requestId = nextRequestId()
  const length = pushDataHeaderLength(KEY.length, PARTITION.length)
  return {
    requestId,
    timeoutMs: TIMEOUT_MS,
    byteLength: length,
    encode: (w: GatherWriter) =>
      void writePushDataHeader(w.buffer, w.reserve(length), requestId, 0, KEY, PARTITION, 0),
    writeStarted() {},
    writeEnded: () => log.release(),
    onResponse(body) {
      onBody(body)
      log.end()
    },
    onRpcFailure: () => log.end(),
    onError: (error) => log.end(error),
  }
}

function chunk(log: Log, random: Random): ChunkRequest {
  log.releases = 0
  return {
    streamId: 5,
    chunkIndex: 0,
    timeoutMs: TIMEOUT_MS,
    allocate(size) {
      if (random.chance(5)) throw new Error('no memory')
      log.releases = 1
      if (random.chance(5)) return new Uint8Array(size - 1)
      return new Uint8Array(size)
    },
    onChunk: () => log.end(),
    onFailure: () => log.end(),
    onError: (error) => log.end(error),
    targetReleased: () => log.release(),
  }
}

/** Real connections over loopback whose other end sends hostile bytes in pieces of any size. */
export class SocketFuzzer {
  readonly #pool = new ConnectionPool(new CelebornConf({ 'celeborn.node.maxMessageBytes': '1m' }), {
    module: 'data',
  })
  readonly #peer: Server
  readonly #server: MessageServer
  #serverPort = 0
  #script: { input: Buffer; random: Random } | null = null
  /** Messages that the server understood. */
  messages = 0

  private constructor() {
    this.#peer = createServer((socket) => this.#serve(socket))
    this.#server = new MessageServer({
      name: 'fuzzed',
      maxMessageBytes: 1 << 20,
      onMessage: (_connection, _message, body) => {
        this.messages++
        body.release()
      },
    })
  }

  static async start(): Promise<SocketFuzzer> {
    const fuzzer = new SocketFuzzer()
    fuzzer.#peer.listen(0, '127.0.0.1')
    await once(fuzzer.#peer, 'listening')
    fuzzer.#serverPort = (await fuzzer.#server.listen()).port
    return fuzzer
  }

  /** What a client does with such answers. @returns what is wrong, or null */
  async client(input: Buffer, random: Random): Promise<string | null> {
    const logs = [new Log(), new Log(), new Log()] as const
    let answer: Buffer | null = null
    const waiting = push(logs[0], (body) => void (answer = Buffer.from(body)))
    const id = Buffer.alloc(8)
    id.writeBigInt64BE(BigInt(waiting.requestId))
    const bytes = replaced(input, id)
    this.#script = { input: bytes, random }
    const { port } = this.#peer.address() as AddressInfo
    const connection = this.#pool.connection('127.0.0.1', port)
    connection.send(waiting)
    connection.send(push(logs[1]))
    connection.fetchChunk(chunk(logs[2], random))
    await Promise.all(logs.map((log) => log.done))
    // A second end would come in the turns after the first.
    await new Promise((resolve) => setImmediate(resolve))
    if (answer !== null && !isAnswer(answer, bytes, waiting.requestId)) return 'an answer that nobody sent'
    return logs.find((log) => log.problem !== null)?.problem ?? null
  }

  /** What a server does with such a client: the connection ends, the server serves on. */
  async server(input: Buffer, random: Random): Promise<string | null> {
    const socket = connect(this.#serverPort, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume()
    const closed = once(socket, 'close')
    send(socket, { input, random })
    await closed
    return null
  }

  async close(): Promise<string | null> {
    const { pending, timedOut } = this.#pool.stats()
    await this.#pool.close()
    await this.#server.close()
    this.#peer.close()
    await once(this.#peer, 'close')
    return pending + timedOut > 0 ? `${pending} requests are pending, ${timedOut} timed out` : null
  }

  #serve(socket: Socket): void {
    const script = this.#script
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.resume()
      if (script === null) socket.end()
      else send(socket, script)
    })
  }
}

/** Whether the first answer to that request among the frames has that body. */
function isAnswer(answer: Buffer, bytes: Buffer, requestId: number): boolean {
  const bodies: Buffer[][] = []
  let wanted = false
  const parser = new FrameParser(
    {
      onHeader(type, fields) {
        wanted = type === MessageType.RPC_RESPONSE && readRequestId(fields) === requestId
        if (wanted) bodies.push([])
      },
      onBody(piece) {
        if (wanted) bodies.at(-1)?.push(Buffer.from(piece))
      },
      onEnd() {},
    },
    { maxFieldsBytes: 8 << 20, maxBodyBytes: 1 << 20 },
  )
  try {
    parser.push(bytes)
  } catch {
    // What comes behind an answer may be anything.
  }
  return bodies[0] !== undefined && Buffer.concat(bodies[0]).equals(answer)
}

function replaced(input: Buffer, id: Buffer): Buffer {
  const bytes = Buffer.from(input)
  for (let at = bytes.indexOf(PLACEHOLDER); at >= 0; at = bytes.indexOf(PLACEHOLDER, at + 8))
    id.copy(bytes, at)
  return bytes
}

/** Writes the bytes in up to 16 pieces, each a turn after the other, and ends the connection. */
function send(socket: Socket, { input, random }: { input: Buffer; random: Random }): void {
  socket.setNoDelay(true)
  let pieces = random.below(16)
  let at = 0
  const next = (): void => {
    if (socket.destroyed) return
    if (at >= input.length) {
      if (random.chance(50)) socket.end()
      else socket.resetAndDestroy()
      return
    }
    const end = pieces-- <= 0 ? input.length : at + 1 + random.below(input.length - at)
    socket.write(input.subarray(at, end))
    at = end
    setImmediate(next)
  }
  next()
}

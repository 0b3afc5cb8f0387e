import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { CelebornConf } from '../../src/conf'
import { type CelebornError } from '../../src/errors'
import {
  type ChunkRequest,
  ConnectionPool,
  type ConnectionPoolOptions,
  type GatherWriter,
  nextRequestId,
  type PendingRequest,
  type StreamId,
} from '../../src/network'
import {
  FrameParser,
  pushDataHeaderLength,
  RPC_RESPONSE_HEADER_BYTES,
  rpcFailureLength,
  writePushDataHeader,
  writeRpcFailure,
  writeRpcResponseHeader,
} from '../../src/protocol/framing'

export const MIB = 1024 * 1024
const SHUFFLE_KEY = Buffer.from('app-0')
const UNIQUE_ID = Buffer.from('7-0')

export function newPool(o: Partial<ConnectionPoolOptions> = {}): ConnectionPool {
  return new ConnectionPool(new CelebornConf(), { module: 'data', ...o })
}

/** A listening socket that does only what its test tells it. */
export class RawPeer {
  readonly server: Server
  readonly sockets: Socket[] = []
  #waiting: ((socket: Socket) => void)[] = []
  #taken = 0

  constructor(onSocket: (socket: Socket) => void = () => {}) {
    this.server = createServer((socket) => {
      socket.on('error', () => {})
      this.sockets.push(socket)
      onSocket(socket)
      this.#waiting.splice(0).forEach((resolve) => resolve(socket))
    })
  }

  static async start(onSocket?: (socket: Socket) => void, host = '127.0.0.1'): Promise<RawPeer> {
    const peer = new RawPeer(onSocket)
    peer.server.listen(0, host)
    await once(peer.server, 'listening')
    return peer
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  /** The next connection that was or will be accepted. */
  async accepted(): Promise<Socket> {
    const next = this.sockets[this.#taken++]
    if (next !== undefined) return next
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    if (!this.server.listening) return
    this.server.close()
    await once(this.server, 'close')
  }
}

/** A push with a log of what happened to it. */
export class TestPush implements PendingRequest {
  readonly requestId = nextRequestId()
  readonly payload: Uint8Array
  readonly timeoutMs: number
  readonly timeoutClock: 'write' | 'send'
  readonly byteLength: number
  readonly events: string[] = []
  answer: Buffer | null = null
  failure: string | null = null
  error: CelebornError | null = null
  /** Runs at each event, after it was noted. */
  hook: (event: string) => void = () => {}
  readonly #waiting: (() => void)[] = []

  constructor(payload: Uint8Array, o: { timeoutMs?: number; timeoutClock?: 'write' | 'send' } = {}) {
    this.payload = payload
    this.timeoutMs = o.timeoutMs ?? 20_000
    this.timeoutClock = o.timeoutClock ?? 'write'
    this.byteLength = payload.length + 64
  }

  /** Answered or failed, and no longer read. */
  get ended(): boolean {
    return this.count('writeEnded') === 1 && this.settled
  }

  get settled(): boolean {
    return this.events.some((event) => ['response', 'failure', 'error'].includes(event))
  }

  count(event: string): number {
    return this.events.filter((other) => other === event).length
  }

  async until(what: 'settled' | 'ended' | 'writeStarted' | 'writeEnded'): Promise<void> {
    const there = (): boolean =>
      what === 'settled' ? this.settled : what === 'ended' ? this.ended : this.count(what) > 0
    while (!there()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  encode(w: GatherWriter): void {
    this.#note('encode')
    const length = pushDataHeaderLength(SHUFFLE_KEY.length, UNIQUE_ID.length)
    const at = w.reserve(length)
    writePushDataHeader(w.buffer, at, this.requestId, 0, SHUFFLE_KEY, UNIQUE_ID, this.payload.length)
    w.append(this.payload)
  }

  /** What must arrive at the peer. */
  wire(): Buffer {
    const head = Buffer.alloc(pushDataHeaderLength(SHUFFLE_KEY.length, UNIQUE_ID.length))
    writePushDataHeader(head, 0, this.requestId, 0, SHUFFLE_KEY, UNIQUE_ID, this.payload.length)
    return Buffer.concat([head, this.payload])
  }

  writeStarted(nowMs: number): void {
    if (!(nowMs > 0)) throw new Error('no clock')
    this.#note('writeStarted')
  }

  writeEnded(): void {
    this.#note('writeEnded')
  }

  onResponse(body: Uint8Array): void {
    this.answer = Buffer.from(body)
    this.#note('response')
  }

  onRpcFailure(message: string): void {
    this.failure = message
    this.#note('failure')
  }

  onError(error: CelebornError): void {
    this.error = error
    this.#note('error')
  }

  #note(event: string): void {
    this.events.push(event)
    for (const resolve of this.#waiting.splice(0)) resolve()
    this.hook(event)
  }
}

/** A chunk request with a log, into memory of its own. */
export class TestChunk implements ChunkRequest {
  readonly streamId: StreamId
  readonly chunkIndex: number
  readonly timeoutMs: number
  readonly events: string[] = []
  target: Uint8Array | null = null
  size = -1
  failure: string | null = null
  error: CelebornError | null = null
  hook: (event: string) => void = () => {}
  readonly #waiting: (() => void)[] = []

  constructor(streamId: StreamId, chunkIndex: number, timeoutMs = 20_000) {
    this.streamId = streamId
    this.chunkIndex = chunkIndex
    this.timeoutMs = timeoutMs
  }

  get settled(): boolean {
    return this.events.some((event) => ['chunk', 'failure', 'error'].includes(event))
  }

  async until(what: 'settled' | 'allocate' | 'released'): Promise<void> {
    const there = (): boolean => (what === 'settled' ? this.settled : this.events.includes(what))
    while (!there()) await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  allocate(size: number): Uint8Array {
    this.target ??= new Uint8Array(size)
    this.#note('allocate')
    return this.target
  }

  onChunk(size: number): void {
    this.size = size
    this.#note('chunk')
  }

  onFailure(message: string): void {
    this.failure = message
    this.#note('failure')
  }

  onError(error: CelebornError): void {
    this.error = error
    this.#note('error')
  }

  targetReleased(): void {
    this.#note('released')
  }

  #note(event: string): void {
    this.events.push(event)
    for (const resolve of this.#waiting.splice(0)) resolve()
    this.hook(event)
  }
}

export function responseBytes(requestId: number, body: Uint8Array = new Uint8Array(0)): Buffer {
  const head = Buffer.alloc(RPC_RESPONSE_HEADER_BYTES)
  writeRpcResponseHeader(head, 0, requestId, body.length)
  return Buffer.concat([head, body])
}

export function failureBytes(requestId: number, error: string): Buffer {
  const bytes = Buffer.alloc(rpcFailureLength(error))
  writeRpcFailure(bytes, 0, requestId, error)
  return bytes
}

/** A frame as it arrived. */
export interface ReceivedFrame {
  readonly type: number
  readonly fields: Buffer
  readonly body: Buffer
}

/** Calls back for each frame that arrives at a raw peer's socket. */
export function onFrames(socket: Socket, callback: (frame: ReceivedFrame) => void): void {
  let type = 0
  let fields = Buffer.alloc(0)
  let parts: Uint8Array[] = []
  const parser = new FrameParser(
    {
      onHeader(t, f) {
        type = t
        fields = Buffer.from(f)
        parts = []
      },
      onBody(piece) {
        parts.push(piece)
      },
      onEnd() {
        callback({ type, fields, body: Buffer.concat(parts) })
      },
    },
    { maxFieldsBytes: MIB, maxBodyBytes: 512 * MIB },
  )
  socket.on('data', (chunk: Buffer) => parser.push(chunk))
}

/** Request id of a push or an RPC. */
export function requestIdOf(frame: ReceivedFrame): number {
  return Number(frame.fields.readBigInt64BE(0))
}

/** A turn of the event loop, or several. */
export async function turns(count = 1): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** Waits for something that no event tells, such as a counter of the system's. */
export async function eventually(condition: () => boolean, what: string, limitMs = 10_000): Promise<void> {
  const end = performance.now() + limitMs
  while (!condition()) {
    if (performance.now() > end) throw new Error(`never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** A generator of the same numbers for each run: 32-bit xorshift. */
export function randomizer(seed: number): (below: number) => number {
  let state = seed | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

export function randomBytes(random: (below: number) => number, size: number): Uint8Array {
  const bytes = new Uint8Array(size)
  for (let i = 0; i < size; i++) bytes[i] = random(256)
  return bytes
}

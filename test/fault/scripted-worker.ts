import { createServer, type Server, type Socket } from 'node:net'
import { type Batch, iterateBatches } from '../../src/protocol/batch'
import {
  decodeFields,
  FrameParser,
  MessageType,
  RPC_RESPONSE_HEADER_BYTES,
  rpcFailureLength,
  type WireId,
  writeHeartbeat,
  writeRpcFailure,
  writeRpcResponseHeader,
  HEARTBEAT_BYTES,
} from '../../src/protocol/framing'
import { resetSocket } from './reset'

/** A push as the worker received it. */
export interface ReceivedPush {
  readonly requestId: WireId
  /** PUSH_MERGED_DATA; it may hold a single batch all the same. */
  readonly merged: boolean
  readonly shuffleKey: string
  readonly uniqueIds: readonly string[]
  readonly batches: readonly Batch[]
  readonly connection: WorkerConnection
  /** Answers success. */
  ack(): void
  /** Answers one status byte. */
  status(code: number): void
  answer(body: Uint8Array): void
  failure(text: string): void
}

/** The head of a push whose body has not arrived yet. */
export interface PushHead {
  readonly requestId: WireId
  readonly uniqueIds: readonly string[]
  readonly bodyBytes: number
  readonly connection: WorkerConnection
}

/** One accepted connection, whose every byte the test controls. */
export class WorkerConnection {
  bytesRead = 0
  closed = false
  constructor(
    readonly socket: Socket,
    readonly index: number,
  ) {
    socket.on('close', () => {
      this.closed = true
    })
  }

  respond(requestId: WireId, body: Uint8Array): void {
    const head = Buffer.alloc(RPC_RESPONSE_HEADER_BYTES)
    writeRpcResponseHeader(head, 0, requestId, body.length)
    this.write(Buffer.concat([head, body]))
  }

  fail(requestId: WireId, text: string): void {
    const frame = Buffer.alloc(rpcFailureLength(text))
    writeRpcFailure(frame, 0, requestId, text)
    this.write(frame)
  }

  heartbeat(): void {
    const frame = Buffer.alloc(HEARTBEAT_BYTES)
    writeHeartbeat(frame, 0)
    this.write(frame)
  }

  write(bytes: Uint8Array): void {
    if (!this.socket.destroyed) this.socket.write(bytes)
  }

  reset(): void {
    resetSocket(this.socket)
  }
}

/**
 * A worker's push port that does exactly what a test says: answers anything in any order, never, or twice; stops
 * reading; resets in the middle of a frame. It reads real frames from real sockets.
 */
export class ScriptedWorker {
  readonly pushes: ReceivedPush[] = []
  readonly connections: WorkerConnection[] = []
  /** Long runs keep nothing in {@link pushes}. */
  keepsPushes = true
  /** What happens to a push; by default it is acknowledged. */
  onPush: (push: ReceivedPush) => void = (push) => push.ack()
  /** Sees every connection before its first byte is read. */
  onConnection: (connection: WorkerConnection) => void = () => undefined
  /** Sees every piece as it was read, before anything is made of it; may reset the connection. */
  onData: (connection: WorkerConnection, data: Uint8Array) => void = () => undefined
  /** Sees the head of a push before its body has arrived. */
  onHead: (head: PushHead) => void = () => undefined
  /** The client sent bytes that are no message. */
  onBroken: (connection: WorkerConnection, error: unknown) => void = (_connection, error) => {
    throw error
  }
  /** Reset the connection once this many bytes were read from it. */
  resetAfterBytes = Number.POSITIVE_INFINITY
  heartbeats = 0
  private stalled = false
  private waiters: { count: number; resolve: () => void }[] = []

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {
    server.on('connection', (socket) => this.accept(socket))
  }

  static async start(port = 0): Promise<ScriptedWorker> {
    const server = createServer({ noDelay: true })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return new ScriptedWorker(server, address.port)
  }

  get host(): string {
    return '127.0.0.1'
  }

  get hostPort(): string {
    return `127.0.0.1:${this.port}`
  }

  /** Payloads received, in order. */
  get payloads(): Buffer[] {
    return this.pushes.flatMap((push) => push.batches.map((batch) => Buffer.from(batch.payload)))
  }

  /** Stops reading, on all connections and new ones. */
  stall(): void {
    this.stalled = true
    for (const { socket } of this.connections) socket.pause()
  }

  unstall(): void {
    this.stalled = false
    for (const { socket } of this.connections) if (!socket.destroyed) socket.resume()
  }

  resetAll(): void {
    for (const connection of this.connections) connection.reset()
  }

  /** Forgets what was received, and connections that are closed. */
  forget(): void {
    this.pushes.length = 0
    const alive = this.connections.filter((connection) => !connection.closed)
    this.connections.splice(0, this.connections.length, ...alive)
  }

  get openConnections(): number {
    return this.connections.filter((connection) => !connection.closed).length
  }

  /** Resolves once `count` pushes were received whole. */
  received(count: number): Promise<void> {
    if (this.pushes.length >= count) return Promise.resolve()
    return new Promise((resolve) => this.waiters.push({ count, resolve }))
  }

  async close(): Promise<void> {
    for (const { socket } of this.connections) socket.destroy()
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  private accept(socket: Socket): void {
    const connection = new WorkerConnection(socket, this.connections.length)
    this.connections.push(connection)
    socket.on('error', () => undefined)
    this.onConnection(connection)
    let head: { type: number; fields: Buffer } = { type: 0, fields: Buffer.alloc(0) }
    let body: Buffer[] = []
    const parser = new FrameParser(
      {
        onHeader: (type, fields, bodyBytes) => {
          head = { type, fields: Buffer.from(fields) }
          body = []
          this.head(connection, type, head.fields, bodyBytes)
        },
        onBody: (piece) => body.push(Buffer.from(piece)),
        onEnd: () => this.message(connection, head.type, head.fields, Buffer.concat(body)),
      },
      { maxFieldsBytes: 1 << 20, maxBodyBytes: 1 << 30 },
    )
    socket.on('data', (data) => {
      connection.bytesRead += data.length
      if (connection.bytesRead >= this.resetAfterBytes) {
        connection.reset()
        return
      }
      this.onData(connection, data)
      if (socket.destroyed) return
      try {
        parser.push(data)
      } catch (error) {
        this.onBroken(connection, error)
      }
    })
    if (this.stalled) socket.pause()
  }

  private head(connection: WorkerConnection, type: number, fields: Buffer, bodyBytes: number): void {
    if (type !== MessageType.PUSH_DATA && type !== MessageType.PUSH_MERGED_DATA) return
    const message = decodeFields(type, fields)
    if (message.type === MessageType.PUSH_DATA) {
      const { requestId, partitionUniqueId } = message
      this.onHead({ requestId, uniqueIds: [partitionUniqueId], bodyBytes, connection })
    } else if (message.type === MessageType.PUSH_MERGED_DATA) {
      const { requestId, partitionUniqueIds } = message
      this.onHead({ requestId, uniqueIds: partitionUniqueIds, bodyBytes, connection })
    }
  }

  private message(connection: WorkerConnection, type: number, fields: Buffer, body: Buffer): void {
    const message = decodeFields(type, fields)
    if (message.type === MessageType.HEARTBEAT) {
      this.heartbeats++
      return
    }
    if (message.type !== MessageType.PUSH_DATA && message.type !== MessageType.PUSH_MERGED_DATA) return
    const { requestId } = message
    const push: ReceivedPush = {
      requestId,
      merged: message.type === MessageType.PUSH_MERGED_DATA,
      shuffleKey: message.shuffleKey,
      uniqueIds:
        message.type === MessageType.PUSH_DATA ? [message.partitionUniqueId] : message.partitionUniqueIds,
      batches: [...iterateBatches(body)],
      connection,
      ack: () => connection.respond(requestId, new Uint8Array(0)),
      status: (code) => connection.respond(requestId, Uint8Array.of(code)),
      answer: (bytes) => connection.respond(requestId, bytes),
      failure: (text) => connection.fail(requestId, text),
    }
    if (this.keepsPushes) this.pushes.push(push)
    this.onPush(push)
    if (this.waiters.length === 0) return
    this.waiters = this.waiters.filter(({ count, resolve }) => {
      if (this.pushes.length < count) return true
      resolve()
      return false
    })
  }
}

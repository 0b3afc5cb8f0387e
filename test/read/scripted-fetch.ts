import { createServer, type Server, type Socket } from 'node:net'
import {
  CHUNK_FETCH_SUCCESS_HEADER_BYTES,
  chunkFetchFailureLength,
  decodeFields,
  FrameParser,
  MessageType,
  RPC_RESPONSE_HEADER_BYTES,
  rpcFailureLength,
  type StreamChunkSlice,
  type WireId,
  writeChunkFetchFailure,
  writeChunkFetchSuccessHeader,
  writeRpcFailure,
  writeRpcResponseHeader,
} from '../../src/protocol/framing'
import {
  ControlMessageType,
  decodeBufferStreamEnd,
  decodeChunkFetchRequest,
  decodeOpenStream,
  encodeStreamHandler,
  type OpenStream,
} from '../../src/protocol/messages'
import { decodeBare, encodeBare } from '../../src/protocol/transport-message'

/** A worker's file on this host. */
export interface LocalAnswer {
  readonly fullPath: string
  readonly chunkOffsets: readonly number[]
}

/** One request, and the answers that there are to it. */
export interface FetchCall {
  readonly requestId: WireId
  readonly socket: Socket
  /** RPC_RESPONSE with these bytes. */
  answer(body: Uint8Array): void
  /** RPC_FAILURE. */
  failure(text: string): void
}

export interface OpenCall extends FetchCall {
  readonly open: OpenStream
  /** A stream of that many chunks. */
  handler(numChunks: number, local?: LocalAnswer): void
}

export interface ChunkCall extends FetchCall {
  readonly slice: StreamChunkSlice
  /** CHUNK_FETCH_SUCCESS; by default for the slice that was asked for, and all of its bytes. */
  chunk(bytes: Uint8Array, slice?: StreamChunkSlice, sent?: number): void
  /** CHUNK_FETCH_FAILURE. */
  chunkFailure(text: string): void
}

/** A worker's fetch port that holds `chunks`, and does otherwise what its test says. It reads real frames. */
export class ScriptedFetch {
  readonly opened: OpenStream[] = []
  readonly fetched: number[] = []
  ended = 0
  readonly sockets = new Set<Socket>()
  onOpen: (call: OpenCall) => void = (call) => call.handler(this.chunks.length)
  onChunk: (call: ChunkCall) => void = (call) => {
    const chunk = this.chunks[call.slice.chunkIndex]
    if (chunk === undefined)
      call.chunkFailure(`java.io.IOException: no chunk ${call.slice.chunkIndex}\n\tat x`)
    else call.chunk(chunk)
  }
  /** Instead of speaking Celeborn. */
  onSocket: ((socket: Socket) => void) | null = null

  private constructor(
    private readonly server: Server,
    readonly port: number,
    public chunks: readonly Uint8Array[],
  ) {
    server.on('connection', (socket) => this.accept(socket))
  }

  static async start(chunks: readonly Uint8Array[]): Promise<ScriptedFetch> {
    const server = createServer({ noDelay: true })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return new ScriptedFetch(server, address.port, chunks)
  }

  get host(): string {
    return '127.0.0.1'
  }

  get hostPort(): string {
    return `127.0.0.1:${this.port}`
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  private accept(socket: Socket): void {
    this.sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.sockets.delete(socket))
    if (this.onSocket !== null) {
      this.onSocket(socket)
      return
    }
    let fields = Buffer.alloc(0)
    let type = 0
    let body: Buffer[] = []
    const parser = new FrameParser(
      {
        onHeader(headType, headFields) {
          type = headType
          fields = Buffer.from(headFields)
          body = []
        },
        onBody: (piece) => body.push(Buffer.from(piece)),
        onEnd: () => {
          const message = decodeFields(type, fields)
          if (message.type === MessageType.RPC_REQUEST)
            this.request(socket, message.requestId, Buffer.concat(body))
        },
      },
      { maxFieldsBytes: 1 << 20, maxBodyBytes: 1 << 20 },
    )
    socket.on('data', (data) => parser.push(data))
  }

  private request(socket: Socket, requestId: WireId, body: Buffer): void {
    const { type, payload } = decodeBare(body)
    const call = fetchCall(socket, requestId)
    switch (type) {
      case ControlMessageType.OPEN_STREAM: {
        const open = decodeOpenStream(payload)
        this.opened.push(open)
        const streamId = 4 + this.opened.length
        this.onOpen({
          ...call,
          open,
          handler: (numChunks, local) => call.answer(handlerBytes(numChunks, streamId, local)),
        })
        return
      }
      case ControlMessageType.CHUNK_FETCH_REQUEST: {
        const slice = decodeChunkFetchRequest(payload)
        this.fetched.push(slice.chunkIndex)
        this.onChunk({ ...call, slice, ...chunkAnswers(socket, slice) })
        return
      }
      case ControlMessageType.BUFFER_STREAM_END:
        decodeBufferStreamEnd(payload)
        this.ended++
    }
  }
}

export function handlerBytes(
  numChunks: number,
  streamId = 5,
  local: LocalAnswer = { fullPath: '', chunkOffsets: [] },
): Uint8Array {
  return encodeBare(
    ControlMessageType.STREAM_HANDLER,
    encodeStreamHandler({ streamId, numChunks, ...local, chunkOffsets: [...local.chunkOffsets] }),
  )
}

function fetchCall(socket: Socket, requestId: WireId): FetchCall {
  return {
    requestId,
    socket,
    answer(bytes) {
      const head = Buffer.alloc(RPC_RESPONSE_HEADER_BYTES)
      writeRpcResponseHeader(head, 0, requestId, bytes.length)
      socket.write(Buffer.concat([head, bytes]))
    },
    failure(text) {
      const frame = Buffer.alloc(rpcFailureLength(text))
      writeRpcFailure(frame, 0, requestId, text)
      socket.write(frame)
    },
  }
}

function chunkAnswers(socket: Socket, asked: StreamChunkSlice): Pick<ChunkCall, 'chunk' | 'chunkFailure'> {
  return {
    chunk(bytes, slice = asked, sent = bytes.length) {
      const head = Buffer.alloc(CHUNK_FETCH_SUCCESS_HEADER_BYTES)
      writeChunkFetchSuccessHeader(head, 0, slice, bytes.length)
      socket.write(Buffer.concat([head, bytes.subarray(0, sent)]))
    },
    chunkFailure(text) {
      const frame = Buffer.alloc(chunkFetchFailureLength(text))
      writeChunkFetchFailure(frame, 0, asked, text)
      socket.write(frame)
    },
  }
}

import { CelebornError, ProtocolError } from '../../errors'
import type { Body, ServerConnection } from '../../network'
import { type DecodedMessage, MessageType, messageTypeName, type WireId } from '../../protocol/framing'
import {
  ALL_MAPS,
  ControlMessageType,
  controlMessageName,
  decodeBufferStreamEnd,
  decodeChunkFetchRequest,
  decodeOpenStream,
  decodeOpenStreamList,
  encodeOpenStreamListResponse,
  encodeStreamHandler,
  type OpenStreamFile,
  type StreamHandler,
  type StreamHandlerOpt,
} from '../../protocol/messages'
import { StatusCode } from '../../protocol/status'
import { decodeBare, encodeBare } from '../../protocol/transport-message'
import { type BatchIndex, buildBatchIndex } from '../storage/batch-index'
import { mapRangePlan, wholeFilePlan } from '../storage/chunk-plan'
import type { FileHandles } from '../storage/file-handles'
import type { PartitionFile } from '../storage/partition-file'
import type { ChunkSender } from './chunk-sender'
import type { ShuffleState } from './shuffle-state'
import type { Shuffles } from './shuffles'
import type { Streams } from './streams'

/** Runs of one map task are cut at this share of a chunk, so that chunks of map ranges can be cut there. */
const RUN_SHARE = 0.25

/** What the worker that a {@link FetchService} belongs to tells it. */
export interface FetchHost {
  readonly shuffles: Shuffles
  readonly streams: Streams
  readonly handles: FileHandles
  readonly chunks: ChunkSender
  readonly chunkSize: number
  registered(): boolean
}

/** Serves the fetch port: streams over committed files, and their chunks. */
export class FetchService {
  readonly #host: FetchHost

  constructor(host: FetchHost) {
    this.#host = host
  }

  onMessage(conn: ServerConnection, message: DecodedMessage, body: Body): void {
    const bytes = body.concat()
    body.release()
    const registered = this.#host.registered()
    if (message.type === MessageType.RPC_REQUEST) {
      if (registered) this.#request(conn, message.requestId, bytes)
      else conn.replyFailure(message.requestId, 'Worker Not Registered!')
    } else if (message.type === MessageType.CHUNK_FETCH_REQUEST) {
      if (registered) this.#host.chunks.request(conn, message.slice)
      else conn.replyChunkFailure(message.slice, 'Worker Not Registered!')
    } else if (message.type === MessageType.BUFFER_STREAM_END) {
      this.#host.streams.end(message.streamId)
    } else {
      throw new ProtocolError(`a fetch port got ${messageTypeName(message.type)}`)
    }
  }

  #request(conn: ServerConnection, requestId: WireId, bytes: Uint8Array): void {
    const { type, payload } = decodeBare(bytes)
    switch (type) {
      case ControlMessageType.OPEN_STREAM: {
        const request = decodeOpenStream(payload)
        this.#answer(conn, requestId, async () => {
          const handler = await this.#open(request.shuffleKey, request)
          return encodeBare(ControlMessageType.STREAM_HANDLER, encodeStreamHandler(handler))
        })
        return
      }
      case ControlMessageType.BATCH_OPEN_STREAM: {
        const request = decodeOpenStreamList(payload)
        this.#answer(conn, requestId, async () => {
          const handlers: StreamHandlerOpt[] = []
          for (const file of request.files) handlers.push(await this.#tryOpen(request.shuffleKey, file))
          return encodeBare(
            ControlMessageType.BATCH_OPEN_STREAM_RESPONSE,
            encodeOpenStreamListResponse({ handlers }),
          )
        })
        return
      }
      case ControlMessageType.CHUNK_FETCH_REQUEST:
        // The answer is a chunk message that names the slice; the request's id is not used.
        this.#host.chunks.request(conn, decodeChunkFetchRequest(payload))
        return
      case ControlMessageType.BUFFER_STREAM_END:
        this.#host.streams.end(decodeBufferStreamEnd(payload).streamId)
        return
      default:
        conn.replyFailure(
          requestId,
          `the embedded cluster has no answer to ${controlMessageName(type)} on a fetch port`,
        )
    }
  }

  #answer(conn: ServerConnection, requestId: WireId, make: () => Promise<Uint8Array>): void {
    make().then(
      (bytes) => conn.reply(requestId, [bytes]),
      (error: unknown) => conn.replyFailure(requestId, failureText(error)),
    )
  }

  async #tryOpen(shuffleKey: string, file: OpenStreamFile): Promise<StreamHandlerOpt> {
    try {
      const streamHandler = await this.#open(shuffleKey, file)
      return { status: StatusCode.SUCCESS, streamHandler, errorMsg: '' }
    } catch (error) {
      return { status: StatusCode.OPEN_STREAM_FAILED, errorMsg: failureText(error) }
    }
  }

  async #open(shuffleKey: string, request: OpenStreamFile): Promise<StreamHandler> {
    const state = this.#host.shuffles.get(shuffleKey)
    const file = state?.files.get(request.fileName)
    if (state === undefined || file === undefined) {
      throw new CelebornError(
        'CELEBORN_FETCH_FAILED',
        `no committed file ${request.fileName} of ${shuffleKey}`,
      )
    }
    const { startIndex, endIndex } = request
    const range = endIndex !== ALL_MAPS && endIndex !== -1 && endIndex >= startIndex
    if (range && request.readLocalShuffle) {
      throw new CelebornError(
        'CELEBORN_FETCH_FAILED',
        'the embedded cluster has no sorted files: map ranges are not read locally',
      )
    }
    const plan = range
      ? mapRangePlan(await this.#index(state, file), startIndex, endIndex, this.#host.chunkSize)
      : wholeFilePlan(file)
    if (this.#host.shuffles.get(shuffleKey) !== state) {
      throw new CelebornError('CELEBORN_FETCH_FAILED', `${shuffleKey} was removed`)
    }
    const streamId = this.#host.streams.open({ shuffleKey, file, plan })
    if (streamId === undefined) {
      throw new CelebornError('CELEBORN_FETCH_FAILED', `${this.#host.streams.size} streams are open`)
    }
    const local = request.readLocalShuffle
    return {
      streamId,
      numChunks: plan.count,
      chunkOffsets: local ? file.chunkOffsets : [],
      fullPath: local ? file.path : '',
    }
  }

  #index(state: ShuffleState, file: PartitionFile): Promise<BatchIndex> {
    let index = state.indexes.get(file.fileName)
    if (index === undefined) {
      index = buildBatchIndex(file, this.#host.handles, Math.ceil(this.#host.chunkSize * RUN_SHARE))
      state.indexes.set(file.fileName, index)
      // A failed one is not kept: the next reader tries again.
      index.catch(() => state.indexes.delete(file.fileName))
    }
    return index
  }
}

/** Java clients look for this class name to tell what is not worth another try. */
function failureText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return `org.apache.celeborn.common.exception.PartitionUnRetryAbleException: ${message}`
}

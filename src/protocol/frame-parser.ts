import { CelebornError, ProtocolError } from '../errors'
import { FRAME_HEADER_BYTES, MAX_FRAME_BYTES } from './frame-encoders'
import { readInt32BE } from './int64'
import { isMessageType, messageTypeName } from './message-type'

/** Receives frames as their bytes arrive. It may throw; the parser is then done and rethrows. */
export interface FrameSink {
  /** Header and fields are complete. `fields` is valid during the call only; `bodySize` bytes of body follow. */
  onHeader(type: number, fields: Uint8Array, bodySize: number): void
  /** A non-empty piece of the body, where it lies in the chunk given to the parser; nothing was copied. */
  onBody(piece: Uint8Array): void
  /** The frame is complete. Also called when it has no body. */
  onEnd(): void
}

export interface FrameLimits {
  /** Largest fields part accepted, in bytes. */
  readonly maxFieldsBytes: number
  /** Largest body accepted, in bytes; a function may decide by the message type. */
  readonly maxBodyBytes: number | ((type: number) => number)
}

const INITIAL_FIELDS_BYTES = 256

/**
 * Cuts a byte stream into frames. It takes chunks of any fragmentation, does no I/O and copies nothing but
 * headers and fields that are split over several chunks. A caller that sees {@link bodyRemaining} > 0 may
 * receive that many bytes elsewhere itself, straight into their destination, and report them with
 * {@link skipBody}.
 *
 * Throws a ProtocolError when the peer breaks the framing or a limit; the connection cannot be used any more
 * then, and the parser refuses further bytes.
 */
export class FrameParser {
  private readonly sink: FrameSink
  private readonly limits: FrameLimits
  private readonly header = new Uint8Array(FRAME_HEADER_BYTES)
  private headerFill = 0
  private gathered = new Uint8Array(INITIAL_FIELDS_BYTES)
  private gatheredFill = 0
  private state: 'header' | 'fields' | 'body' | 'stopped' | 'broken' = 'header'
  private type = 0
  private fieldsSize = 0
  private bodySize = 0
  private bodyLeft = 0

  constructor(sink: FrameSink, limits: FrameLimits) {
    this.sink = sink
    this.limits = limits
  }

  /** Bytes of the current frame's body that have not arrived yet; 0 outside of a body. */
  get bodyRemaining(): number {
    return this.bodyLeft
  }

  /** Whether the stream may end here: no frame is half read. */
  get atBoundary(): boolean {
    return this.state === 'header' && this.headerFill === 0
  }

  /** No more frames: what is left of the current chunk and every later one is ignored. */
  stop(): void {
    this.state = 'stopped'
    this.bodyLeft = 0
  }

  /** Takes the next bytes of the stream; all of them are consumed. */
  push(chunk: Uint8Array): void {
    try {
      let at = 0
      while (at < chunk.length) at = this.step(chunk, at)
    } catch (error) {
      this.state = 'broken'
      this.bodyLeft = 0
      throw error
    }
  }

  /** The next `count` bytes of the current body were received elsewhere. The sink does not see them in onBody. */
  skipBody(count: number): void {
    if (this.state === 'stopped') return
    if (!(count >= 0 && count <= this.bodyLeft)) {
      throw new CelebornError(
        'CELEBORN_INTERNAL',
        `${count} bytes of a body of which ${this.bodyLeft} are left`,
      )
    }
    this.bodyLeft -= count
    if (count === 0 || this.bodyLeft > 0) return
    try {
      this.endFrame()
    } catch (error) {
      this.state = 'broken'
      throw error
    }
  }

  private step(chunk: Uint8Array, at: number): number {
    switch (this.state) {
      case 'header':
        return this.takeHeader(chunk, at)
      case 'fields':
        return this.takeFields(chunk, at)
      case 'body':
        return this.takeBody(chunk, at)
      case 'stopped':
        return chunk.length
      case 'broken':
        throw new ProtocolError('bytes after a framing error')
    }
  }

  private takeHeader(chunk: Uint8Array, at: number): number {
    if (this.headerFill === 0 && chunk.length - at >= FRAME_HEADER_BYTES) {
      this.startFrame(chunk, at)
      return at + FRAME_HEADER_BYTES
    }
    while (at < chunk.length && this.headerFill < FRAME_HEADER_BYTES) {
      this.header[this.headerFill++] = chunk[at++] as number
    }
    if (this.headerFill === FRAME_HEADER_BYTES) this.startFrame(this.header, 0)
    return at
  }

  private startFrame(header: Uint8Array, at: number): void {
    const fieldsSize = readInt32BE(header, at)
    const type = header[at + 4] as number
    const bodySize = readInt32BE(header, at + 5)
    this.headerFill = 0
    if (!isMessageType(type)) throw new ProtocolError(`unknown transport message ${type}`)
    const total = fieldsSize + bodySize
    if (fieldsSize < 0 || bodySize < 0 || total === 0 || total >= MAX_FRAME_BYTES) {
      throw new ProtocolError(`${messageTypeName(type)}: impossible sizes ${fieldsSize} + ${bodySize}`)
    }
    if (fieldsSize > this.limits.maxFieldsBytes) {
      throw new ProtocolError(
        `${messageTypeName(type)}: ${fieldsSize} bytes of fields, ${this.limits.maxFieldsBytes} are accepted`,
      )
    }
    const { maxBodyBytes } = this.limits
    const bodyLimit = typeof maxBodyBytes === 'number' ? maxBodyBytes : maxBodyBytes(type)
    if (bodySize > bodyLimit) {
      throw new ProtocolError(
        `${messageTypeName(type)}: a body of ${bodySize} bytes, ${bodyLimit} are accepted`,
      )
    }
    this.type = type
    this.fieldsSize = fieldsSize
    this.bodySize = bodySize
    this.gatheredFill = 0
    this.state = 'fields'
    if (fieldsSize === 0) this.deliverFields(this.gathered.subarray(0, 0))
  }

  private takeFields(chunk: Uint8Array, at: number): number {
    const missing = this.fieldsSize - this.gatheredFill
    const available = Math.min(missing, chunk.length - at)
    if (this.gatheredFill === 0 && available === missing) {
      this.deliverFields(chunk.subarray(at, at + missing))
      return at + missing
    }
    this.reserve(this.gatheredFill + available)
    this.gathered.set(chunk.subarray(at, at + available), this.gatheredFill)
    this.gatheredFill += available
    if (this.gatheredFill === this.fieldsSize) {
      const fields = this.gathered.subarray(0, this.fieldsSize)
      // An unusually large fields part must not stay allocated for the connection's life.
      if (this.gathered.length > 4096) this.gathered = new Uint8Array(INITIAL_FIELDS_BYTES)
      this.deliverFields(fields)
    }
    return at + available
  }

  /** Grows with the bytes that are really here, never by the size the peer announced. */
  private reserve(size: number): void {
    if (size <= this.gathered.length) return
    const grown = new Uint8Array(Math.min(Math.max(size, this.gathered.length * 2), this.fieldsSize))
    grown.set(this.gathered.subarray(0, this.gatheredFill))
    this.gathered = grown
  }

  private deliverFields(fields: Uint8Array): void {
    this.state = 'body'
    this.bodyLeft = this.bodySize
    this.sink.onHeader(this.type, fields, this.bodySize)
    if (this.bodySize === 0) this.endFrame()
  }

  private takeBody(chunk: Uint8Array, at: number): number {
    const size = Math.min(this.bodyLeft, chunk.length - at)
    this.bodyLeft -= size
    this.sink.onBody(at === 0 && size === chunk.length ? chunk : chunk.subarray(at, at + size))
    if (this.bodyLeft === 0) this.endFrame()
    return at + size
  }

  private endFrame(): void {
    if (this.state !== 'body') return // the sink stopped the parser
    this.state = 'header'
    this.sink.onEnd()
  }
}

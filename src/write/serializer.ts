import { CelebornError, ConfigError } from '../errors'

/**
 * Turns records into bytes, straight in the push buffer.
 * @typeParam T records
 */
export interface Serializer<T> {
  /** Named in messages. */
  readonly name: string
  /**
   * Writes the record into `target` from `at` on, and nothing before it.
   *
   * @returns where the record ends; or, when there is no room, the negative of the bytes that it needs: then it is called
   *   again for the same record with at least that many. What was written by then does not count.
   * @throws whatever it likes: the record is not written, and what it left in `target` does not count
   */
  write(record: T, target: Uint8Array, at: number): number
}

/** Records are bytes and follow each other without anything between them: they must tell their own ends. */
export class RawBytesSerializer implements Serializer<Uint8Array> {
  readonly name = 'raw bytes'

  write(record: Uint8Array, target: Uint8Array, at: number): number {
    const length = lengthOf(record, this.name)
    const end = at + length
    if (end > target.length) return -length
    copy(record, target, at, length)
    return end
  }
}

/** Bytes of {@link LengthPrefixedSerializer}'s prefix. */
export const LENGTH_PREFIX_BYTES = 4

/** Each record behind its length: 4 bytes, unsigned, little endian. {@link readLengthPrefixed} takes them apart. */
export class LengthPrefixedSerializer implements Serializer<Uint8Array> {
  readonly name = 'length-prefixed bytes'

  write(record: Uint8Array, target: Uint8Array, at: number): number {
    const length = lengthOf(record, this.name)
    const start = at + LENGTH_PREFIX_BYTES
    const end = start + length
    if (end > target.length) return -(LENGTH_PREFIX_BYTES + length)
    target[at] = length
    target[at + 1] = length >>> 8
    target[at + 2] = length >>> 16
    target[at + 3] = length >>> 24
    copy(record, target, start, length)
    return end
  }
}

/**
 * The records of one batch that {@link LengthPrefixedSerializer} wrote; a batch holds whole records. They are views of the
 * batch, valid as long as it is.
 * @throws CelebornError CELEBORN_CORRUPT_DATA when the batch ends within a record; ConfigError for anything but one batch's
 *   bytes
 */
export function* readLengthPrefixed(batch: Uint8Array): Generator<Uint8Array> {
  checkBatch(batch, 'readLengthPrefixed')
  const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength)
  for (let at = 0; at < batch.length; ) {
    const start = at + LENGTH_PREFIX_BYTES
    const end = start <= batch.length ? start + view.getUint32(at, true) : Infinity
    if (end > batch.length) {
      throw new CelebornError(
        'CELEBORN_CORRUPT_DATA',
        `a batch of ${batch.length} bytes ends within the length-prefixed record at ${at}: was it written by that serializer?`,
      )
    }
    yield batch.subarray(start, end)
    at = end
  }
}

/** Newline-delimited JSON: `JSON.stringify` of each record, UTF-8, one a line. Reads back with {@link readNdjson}. */
export class NdjsonSerializer<T = unknown> implements Serializer<T> {
  readonly name = 'NDJSON'

  write(record: T, target: Uint8Array, at: number): number {
    const text = stringify(record)
    const room = target.length - at
    // UTF-8 takes 1 to 3 bytes for each unit of a string; only near a buffer's end the exact number is needed.
    if (3 * text.length + 1 > room) {
      const needed = Buffer.byteLength(text) + 1
      if (needed > room) return -needed
    }
    const end = at + asBuffer(target).write(text, at, 'utf8')
    target[end] = 0x0a
    return end + 1
  }
}

/**
 * The records of one batch that {@link NdjsonSerializer} wrote; a batch holds whole lines.
 * @throws SyntaxError; ConfigError for anything but one batch's bytes
 */
export function* readNdjson<T = unknown>(batch: Uint8Array): Generator<T> {
  checkBatch(batch, 'readNdjson')
  for (let at = 0; at < batch.length; ) {
    const newline = batch.indexOf(0x0a, at)
    const end = newline < 0 ? batch.length : newline
    yield JSON.parse(asBuffer(batch).toString('utf8', at, end)) as T
    at = end + 1
  }
}

/** Without types a whole reader is easily given, which has no length: nothing would be read, without a word. */
function checkBatch(batch: unknown, name: string): void {
  if (batch instanceof Uint8Array) return
  throw new ConfigError(
    `${name} takes the bytes of one batch: for await (const batch of client.readPartition(…)) for (const record of ${name}(batch)) …`,
  )
}

function stringify(record: unknown): string {
  const text = JSON.stringify(record) as string | undefined
  if (text === undefined) throw new TypeError(`a record of type ${typeof record} has no JSON`)
  return text
}

const buffers = new WeakMap<Uint8Array, Buffer>()

/** A Buffer over the same memory, made once for each view. */
function asBuffer(bytes: Uint8Array): Buffer {
  if (Buffer.isBuffer(bytes)) return bytes
  let buffer = buffers.get(bytes)
  if (buffer === undefined) {
    buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    buffers.set(bytes, buffer)
  }
  return buffer
}

function lengthOf(record: Uint8Array, name: string): number {
  if (record instanceof Uint8Array) return record.length
  throw new TypeError(`${name} takes records of type Uint8Array or Buffer, not ${typeof record}`)
}

/** Below this a loop is faster than a call. */
const SHORT = 40

function copy(from: Uint8Array, to: Uint8Array, at: number, length: number): void {
  if (length > SHORT) to.set(from, at)
  else for (let i = 0; i < length; i++) to[at + i] = from[i] as number
}

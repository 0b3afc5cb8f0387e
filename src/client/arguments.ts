import { ConfigError } from '../errors'
import { NativeFrame } from '../memory'
import { type MapAttempt, type PushEncoding } from '../push/types'

// Callers from JavaScript are not held by types. What they hand over is checked before it is admitted: a length that is
// no number would switch the limits off.

const ENCODINGS: readonly string[] = ['compress', 'stored', 'encoded'] satisfies PushEncoding[]

/** @throws ConfigError unless `bytes` is a Uint8Array (a Buffer is one) */
export function requireBytes(call: string, bytes: unknown): void {
  if (!(bytes instanceof Uint8Array)) {
    throw new ConfigError(`${call} takes a Uint8Array or Buffer, not ${nameOf(bytes)}`)
  }
}

/** @throws ConfigError unless `frame` comes from a FramePool */
export function requireFrame(call: string, frame: unknown): void {
  if (!(frame instanceof NativeFrame)) {
    throw new ConfigError(`${call} takes a frame of a FramePool, not ${nameOf(frame)}`)
  }
}

/** @throws ConfigError unless `onRelease` can be called */
export function requireOnRelease(call: string, onRelease: unknown): void {
  if (typeof onRelease !== 'function') {
    throw new ConfigError(
      `${call} needs { onRelease }, a function that hears when the memory is free, not ${nameOf(onRelease)}`,
    )
  }
}

/** @throws ConfigError for an encoding that there is not */
export function requireEncoding(encoding: unknown): void {
  if (!ENCODINGS.includes(encoding as string)) {
    throw new ConfigError(`encoding ${String(encoding)} is none of ${ENCODINGS.join(', ')}`)
  }
}

/** @throws ConfigError unless `of` is an object */
export function requireTarget(of: MapAttempt): void {
  if (typeof of !== 'object' || (of as unknown) === null) {
    throw new ConfigError(
      `a target is an object { shuffleId, mapId, attemptId, numMappers, numPartitions … }, not ${nameOf(of)}`,
    )
  }
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  return `an object of class ${value.constructor?.name ?? 'unknown'}`
}

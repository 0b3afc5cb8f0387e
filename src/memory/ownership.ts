/**
 * How a frame changes hands: writer -> pending -> client -> released. For src/push and src/read only; users own
 * frames through {@link NativeFrame} alone.
 * @internal
 */
import { frameAccess, type FrameState, type NativeFrame, wrongOwner } from './native-frame'

/**
 * writer -> pending: a push waits for admission. The frame's memory is untouched and stays the writer's.
 * @throws FrameStateError when the writer does not own the frame
 */
export function pend(frame: NativeFrame): void {
  move(frame, 'writer', 'pending', 'a push was asked for')
}

/** pending -> writer: the wait was rejected; the writer has the frame back as it was. */
export function unpend(frame: NativeFrame): void {
  move(frame, 'pending', 'writer', 'a rejected push gave the frame back')
}

/**
 * pending or writer -> client: the push is admitted.
 * @returns the payload, `[0, length)`: valid until {@link giveBack}
 */
export function take(frame: NativeFrame): Uint8Array {
  const state = frameAccess.state(frame)
  if (state !== 'writer' && state !== 'pending') throw wrongOwner(state, 'a push was admitted')
  frameAccess.setState(frame, 'client')
  return frameAccess.view(frame)
}

/** client -> released: nobody reads the memory any more. All views drop to length 0, the block is free at once. */
export function giveBack(frame: NativeFrame): void {
  const state = frameAccess.state(frame)
  if (state !== 'client') throw wrongOwner(state, 'the client gave the frame back')
  frameAccess.end(frame)
}

/** Bytes of memory behind the frame: what it is charged at. At least `length`, in whole pages. */
export function allocatedBytes(frame: NativeFrame): number {
  return frameAccess.allocated(frame)
}

function move(frame: NativeFrame, from: FrameState, to: FrameState, what: string): void {
  const state = frameAccess.state(frame)
  if (state !== from) throw wrongOwner(state, what)
  frameAccess.setState(frame, to)
}

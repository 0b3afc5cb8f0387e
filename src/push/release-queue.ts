import { type ReleaseReason } from './types'

type OnRelease = (reason: ReleaseReason) => void

/**
 * Runs users' release callbacks, each exactly once, in order, never on the stack of whoever released the memory:
 * a callback may call any public method, and one that throws is reported and harms nobody else.
 */
export class ReleaseQueue {
  private pending: { callback: OnRelease; reason: ReleaseReason }[] = []
  private scheduled = false
  private throwing = 0

  /** Callbacks that threw, ever. */
  get failures(): number {
    return this.throwing
  }

  add(callback: OnRelease, reason: ReleaseReason): void {
    this.pending.push({ callback, reason })
    if (this.scheduled) return
    this.scheduled = true
    queueMicrotask(() => this.drain())
  }

  private drain(): void {
    this.scheduled = false
    const due = this.pending
    this.pending = []
    for (const { callback, reason } of due) {
      try {
        callback(reason)
      } catch (error) {
        this.throwing++
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
        process.emitWarning(`an onRelease callback threw; the memory is released all the same: ${text}`, {
          type: 'CelebornWarning',
          code: 'CELEBORN_ON_RELEASE_THREW',
        })
      }
    }
  }
}

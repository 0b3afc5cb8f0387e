/** A connection that receives into a shared budget. */
export interface BudgetMember {
  /** Part of a message has arrived and the rest has not. */
  readonly midMessage: boolean
  /** When it last received something. */
  readonly lastReadMs: number
  /** Looks again whether it may read. */
  reconsider(): void
  close(): void
}

/**
 * The received bytes of all connections of a server: those that handlers hold, and the beginnings of messages that are
 * not complete.
 *
 * Over the limit nobody reads. Handlers will release what they hold; but when all of it is beginnings of messages,
 * waiting would be for ever, so one connection at a time is let through until its message is complete. One that
 * holds the others up without sending anything is closed.
 */
export class ReceiveBudget {
  readonly limit: number
  /** Bytes received and not released; of those, bytes that handlers hold. */
  #used = 0
  #handed = 0
  peak = 0
  readonly #paused = new Set<BudgetMember>()
  #favoured: BudgetMember | null = null

  constructor(limit: number) {
    this.limit = limit
  }

  get used(): number {
    return this.#used
  }

  /** Bytes of an incomplete message have arrived. */
  received(bytes: number): void {
    this.#used += bytes
    if (this.#used > this.peak) this.peak = this.#used
  }

  /** A message is complete and its handler has the bytes. */
  handed(member: BudgetMember, bytes: number): void {
    this.#handed += bytes
    if (this.#favoured === member) this.#favoured = null
  }

  /** A handler has released a message. */
  released(bytes: number): void {
    this.#handed -= bytes
    this.#used -= bytes
    this.#wake()
  }

  /** An incomplete message was given up with its connection. */
  dropped(bytes: number): void {
    this.#used -= bytes
    this.#wake()
  }

  /** Whether the member has to stop reading; if so it will be told to reconsider. */
  mustWait(member: BudgetMember): boolean {
    if (this.#used <= this.limit || this.#favoured === member) {
      this.#paused.delete(member)
      return false
    }
    if (this.#handed === 0 && this.#favoured === null && member.midMessage) {
      this.#favoured = member
      this.#paused.delete(member)
      return false
    }
    this.#paused.add(member)
    return true
  }

  leave(member: BudgetMember): void {
    this.#paused.delete(member)
    if (this.#favoured !== member) return
    this.#favoured = null
    this.#wake()
  }

  /** Closes the connection that holds up the others and has sent nothing for `stallMs`. */
  closeStalled(nowMs: number, stallMs: number): boolean {
    const favoured = this.#favoured
    if (favoured === null || this.#used <= this.limit || this.#paused.size === 0) return false
    if (nowMs - favoured.lastReadMs < stallMs) return false
    favoured.close()
    return true
  }

  #wake(): void {
    if (this.#paused.size === 0) return
    // Each that may not go on puts itself back.
    for (const member of [...this.#paused]) member.reconsider()
  }
}

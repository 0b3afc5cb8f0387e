interface Application {
  lastHeartbeatMs: number
  readonly shuffles: Set<number>
}

/** The applications and shuffles that the master knows: data of any other may be deleted by the workers. */
export class Applications {
  readonly #applications = new Map<string, Application>()

  get size(): number {
    return this.#applications.size
  }

  get shuffleCount(): number {
    let count = 0
    for (const application of this.#applications.values()) count += application.shuffles.size
    return count
  }

  heartbeat(appId: string, nowMs: number): void {
    this.#touch(appId, nowMs)
  }

  registerShuffle(appId: string, shuffleId: number, nowMs: number): void {
    this.#touch(appId, nowMs).shuffles.add(shuffleId)
  }

  unregisterShuffle(appId: string, shuffleId: number): void {
    this.#applications.get(appId)?.shuffles.delete(shuffleId)
  }

  shuffles(appId: string): number[] {
    return [...(this.#applications.get(appId)?.shuffles ?? [])]
  }

  hasShuffle(appId: string, shuffleId: number): boolean {
    return this.#applications.get(appId)?.shuffles.has(shuffleId) ?? false
  }

  remove(appId: string): void {
    this.#applications.delete(appId)
  }

  /** Removes and returns the applications that were last heard of before `sinceMs`. */
  expire(sinceMs: number): string[] {
    const expired: string[] = []
    for (const [appId, application] of this.#applications) {
      if (application.lastHeartbeatMs < sinceMs) expired.push(appId)
    }
    for (const appId of expired) this.remove(appId)
    return expired
  }

  #touch(appId: string, nowMs: number): Application {
    let application = this.#applications.get(appId)
    if (application === undefined) {
      application = { lastHeartbeatMs: nowMs, shuffles: new Set() }
      this.#applications.set(appId, application)
    }
    application.lastHeartbeatMs = nowMs
    return application
  }
}

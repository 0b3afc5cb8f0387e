/** A generator of the same numbers for the same seed. */
export class Random {
  #state: number

  constructor(...seeds: readonly number[]) {
    let state = 0x9e3779b9
    for (const seed of seeds) state = mix(state ^ mix(seed | 0))
    this.#state = state
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return (mix(this.#state) >>> 0) % below
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  pick<T>(values: readonly T[]): T {
    const value = values[this.below(values.length)]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }

  bytes(size: number): Buffer {
    const bytes = Buffer.alloc(size)
    for (let i = 0; i < size; i++) bytes[i] = this.below(256)
    return bytes
  }
}

function mix(value: number): number {
  let x = value | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return x ^ (x >>> 16)
}

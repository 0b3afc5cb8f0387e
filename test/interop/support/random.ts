/** Repeatable random numbers (mulberry32). */
export class Random {
  constructor(private state: number) {}

  /** From 0 to below `bound`. */
  int(bound: number): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let x = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * bound)
  }

  boolean(): boolean {
    return this.int(2) === 0
  }

  /** From `min` to `max`, both included; every power of two is as likely as the next. */
  size(min: number, max: number): number {
    const exponent = Math.log2(min) + (Math.log2(max / min) * this.int(1 << 20)) / (1 << 20)
    return Math.min(max, Math.max(min, Math.round(2 ** exponent)))
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let i = 0; i < length; i++) bytes[i] = this.int(256)
    return bytes
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    return values[this.int(values.length)] ?? values[0]
  }
}

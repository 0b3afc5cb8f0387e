import type { EmbeddedSettings } from '../settings'

export interface MasterStats {
  /** Workers that are registered and alive. */
  readonly workers: number
  readonly applications: number
  readonly shuffles: number
}

/** The master of an embedded cluster. */
export declare class Master {
  constructor(settings: EmbeddedSettings, port: number)
  readonly port: number
  start(): Promise<void>
  stop(): Promise<void>
  stats(): MasterStats
}

import type { HostPort } from '../../conf'
import type { EmbeddedSettings } from '../settings'

export interface WorkerStats {
  /** `host:rpcPort:pushPort:fetchPort:replicatePort`. */
  readonly uniqueId: string
  readonly shuffles: number
  /** Committed partition files, and their bytes. */
  readonly files: number
  readonly fileBytes: number
  /** Pushed bytes that the disk does not have yet, now and at most. */
  readonly unwrittenBytes: number
  readonly peakUnwrittenBytes: number
  readonly openFiles: number
  readonly streams: number
  readonly chunkBytes: number
  readonly peakChunkBytes: number
  readonly connections: number
  /** Connections closed because of bytes that are no valid message. */
  readonly protocolErrors: number
}

export declare class Worker {
  constructor(settings: EmbeddedSettings, dir: string, master: HostPort)
  start(): Promise<void>
  stop(): Promise<void>
  stats(): WorkerStats
}

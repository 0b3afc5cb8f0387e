import { RpcServer } from '../../network'
import { Endpoint } from '../../protocol/rpc-envelope'
import type { EmbeddedSettings } from '../settings'
import { Applications } from './applications'
import { masterEndpoint } from './master-endpoint'
import { Workers } from './workers'

/** How often in its time-out a silent worker or application is looked for. */
const CHECKS_PER_TIMEOUT = 4

export interface MasterStats {
  /** Workers that are registered and alive. */
  readonly workers: number
  readonly applications: number
  readonly shuffles: number
}

/** The master of an embedded cluster: knows the workers, hands out slots, forgets what is silent for too long. */
export class Master {
  readonly #settings: EmbeddedSettings
  readonly #applications = new Applications()
  readonly #workers = new Workers()
  readonly #rpc: RpcServer
  #timer: NodeJS.Timeout | undefined

  /** @param port 0 lets the system choose. */
  constructor(settings: EmbeddedSettings, port: number) {
    this.#settings = settings
    const { host, maxMessageBytes } = settings
    this.#rpc = new RpcServer({ host, port, name: 'embedded master', maxMessageBytes })
    this.#rpc.endpoint(Endpoint.MASTER, masterEndpoint(this.#applications, this.#workers))
  }

  get port(): number {
    return this.#rpc.port
  }

  /** @throws CelebornError CELEBORN_IO when the port cannot be had. */
  async start(): Promise<void> {
    await this.#rpc.listen()
    const { workerTimeout, applicationTimeout } = this.#settings
    const period = Math.ceil(Math.min(workerTimeout, applicationTimeout) / CHECKS_PER_TIMEOUT)
    this.#timer = setInterval(() => {
      const nowMs = performance.now()
      this.#workers.expire(nowMs - workerTimeout)
      this.#applications.expire(nowMs - applicationTimeout)
    }, period).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#rpc.close()
  }

  stats(): MasterStats {
    return {
      workers: this.#workers.size,
      applications: this.#applications.size,
      shuffles: this.#applications.shuffleCount,
    }
  }
}

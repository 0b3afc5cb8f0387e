import { once } from 'node:events'
import { createServer, connect, type Server, type Socket } from 'node:net'
import { resetSocket } from './reset'

/** What goes wrong with the bytes of one direction. */
export interface PipeFault {
  /** Bytes that pass before {@link action} happens; 0 is at the first byte. */
  readonly after?: number
  /**
   * - `reset`: both sides; what has passed has arrived.
   * - `fin`: closed in good order, wherever that is in a message.
   * - `stall`: nothing is read any more, so that the sender's window closes.
   * - `swallow`: everything is read, nothing passed on.
   */
  readonly action?: 'reset' | 'fin' | 'stall' | 'swallow'
  /** Every piece arrives that much later. */
  readonly delayMs?: number
  /** At most so many bytes are passed on in one turn of the event loop, and nothing is read meanwhile. */
  readonly pieceBytes?: number
  /** What is passed on instead. */
  readonly replace?: (data: Buffer) => Buffer
}

export interface ConnectionFault {
  /**
   * At once: `reset`, `fin`, `ignore` (never read, never answered), `swallow` (read, never answered). The worker behind
   * does not see such a connection.
   */
  readonly accept?: 'reset' | 'fin' | 'ignore' | 'swallow'
  /** Client to worker. */
  readonly up?: PipeFault
  /** Worker to client. */
  readonly down?: PipeFault
}

interface Address {
  readonly host: string
  readonly port: number
}

/** One direction of one connection. */
class Pipe {
  passed = 0
  private seen = 0
  private fault: PipeFault
  private limit: number
  private swallowing = false
  private queue: Buffer[] = []
  private scheduled = false
  private readonly timers = new Set<NodeJS.Timeout>()

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    fault: PipeFault,
    private readonly onAction: (action: 'reset' | 'fin', from: Socket, to: Socket) => void,
  ) {
    this.fault = fault
    this.limit = fault.after ?? (fault.action === undefined ? Number.POSITIVE_INFINITY : 0)
    from.on('data', (data) => this.data(data))
    from.on('end', () => this.later(() => to.end()))
    to.on('drain', () => this.resume())
  }

  /** From now on this fault; its bytes count from here. */
  become(fault: PipeFault): void {
    this.fault = fault
    this.limit = this.seen + (fault.after ?? (fault.action === undefined ? Number.POSITIVE_INFINITY : 0))
  }

  /** Reads on, and passes nothing on any more. */
  swallow(): void {
    this.become({ action: 'swallow' })
    this.swallowing = true
    this.queue = []
    this.from.resume()
  }

  stop(): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.queue = []
  }

  private data(data: Buffer): void {
    if (this.swallowing) return
    const room = this.limit - this.seen
    const { action } = this.fault
    const passing = data.length < room ? data : data.subarray(0, room)
    this.seen += passing.length
    if (passing.length > 0) this.later(() => this.pass(passing))
    if (data.length < room || action === undefined) return
    if (action === 'swallow') this.swallowing = true
    else if (action === 'stall') this.from.pause()
    else {
      this.swallowing = true
      this.later(() => this.onAction(action, this.from, this.to))
    }
  }

  private later(what: () => void): void {
    const { delayMs } = this.fault
    if (delayMs === undefined) {
      what()
      return
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      what()
    }, delayMs)
    this.timers.add(timer)
  }

  private pass(data: Buffer): void {
    const { pieceBytes, replace } = this.fault
    const bytes = replace === undefined ? data : replace(data)
    this.passed += bytes.length
    if (this.to.destroyed) return
    if (pieceBytes === undefined) {
      if (!this.to.write(bytes)) this.from.pause()
      return
    }
    this.from.pause()
    for (let at = 0; at < bytes.length; at += pieceBytes) this.queue.push(bytes.subarray(at, at + pieceBytes))
    this.trickle()
  }

  private trickle(): void {
    if (this.scheduled) return
    this.scheduled = true
    setImmediate(() => {
      this.scheduled = false
      const piece = this.queue.shift()
      if (piece !== undefined && !this.to.destroyed) this.to.write(piece)
      if (this.queue.length > 0) this.trickle()
      else this.resume()
    })
  }

  private resume(): void {
    if (this.fault.action === 'stall' && this.seen >= this.limit) return
    if (this.queue.length === 0 && !this.from.destroyed) this.from.resume()
  }
}

/** One connection of a client, and the one to the worker that belongs to it. */
class ProxiedConnection {
  up: Pipe | null = null
  down: Pipe | null = null
  closed = false

  constructor(
    readonly client: Socket,
    readonly worker: Socket | null,
  ) {}

  reset(): void {
    resetSocket(this.client)
    if (this.worker !== null) resetSocket(this.worker)
  }
}

/**
 * A TCP proxy in front of a worker's port that does to a connection what networks and dying processes do: cuts it at
 * any byte, either way, stalls, delays, swallows, refuses, trickles. It knows nothing of messages.
 */
export class FaultProxy {
  /** What happens to a new connection; asked once for each, by its number on this proxy. */
  plan: (index: number) => ConnectionFault = () => ({})
  readonly connections: ProxiedConnection[] = []
  private server: Server | null = null

  private constructor(
    readonly upstream: Address,
    readonly host: string,
    private listenPort: number,
  ) {}

  static async start(upstream: Address): Promise<FaultProxy> {
    const proxy = new FaultProxy(upstream, '127.0.0.1', 0)
    await proxy.listen()
    return proxy
  }

  get port(): number {
    return this.listenPort
  }

  get hostPort(): string {
    return `${this.host}:${this.listenPort}`
  }

  /** Connections of clients that are not closed on this side. */
  get open(): number {
    return this.connections.filter(({ closed }) => !closed).length
  }

  /** Nothing listens any more: connecting is refused. */
  async refuse(): Promise<void> {
    const { server } = this
    this.server = null
    if (server === null) return
    const closed = once(server, 'close')
    server.close()
    for (const connection of this.connections) connection.reset()
    await closed
  }

  /** Listens again, at the same port. */
  async listen(): Promise<void> {
    if (this.server !== null) return
    const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true })
    this.server = server
    server.on('connection', (socket) => this.accept(socket))
    server.listen(this.listenPort, this.host)
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    this.listenPort = address.port
  }

  /** From now on, on the connections that there are. */
  afflict(fault: ConnectionFault): void {
    for (const { closed, up, down } of this.connections) {
      if (closed) continue
      if (fault.up !== undefined) up?.become(fault.up)
      if (fault.down !== undefined) down?.become(fault.down)
    }
  }

  resetAll(): void {
    for (const connection of this.connections) connection.reset()
  }

  /** Forgets connections that are closed. */
  forget(): void {
    const open = this.connections.filter(({ closed }) => !closed)
    this.connections.splice(0, this.connections.length, ...open)
  }

  /** Resolves when the clients have closed all their connections; what is stalled is read, and goes nowhere. */
  async empty(): Promise<void> {
    for (const { client, closed, up } of this.connections) {
      if (closed) continue
      const gone = once(client, 'close')
      up?.swallow()
      client.resume()
      await gone
    }
  }

  async close(): Promise<void> {
    for (const { client, worker } of this.connections) {
      client.destroy()
      worker?.destroy()
    }
    const { server } = this
    this.server = null
    if (server === null) return
    const closed = once(server, 'close')
    server.close()
    await closed
  }

  private accept(client: Socket): void {
    const fault = this.plan(this.connections.length)
    client.on('error', () => undefined)
    if (fault.accept !== undefined) {
      this.keep(new ProxiedConnection(client, null))
      this.meet(client, fault.accept)
      return
    }
    const worker = connect({ ...this.upstream, noDelay: true, allowHalfOpen: true })
    worker.on('error', () => resetSocket(client))
    const connection = new ProxiedConnection(client, worker)
    this.keep(connection)
    connection.up = new Pipe(client, worker, fault.up ?? {}, act)
    connection.down = new Pipe(worker, client, fault.down ?? {}, act)
    client.on('close', () => worker.end())
    worker.on('close', () => client.end())
    worker.once('connect', () => client.resume())
  }

  private keep(connection: ProxiedConnection): void {
    this.connections.push(connection)
    connection.client.on('close', () => {
      connection.closed = true
      connection.up?.stop()
      connection.down?.stop()
    })
  }

  private meet(client: Socket, how: 'reset' | 'fin' | 'ignore' | 'swallow'): void {
    switch (how) {
      case 'reset':
        resetSocket(client)
        return
      case 'fin':
        client.end()
        client.resume()
        return
      case 'swallow':
        client.resume()
        client.on('end', () => client.end())
        return
      case 'ignore':
        // Whoever does not read sees no end either; a closed peer shows when something is written to it.
        client.on('end', () => client.end())
    }
  }
}

/** Ends a connection behind the bytes that have passed: those have arrived. */
function act(action: 'reset' | 'fin', from: Socket, to: Socket): void {
  const sever = (socket: Socket): void => {
    if (action === 'reset') resetSocket(socket)
    else {
      socket.end()
      socket.resume()
    }
  }
  const end = (): void => {
    sever(from)
    sever(to)
  }
  if (to.destroyed) end()
  else to.write(Buffer.alloc(0), end)
}

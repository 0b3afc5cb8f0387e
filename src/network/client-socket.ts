import { type ConnectOpts, Socket, type SocketConstructorOpts } from 'node:net'
import { type ConnectionOptions } from './options'

/** Idle time before the system asks whether the peer is still there. */
const KEEP_ALIVE_DELAY_MS = 60_000

/** What happens on a client's socket. Nothing is called before {@link openSocket} has returned. */
export interface SocketEvents {
  /** Where the next bytes go; never empty. Called once before connecting and after each read. */
  nextBuffer(): Uint8Array
  /** `count` bytes are in the buffer given last. */
  received(count: number): void
  connected(): void
  /** The peer has closed its side. */
  ended(): void
  failed(error: Error): void
  /** The system uses none of its memory any more. Comes last, always. */
  settle(): void
}

/**
 * A socket that reads into memory of ours. It is not connecting yet: see {@link connectSocket}. `close` comes after
 * the callback of the last write, so what a write reads is free by then.
 */
export function openSocket(events: SocketEvents): Socket {
  const options: SocketConstructorOpts & ConnectOpts = {
    onread: {
      buffer: () => events.nextBuffer(),
      callback: (count) => {
        events.received(count)
        return true
      },
    },
  }
  const socket = new Socket(options)
  socket.on('connect', () => events.connected())
  socket.on('end', () => events.ended())
  socket.on('error', (error) => events.failed(error))
  socket.on('close', () => events.settle())
  return socket
}

/** @throws whatever a bad address or a broken look-up throws at once */
export function connectSocket(socket: Socket, host: string, port: number, options: ConnectionOptions): void {
  // As options of connect() they would have no effect: only a socket's constructor and net.connect() look at them.
  socket.setNoDelay(true)
  socket.setKeepAlive(true, KEEP_ALIVE_DELAY_MS)
  socket.connect({
    host,
    port,
    autoSelectFamily: true,
    // Node's 250 ms would give up on a far host's first address.
    autoSelectFamilyAttemptTimeout: Math.max(250, Math.min(2500, options.connectTimeoutMs / 4)),
    ...(options.lookup === undefined ? {} : { lookup: options.lookup }),
  })
}

import { type Socket } from 'node:net'

/**
 * Resets the connection. A socket that has said its end cannot be reset any more: libuv refuses, and Node.js then never
 * closes it, which keeps the process from ending.
 */
export function resetSocket(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

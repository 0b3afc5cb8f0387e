import { read as readCallback } from 'node:fs'
import { promisify } from 'node:util'

const read = promisify(readCallback)

/**
 * Fills `target` from `position` of the file on.
 *
 * @returns bytes read: fewer than asked for only where the file ends
 * @throws the system's error
 */
export async function readFully(descriptor: number, target: Uint8Array, position: number): Promise<number> {
  let done = 0
  while (done < target.byteLength) {
    const { bytesRead } = await read(descriptor, target, done, target.byteLength - done, position + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

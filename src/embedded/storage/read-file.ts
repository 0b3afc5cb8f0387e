import * as fs from 'node:fs'
import { CelebornError } from '../../errors'

/**
 * Fills `target` from `position` on.
 *
 * @throws CelebornError CELEBORN_CORRUPT_DATA when the file ends before that.
 */
export async function readFully(fd: number, target: Uint8Array, position: number): Promise<void> {
  let done = 0
  while (done < target.byteLength) {
    const got = await read(fd, target, done, position + done)
    if (got === 0) {
      throw new CelebornError(
        'CELEBORN_CORRUPT_DATA',
        `a partition file ends at ${position + done}, before the ${target.byteLength} bytes at ${position}`,
      )
    }
    done += got
  }
}

function read(fd: number, target: Uint8Array, offset: number, position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, target, offset, target.byteLength - offset, position, (error, bytes) => {
      if (error === null) resolve(bytes)
      else reject(error)
    })
  })
}

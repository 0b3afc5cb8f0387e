import { CelebornError } from '../../errors'
import { readFully } from '../../fs/read-fully'

/**
 * Fills `target` with the bytes of a partition file from `position` on.
 *
 * @throws CelebornError CELEBORN_CORRUPT_DATA when the file ends before that.
 */
export async function readPartitionFile(fd: number, target: Uint8Array, position: number): Promise<void> {
  const got = await readFully(fd, target, position)
  if (got === target.byteLength) return
  throw new CelebornError(
    'CELEBORN_CORRUPT_DATA',
    `a partition file ends at ${position + got}, before the ${target.byteLength} bytes at ${position}`,
  )
}

import { join } from 'node:path'
import { CelebornError } from '../../errors'

/** Below a worker's directory, where Celeborn's `celeborn.worker.storage.workingDir` points by default. */
const WORKING_DIR = join('celeborn-worker', 'shuffle_data')

/** File systems take 255 bytes per name; an application id that needs more is refused. */
const MAX_NAME_BYTES = 255

/**
 * The directory name of an application: the id itself when it is a plain name, otherwise with every other byte
 * as `%XX`, so that no id leads out of the directory and no two ids share one.
 *
 * @throws CelebornError CELEBORN_IO when the id is empty or its name too long for a file system.
 */
export function applicationDirectoryName(appId: string): string {
  let name = ''
  for (const byte of Buffer.from(appId, 'utf8')) {
    const character = String.fromCharCode(byte)
    const plain = /[A-Za-z0-9_=+@,-]/.test(character) || (character === '.' && name !== '')
    name += plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  if (name === '' || name.length > MAX_NAME_BYTES) {
    throw new CelebornError(
      'CELEBORN_IO',
      `the application id needs a directory name of ${name.length} bytes; 1 to ${MAX_NAME_BYTES} are possible`,
      { applicationId: appId.slice(0, MAX_NAME_BYTES) },
    )
  }
  return name
}

/** `<workerDir>/celeborn-worker/shuffle_data`. */
export function shuffleDataDirectory(workerDir: string): string {
  return join(workerDir, WORKING_DIR)
}

export function applicationDirectory(workerDir: string, appId: string): string {
  return join(shuffleDataDirectory(workerDir), applicationDirectoryName(appId))
}

/** @param shuffleId a number, so that nothing else of a peer's text gets into the path. */
export function shuffleDirectory(workerDir: string, appId: string, shuffleId: number): string {
  return join(applicationDirectory(workerDir, appId), String(shuffleId))
}

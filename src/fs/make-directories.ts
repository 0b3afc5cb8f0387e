import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a directory and its missing parents. Node's own `recursive` never returns where a parent is there but takes no
 * new entries (`/proc`), hence this.
 *
 * @returns the topmost directory that was made, undefined if `path` was there before
 * @throws the system's error
 */
export function makeDirectories(path: string): string | undefined {
  try {
    mkdirSync(path)
    return path
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EEXIST' && statSync(path).isDirectory()) return undefined
    const parent = dirname(path)
    if (code !== 'ENOENT' || parent === path) throw error
    const top = makeDirectories(parent)
    // The parent was there: what is refused now stays refused.
    if (top === undefined) throw error
    mkdirSync(path)
    return top
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

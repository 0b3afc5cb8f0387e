import { getSystemErrorMap } from 'node:util'

/** What the system says is wrong, in its own words and without Node's decoration: "no such file or directory". */
export function systemReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const errno: unknown = 'errno' in error ? error.errno : undefined
  const known = typeof errno === 'number' ? getSystemErrorMap().get(errno) : undefined
  return known === undefined ? error.message : known[1]
}

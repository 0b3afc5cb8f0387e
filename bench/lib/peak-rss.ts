import { readFileSync } from 'node:fs'

/**
 * The most memory that this process ever had resident, in bytes; undefined where the system does not tell. Unlike
 * `process.resourceUsage().maxRSS` it does not begin with what the process that forked this one had.
 */
export function peakRssBytes(): number | undefined {
  try {
    const kib = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]
    return kib === undefined ? undefined : Number(kib) * 1024
  } catch {
    return undefined
  }
}

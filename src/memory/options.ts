import { ConfigError } from '../errors'

/**
 * An option that is a number of bytes.
 * @throws ConfigError that names it, its value and what is accepted
 * @internal
 */
export function byteOption(name: string, value: number | undefined, byDefault: number): number {
  if (value === undefined) return byDefault
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new ConfigError(`${name} is a whole number of bytes from 0 on, not ${String(value)}`)
  }
  return value
}

import { parseSize, ValueProblem } from '../../src/conf'
import { ConfigError } from '../../src/errors'

/** Items separated by commas. */
export function listOption(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** @throws ConfigError that names the option */
export function sizeOption(option: string, text: string): number {
  try {
    return parseSize(text)
  } catch (error) {
    if (!(error instanceof ValueProblem)) throw error
    throw new ConfigError(`${option} ${text}: give a size such as 64k, 1m or 256m`)
  }
}

/** @throws ConfigError that names the option */
export function countOption(option: string, text: string, min: number, max: number): number {
  const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new ConfigError(`${option} ${text}: give ${min} to ${max}`)
  return value
}

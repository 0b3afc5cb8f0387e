import { ConfigError } from '../../errors'
import { CsvScanner } from './csv-scanner'
import { JsonScanner } from './json-scanner'
import { LineScanner } from './line-scanner'
import { type RecordScanner } from './scanner'

/** Which part of a record decides its partition. */
export type KeySpec =
  | { readonly kind: 'line' }
  | { readonly kind: 'csv'; readonly column: number }
  | { readonly kind: 'json'; readonly field: string }

/** @throws ConfigError */
export function parseKeySpec(text: string): KeySpec {
  if (text === 'line') return { kind: 'line' }
  const csv = /^csv:([1-9]\d{0,5})$/.exec(text)
  if (csv !== null) return { kind: 'csv', column: Number(csv[1]) }
  if (text.startsWith('json:') && text.length > 'json:'.length) {
    return { kind: 'json', field: text.slice('json:'.length) }
  }
  throw new ConfigError(
    `--key "${text}" is not known: use line, csv:N (N is the field's number, from 1) or json:FIELD`,
  )
}

export function keyText(key: KeySpec): string {
  switch (key.kind) {
    case 'line':
      return 'line'
    case 'csv':
      return `csv:${key.column}`
    case 'json':
      return `json:${key.field}`
  }
}

/** A scanner holds state: one for each reader. */
export function createScanner(key: KeySpec): RecordScanner {
  switch (key.kind) {
    case 'line':
      return new LineScanner()
    case 'csv':
      return new CsvScanner(key.column)
    case 'json':
      return new JsonScanner(key.field)
  }
}

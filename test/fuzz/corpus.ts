import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Inputs of one kind by name, as in test/fuzz/corpus/<kind>.json: hex, with `<hex>*<count>` for what repeats. */
export type Corpus = Readonly<Record<string, string>>

export const CORPUS_DIR = process.env['CELEBORN_NODE_FUZZ_CORPUS'] ?? join(__dirname, 'corpus')

export const KINDS = [
  'frames',
  'fields',
  'legacy',
  'answers',
  'content',
  'envelopes',
  'messages',
  'chunks',
  'blocks',
  'zstd-blocks',
] as const
export type Kind = (typeof KINDS)[number]

export function parseEntry(text: string): Buffer {
  const parts = text.split(' ').map((part) => {
    const [hex = '', count = '1'] = part.split('*')
    return Buffer.from(hex.repeat(Number(count)), 'hex')
  })
  return Buffer.concat(parts)
}

export function readCorpus(kind: Kind): Map<string, Buffer> {
  const entries = JSON.parse(readFileSync(join(CORPUS_DIR, `${kind}.json`), 'utf8')) as Corpus
  return new Map(Object.entries(entries).map(([name, text]) => [name, parseEntry(text)]))
}

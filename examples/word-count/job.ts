/** What driver and executors of the word count agree on. */

/** Given to each executor at its start, as JSON. */
export interface Job {
  readonly appId: string
  /** Where the driver's LifecycleManager listens. */
  readonly lifecycleManager: { readonly host: string; readonly port: number }
  readonly shuffleId: number
  readonly numMappers: number
  readonly numPartitions: number
  /** Lines of text that each map task has. */
  readonly lines: number
}

/** What the driver tells an executor to do next. */
export type Order =
  | { readonly kind: 'map'; readonly mapId: number }
  | { readonly kind: 'reduce'; readonly partitionIds: readonly number[] }

/** What an executor answers to an order. */
export type Answer =
  | { readonly kind: 'mapped'; readonly words: number }
  | { readonly kind: 'reduced'; readonly counts: readonly (readonly [word: string, count: number])[] }
  | { readonly kind: 'failed'; readonly message: string }

const WORDS =
  'shuffle batch frame worker master driver epoch split revive commit partition reader writer map'.split(' ')

export const WORDS_PER_LINE = 10

/** The text of one map task: the same at every run. */
export function* textOf(mapId: number, lines: number): Generator<string> {
  let state = mapId + 1
  const word = (): string => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return WORDS[(state >>> 16) % WORDS.length] ?? ''
  }
  for (let line = 0; line < lines; line++) yield Array.from({ length: WORDS_PER_LINE }, word).join(' ')
}

/** All occurrences of a word go to the same partition. */
export function partitionOf(word: string, numPartitions: number): number {
  let hash = 0
  for (const char of word) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  return hash % numPartitions
}

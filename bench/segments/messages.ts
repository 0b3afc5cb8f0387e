import { type StreamId } from '../../src/network'

/** Requests that wait for their chunk at once; Celeborn's readers ask so by default. */
export const IN_FLIGHT = 3

/**
 * Bytes before what is measured, so that it does not lie where large pages begin: chunks and segments of real files do so
 * only by chance, and mapping them is then much cheaper.
 */
export const SHIFT_BYTES = 12_345

/** How the worker takes a chunk from disk. */
export type ServeVariant = 'mapped' | 'read'

/** To the process that serves. */
export type ServerRequest =
  | {
      readonly kind: 'start'
      readonly variant: ServeVariant
      readonly chunkBytes: number
      readonly fileBytes: number
    }
  | { readonly kind: 'cpu' }

/** An open stream over the whole file. */
export interface Served {
  readonly host: string
  readonly port: number
  readonly streamId: StreamId
  readonly chunks: number
  readonly chunkBytes: number
  /** By which the first chunk is longer. */
  readonly extraBytes: number
}

/** What the serving process has used so far, user and system, in microseconds. */
export type CpuUs = number

/** To the process that reads and discards. */
export type ReaderRequest =
  | { readonly kind: 'pass'; readonly name: string; readonly served: Served }
  | { readonly kind: 'forget' }

/** Microseconds of a pass. */
export type WallUs = number

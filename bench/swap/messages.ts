export const VARIANTS = ['add-task-copy', 'add-task-swap'] as const
export type SwapVariant = (typeof VARIANTS)[number]

export interface SwapRequest {
  readonly variant: SwapVariant
  readonly bufferBytes: number
  readonly buffers: number
}

export interface SwapSample {
  readonly usPerBuffer: number
}

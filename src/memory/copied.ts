let announced = false

/**
 * Says, once per thread, that frames are copied.
 * @internal
 */
export function announceCopied(): void {
  if (announced) return
  announced = true
  process.emitWarning(
    'This runtime does not allow external buffers: frames live in memory that V8 allocated, and zeroCopy is false',
    { type: 'CelebornWarning', code: 'CELEBORN_COPIED_FRAMES' },
  )
}

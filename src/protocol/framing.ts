/** Transport framing: message ids, the incremental parser, writers of frame heads and decoders of fields. */
export * from './frame-decoders'
export * from './frame-encoders'
export * from './frame-parser'
export * from './int64'
export * from './message-type'
export * from './stream-chunk-slice'

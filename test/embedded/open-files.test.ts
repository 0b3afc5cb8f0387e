import { describe, expect, it } from 'vitest'
import { partitionFilesPerWorker } from '../../src/embedded/open-files'

describe('open files', () => {
  it('are shared between partition files and connections', () => {
    expect(partitionFilesPerWorker(256, 2, 20_000)).toBe(256)
    expect(partitionFilesPerWorker(256, 2, 256)).toBe(36)
    expect(partitionFilesPerWorker(256, 2, Number.POSITIVE_INFINITY)).toBe(256)
    expect(partitionFilesPerWorker(256, 2, 128)).toBe(8)
  })

  it('that do not suffice are refused, with the limit to raise', () => {
    expect(() => partitionFilesPerWorker(256, 2, 127)).toThrow(
      'this process may open 127 files and sockets, and an embedded cluster of 2 workers needs 128 or more: raise the limit (ulimit -n 128)',
    )
  })
})

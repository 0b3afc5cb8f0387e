import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CodecName } from '../../src/compress'
import { CelebornError } from '../../src/errors'
import { BATCH_HEADER_BYTES } from '../../src/protocol/batch'
import { BatchSum } from '../../src/protocol/integrity'
import { type ReadLifecycle } from '../../src/read/lifecycle'
import { directory } from '../buffer/files'
import { ScriptedFetch } from './scripted-fetch'
import { APP, batch, location, PARTITION_ID, ReaderWorld, SHUFFLE_ID, textsOf } from './scripted-reader'

const TEXTS = ['a', 'bb'.repeat(30), 'short', 'dd'.repeat(25), 'more', 'ff'.repeat(20)]
const CODECS: readonly CodecName[] = ['NONE', 'LZ4', 'ZSTD']
/** Map task, attempt and batch: no checksum of a batch covers them. */
const ID_BYTES = 12
const NUMBER_AT = 8
const NUM_MAPPERS = 3

/** A file of two chunks: two batches of each map task. */
function fileOf(codec: CodecName) {
  const batches = TEXTS.map((text, i) => batch(i % NUM_MAPPERS, 1 + Math.floor(i / NUM_MAPPERS), text, codec))
  const starts = batches.map((_, i) => batches.slice(0, i).reduce((sum, { length }) => sum + length, 0))
  const bytes = Buffer.concat(batches)
  const cut = starts[3] ?? 0
  const chunks = (of: Buffer): Buffer[] =>
    [of.subarray(0, cut), of.subarray(cut)].filter(({ length }) => length > 0)
  /** Where in its batch a byte lies. */
  const inBatch = (at: number): number => at - Math.max(...starts.filter((start) => start <= at))
  return { bytes, starts, chunks, inBatch }
}

/** A driver that compares what was read, as with the integrity check. */
class Driver implements ReadLifecycle {
  private readonly sum = new BatchSum()
  fileSize = 0

  constructor(private readonly fetch: ScriptedFetch) {
    for (const text of TEXTS) this.sum.add(Buffer.from(text))
  }

  reducerFileGroups: ReadLifecycle['reducerFileGroups'] = () => {
    const locations = new Map([[PARTITION_ID, [location(this.fetch, 0, { fileSize: this.fileSize })]]])
    return Promise.resolve({ locations, attempts: Array<number>(NUM_MAPPERS).fill(0) })
  }

  partitionRead: ReadLifecycle['partitionRead'] = ({ crc32, bytesWritten }) =>
    Promise.resolve(crc32 === this.sum.crc32 && bytesWritten === this.sum.bytes ? null : 'other sums')
}

async function start(codec: CodecName, check: boolean, local: boolean) {
  const fetch = await ScriptedFetch.start([])
  onTestFinished(() => fetch.close())
  const world = new ReaderWorld({
    'celeborn.client.shuffle.compression.codec': codec,
    'celeborn.client.shuffle.integrityCheck.enabled': check,
    'celeborn.client.readLocalShuffleFile.enabled': local,
  })
  const fullPath = join(directory(), '4-0-0')
  fetch.onOpen = ({ open, handler }) => {
    const { chunks } = fetch
    const ends = chunks.map((_, i) => chunks.slice(0, i + 1).reduce((sum, { length }) => sum + length, 0))
    if (open.readLocalShuffle) handler(chunks.length, { fullPath, chunkOffsets: [0, ...ends] })
    else handler(chunks.length)
  }
  const driver = new Driver(fetch)
  const read = async (chunks: readonly Buffer[], fileSize: number): Promise<CelebornError | null> => {
    fetch.chunks = chunks
    if (local) writeFileSync(fullPath, Buffer.concat(chunks))
    driver.fileSize = fileSize
    try {
      expect((await textsOf(world.readerOf(driver))).sort()).toEqual([...TEXTS].sort())
      return null
    } catch (error) {
      if (error instanceof CelebornError) return error
      throw error
    }
  }
  return { read, world }
}

const NAMED = { applicationId: APP, shuffleId: SHUFFLE_ID, partitionId: PARTITION_ID }

const CASES = CODECS.flatMap((codec) => [
  { codec, how: 'fetched', local: false },
  { codec, how: 'local', local: true },
])

describe.each(CASES)('codec $codec, $how', ({ codec, local }) => {
  it('each byte of a file changed: an error, or all rows as they were', async () => {
    const { bytes, chunks, inBatch } = fileOf(codec)
    const { read, world } = await start(codec, true, local)
    expect(await read(chunks(bytes), bytes.length)).toBeNull()
    const outcomes = { right: 0, found: 0, compared: 0 }
    for (let at = 0; at < bytes.length; at++) {
      const of = inBatch(at)
      for (const bits of [0x01, 0x10, 0x80, 0xff]) {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ bits
        const error = await read(chunks(changed), bytes.length)
        const where = `byte ${at} ^ ${bits}`
        if (error === null) {
          outcomes.right++
          // A batch's number only tells it from others; other bytes of a block may stand for the same data.
          const harmless = (of >= NUMBER_AT && of < ID_BYTES) || of >= BATCH_HEADER_BYTES
          expect([where, harmless]).toEqual([where, true])
          continue
        }
        expect([where, error.code]).toEqual([where, 'CELEBORN_CORRUPT_DATA'])
        expect(error.context).toMatchObject(NAMED)
        if (error.message.includes('is not what was written')) {
          outcomes.compared++
          // Whoever does not have sums compared does not see these.
          const unseen = of < ID_BYTES || codec === 'NONE'
          expect([where, unseen]).toEqual([where, true])
          continue
        }
        outcomes.found++
        expect(error.context).toMatchObject({ location: '4-0' })
        if (of >= BATCH_HEADER_BYTES) {
          expect(error.context).toMatchObject({
            mapId: expect.any(Number) as number,
            batchId: expect.any(Number) as number,
          })
        }
      }
    }
    expect(outcomes.found).toBeGreaterThan(codec === 'NONE' ? 100 : 700)
    expect(outcomes.compared).toBeGreaterThan(50)
    expect(await world.nothingHeld()).toBe(0)
  })

  it.each([
    ['its size is known', false],
    ['sums are compared, its size is not known', true],
  ])('a file that is cut off anywhere is an error, %s', async (_, check) => {
    const { bytes, chunks } = fileOf(codec)
    const { read, world } = await start(codec, check, local)
    for (let length = 0; length < bytes.length; length++) {
      const error = await read(chunks(bytes.subarray(0, length)), check ? 0 : bytes.length)
      expect([length, error?.code]).toEqual([length, 'CELEBORN_CORRUPT_DATA'])
      expect(error?.context).toMatchObject(NAMED)
    }
    expect(await world.nothingHeld()).toBe(0)
  })
})

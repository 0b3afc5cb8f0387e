import { describe, expect, it, onTestFinished } from 'vitest'
import { type CelebornError } from '../../src/errors'
import { CASES, CHUNKS, FILE_SIZE, TEXTS } from './bad-input-cases'
import { ScriptedFetch } from './scripted-fetch'
import { APP, location, PARTITION_ID, ReaderWorld, SHUFFLE_ID, textsOf } from './scripted-reader'

async function worker(): Promise<ScriptedFetch> {
  const started = await ScriptedFetch.start(CHUNKS)
  onTestFinished(() => started.close())
  return started
}

const SETTINGS = { 'celeborn.node.maxMessageBytes': '64k' }
/** What does not answer must be noticed in a test's time. */
const QUICK = {
  ...SETTINGS,
  'celeborn.client.fetch.timeout': '300ms',
  'celeborn.data.fetch.timeoutCheck.interval': '20ms',
}

describe.each(CASES)('$what', ({ play, code, says, silent }) => {
  const settings = silent === true ? QUICK : SETTINGS

  it('is an error that names shuffle, partition, location, worker and cause, never fewer rows', async () => {
    const bad = await worker()
    play(bad)
    const world = new ReaderWorld(settings)
    const read: string[] = []
    const reader = world.reader([location(bad, 0, { fileSize: FILE_SIZE })])
    const error = await textsOf(reader, read).then(
      () => {
        throw new Error('nothing went wrong')
      },
      (thrown: unknown) => thrown as CelebornError,
    )
    expect(error).toMatchObject({
      code,
      context: {
        applicationId: APP,
        shuffleId: SHUFFLE_ID,
        partitionId: PARTITION_ID,
        location: '4-0',
        hostPort: bad.hostPort,
      },
    })
    expect(error.message).toMatch(
      new RegExp(
        `^location 4-0 of partition 4 of shuffle 9 could not be read in 1 try; the last, primary at ${bad.hostPort}: `,
      ),
    )
    expect(error.message).toMatch(says)
    expect(error.message).not.toContain('\n')
    expect(error.context.attempts).toHaveLength(1)
    expect(error.cause).toMatchObject({ code: expect.stringMatching(/^CELEBORN_/) as string })
    // What was delivered before is right, each batch once.
    expect(TEXTS.filter((text) => read.includes(text))).toEqual(read)
    expect(await world.nothingHeld()).toBe(0)
  })

  it.each([
    ['primary', 0],
    ['replica', 1],
  ] as const)('of the %s: the other copy is read, each batch once', async (_, badMode) => {
    const bad = await worker()
    play(bad)
    const good = await worker()
    // The other copy has its batches in another order and in one chunk.
    good.chunks = [Buffer.concat([...CHUNKS].reverse())]
    // On a busy machine the good copy may be late, too; then it is asked again.
    const retries = silent === true ? 5 : 0
    const world = new ReaderWorld({ ...settings, 'celeborn.client.fetch.maxRetriesForEachReplica': retries })
    const copies = badMode === 0 ? [bad, good] : [good, bad]
    const [primary, replica] = copies
    if (primary === undefined || replica === undefined) throw new Error('no copies')
    const peer = location(replica, 1, { fileSize: FILE_SIZE })
    const reader = world.reader([location(primary, 0, { fileSize: FILE_SIZE, peer })])
    expect((await textsOf(reader)).sort()).toEqual([...TEXTS].sort())
    expect(reader.stats.batches).toBe(TEXTS.length)
    if (silent === undefined) {
      expect(reader.stats.retries).toBe(badMode === 0 ? 1 : 0)
      expect(good.opened).toHaveLength(1)
      expect(bad.opened.length).toBeLessThanOrEqual(badMode === 0 ? 1 : 0)
    }
    expect(await world.nothingHeld()).toBe(0)
  })
})

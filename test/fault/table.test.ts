import { describe, expect, it } from 'vitest'
import { StatusCode } from '../../src/protocol/status'
import { type ConnectionFault } from './fault-proxy'
import {
  codecOf,
  digestsOf,
  expectNothingHeld,
  type Mode,
  MODES,
  pushAll,
  settle,
  SHUFFLE,
  World,
} from './world'

const {
  PUSH_DATA_CREATE_CONNECTION_FAIL_PRIMARY: CONNECT,
  PUSH_DATA_CONNECTION_EXCEPTION_PRIMARY: LOST,
  PUSH_DATA_TIMEOUT_PRIMARY: TIMEOUT,
} = StatusCode

const ATTEMPT = { ...SHUFFLE, mapId: 0, attemptId: 0 }
/** 24 batches from 10 bytes to 120 KB; merged ones are small. */
const SIZES = Array.from({ length: 24 }, (_, i) => 10 + i * i * 223)
const MERGED_SIZES = SIZES.map((size) => 10 + (size % 6000))
// On a busy machine healthy workers may be too slow for a short time-out as well: they are soon offered again.
const SHORT = {
  'celeborn.client.push.timeout': '400ms',
  'celeborn.client.push.revive.maxRetries': 100,
  'celeborn.client.push.revive.interval': '50ms',
  'celeborn.client.excludedWorker.expireTimeout': '300ms',
}

/** The first connections have a fault, and later ones have none. */
const first =
  (count: number, fault: ConnectionFault) =>
  (index: number): ConnectionFault =>
    index < count ? fault : {}

interface Fault {
  readonly name: string
  readonly fault: (index: number) => ConnectionFault
  readonly entries?: Record<string, string | number>
  /** One of these is the cause that the LifecycleManager is given; none: nothing is retried. */
  readonly causes?: readonly number[]
  /** Megabytes, which no kernel takes off our hands. */
  readonly large?: boolean
  readonly verify?: (world: World) => void
}

const stray = (world: World): void => {
  expect(world.client.stats().connections.strayAnswers).toBeGreaterThan(0)
}

/** Each is got over: all batches are acknowledged, and are read back once. */
const OVERCOME: readonly Fault[] = [
  {
    name: 'reset in the frame header',
    fault: first(2, { up: { after: 7, action: 'reset' } }),
    causes: [LOST],
  },
  { name: 'reset in the fields', fault: first(2, { up: { after: 40, action: 'reset' } }), causes: [LOST] },
  {
    name: 'reset in the payload (B20)',
    fault: first(2, { up: { after: 1500, action: 'reset' } }),
    causes: [LOST],
  },
  {
    name: 'closed in good order in the payload',
    fault: first(2, { up: { after: 1501, action: 'fin' } }),
    causes: [LOST],
  },
  {
    name: 'reset in the middle of megabytes being written (B20)',
    fault: first(1, { up: { after: 3_000_000, action: 'reset' } }),
    causes: [LOST],
    large: true,
  },
  {
    name: 'reset before an answer arrives: written twice, read once (B27)',
    fault: first(2, { down: { after: 0, action: 'reset' } }),
    causes: [LOST],
  },
  {
    name: 'reset within an answer (B27)',
    fault: first(2, { down: { after: 9, action: 'reset' } }),
    causes: [LOST],
  },
  {
    name: 'closed within an answer',
    fault: first(2, { down: { after: 20, action: 'fin' } }),
    causes: [LOST],
  },
  { name: 'reset at once', fault: first(2, { accept: 'reset' }), causes: [LOST, CONNECT] },
  {
    name: 'closed at once, between connect and first write (B31)',
    fault: first(2, { accept: 'fin' }),
    causes: [LOST],
  },
  { name: 'accepted, never read', fault: first(1, { accept: 'ignore' }), causes: [TIMEOUT], entries: SHORT },
  {
    name: 'accepted, never answered',
    fault: first(1, { accept: 'swallow' }),
    causes: [TIMEOUT],
    entries: SHORT,
  },
  {
    name: 'not read any more in the middle of megabytes (B44)',
    fault: first(1, { up: { after: 100_000, action: 'stall' } }),
    causes: [TIMEOUT],
    entries: SHORT,
    large: true,
  },
  {
    name: 'answers lost: written twice, read once',
    fault: first(1, { down: { action: 'swallow' } }),
    causes: [TIMEOUT],
    entries: SHORT,
  },
  {
    name: 'answers after the time-out (B26)',
    fault: first(1, { down: { delayMs: 900 } }),
    causes: [TIMEOUT],
    entries: SHORT,
    verify: stray,
  },
  {
    name: 'answers are no messages',
    fault: first(1, { down: { replace: (data) => Buffer.alloc(data.length, 0x7f) } }),
    causes: [LOST],
  },
  {
    name: 'every answer twice',
    fault: () => ({ down: { replace: (data) => Buffer.concat([data, data]) } }),
    verify: stray,
  },
  { name: 'answers in single bytes', fault: () => ({ down: { pieceBytes: 1 } }) },
  {
    name: 'read in pieces of 4 KiB, the window closing behind each',
    fault: () => ({ up: { pieceBytes: 4096 } }),
  },
  { name: 'answers late, but in time', fault: () => ({ down: { delayMs: 50 } }) },
]

async function startWorld(mode: Mode, entries: Record<string, string | number> = {}): Promise<World> {
  return World.start({
    entries: { ...entries, 'celeborn.client.shuffle.compression.codec': codecOf(mode) },
  })
}

describe.each(MODES)('%s', (mode) => {
  const sizes = mode === 'merged' ? MERGED_SIZES : SIZES

  it.each(OVERCOME)('$name', async ({ fault, causes, entries, large, verify }) => {
    const world = await startWorld(mode, entries)
    world.fault = fault
    const { client } = world
    const pushed = await pushAll(client, mode, ATTEMPT, large === true ? sizes.map(() => 1_000_000) : sizes)
    await client.mapperEnd(ATTEMPT)
    const settlements = await settle(pushed)
    expect(new Set(settlements.map(({ outcome }) => outcome))).toEqual(new Set(['acked']))
    expectNothingHeld(client)
    expect(client.stats()).toMatchObject({ acked: pushed.length, failed: 0, dropped: 0 })
    if (causes === undefined) {
      expect(client.stats().retries).toBe(0)
      expect(world.relay.revives).toEqual([])
    } else {
      expect(client.stats().retries).toBeGreaterThan(0)
      expect([...world.causes].some((cause) => causes.includes(cause))).toBe(true)
    }
    expect(await world.readBack()).toEqual(digestsOf(pushed))
    if (verify !== undefined) {
      for (let i = 0; i < 100 && client.stats().connections.strayAnswers === 0; i++) {
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      verify(world)
    }
    await world.close()
  })
})

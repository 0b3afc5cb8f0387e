import fc from 'fast-check'
import {
  type Action,
  type Answer,
  type AnswerKind,
  type Program,
  type ReportKind,
  type ReviveAnswer,
  type ReviveKind,
  type Scenario,
  type Step,
} from './commands'

export type ProgramKind = 'scripted' | 'embedded'

const KIB = 1024
const MIB = 1024 * KIB

const SMALL = [
  0, 1, 3, 15, 16, 17, 60, 100, 333, 700, 1000, 1500, 2000, 3000, 4000, 4095, 4096, 4097, 6000, 8192, 10_000,
  16_384, 20_000, 33_000, 65_536, 90_000,
]
/** Loopback takes some four megabytes of a peer that does not read; more than that stays with the client. */
const BIG = [1, 100, 70_000, MIB, 2 * MIB, 3 * MIB, 4.5 * MIB, 6.5 * MIB, 6.5 * MIB, 6.5 * MIB]

/** Payload bytes that a size code stands for. */
export function sizeOf(scenario: Scenario, code: number): number {
  const sizes = scenario.big ? BIG : SMALL
  return sizes[code % sizes.length] ?? 0
}

const sizeCode = fc.nat({ max: SMALL.length - 1 })
const pick = fc.nat({ max: 30 })
const signal = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
)

function weighted<K extends string>(weights: Readonly<Record<K, number>>): fc.Arbitrary<K> {
  const entries = Object.entries(weights) as [K, number][]
  return fc.oneof(
    ...entries.map(([kind, weight]) => ({ weight: Math.round(weight * 20), arbitrary: fc.constant(kind) })),
  )
}

const answer = (early: number): fc.Arbitrary<Answer> =>
  fc.record({
    kind: weighted<AnswerKind>({
      ack: 4,
      'soft-split': 4,
      'hard-split': 5,
      split: 6,
      congested: 2,
      'replica-congested': 1,
      'map-ended': 1,
      'stage-ended': 0.3,
      'unknown-status': 2,
      failure: 8,
      malformed: 2,
      garbage: 1,
      silent: 4,
      late: 4,
      held: 6,
      twice: 3,
      early,
      reset: 3,
      end: 1,
    }),
    arg: fc.nat({ max: 255 }),
    wrote: fc.boolean(),
  })

const revive: fc.Arbitrary<ReviveAnswer> = fc.record({
  kind: weighted<ReviveKind>({
    next: 4,
    other: 4,
    dead: 2,
    same: 2,
    older: 1,
    refused: 3,
    omitted: 1,
    slow: 3,
    error: 1,
    silent: 0.3,
    'stage-ended': 0.2,
  }),
  arg: fc.nat({ max: 50 }),
})

const report = weighted<ReportKind>({ success: 3, refused: 2, slow: 3, error: 2, silent: 0.5 })

const ACTIONS: Readonly<Record<Action['do'], { weight: number; arbitrary: fc.Arbitrary<Action> }>> = {
  acquire: {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('acquire' as const),
      size: sizeCode,
      waits: fc.boolean(),
      signal,
    }),
  },
  encode: {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('encode' as const),
      frame: pick,
      length: fc.nat({ max: 1000 }),
      block: fc.boolean(),
    }),
  },
  trim: {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('trim' as const),
      frame: pick,
      permille: fc.nat({ max: 1000 }),
    }),
  },
  release: { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), frame: pick }) },
  forget: { weight: 0.6, arbitrary: fc.record({ do: fc.constant('forget' as const), frame: pick }) },
  touch: {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('touch' as const),
      frame: pick,
      how: fc.constantFrom('bytes', 'trim', 'release', 'push'),
    }),
  },
  push: {
    weight: 55,
    arbitrary: fc.record({
      do: fc.constant('push' as const),
      how: fc.constantFrom('frame', 'frame', 'buffer', 'data'),
      merge: fc.oneof(
        { weight: 5, arbitrary: fc.constant(false) },
        { weight: 3, arbitrary: fc.constant(true) },
      ),
      attempt: pick,
      partition: pick,
      encoding: fc.constantFrom('compress', 'compress', 'stored', 'encoded'),
      size: sizeCode,
      reuse: fc.boolean(),
      signal,
      callback: weighted({ plain: 20, throws: 1, pushes: 1, cleans: 0.2 }),
    }),
  },
  'push-bad': {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('push-bad' as const),
      how: fc.constantFrom('frame', 'buffer', 'data'),
      what: fc.constantFrom('partition', 'map', 'attempt', 'numbers', 'size', 'signal'),
    }),
  },
  'push-merged': {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('push-merged' as const), attempt: pick }),
  },
  fire: {
    weight: 1.5,
    arbitrary: fc.record({ do: fc.constant('fire' as const), signal: fc.integer({ min: 1, max: 4 }) }),
  },
  settle: { weight: 3, arbitrary: fc.record({ do: fc.constant('settle' as const), attempt: pick }) },
  quiesce: { weight: 1.5, arbitrary: fc.record({ do: fc.constant('quiesce' as const) }) },
  answers: {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant('answers' as const),
      worker: pick,
      answers: fc.array(answer(4), { minLength: 1, maxLength: 5 }),
    }),
  },
  held: {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('held' as const),
      worker: pick,
      order: fc.constantFrom('first', 'last', 'all'),
    }),
  },
  stall: { weight: 2, arbitrary: fc.record({ do: fc.constant('stall' as const), worker: pick }) },
  resume: { weight: 3, arbitrary: fc.record({ do: fc.constant('resume' as const), worker: pick }) },
  reset: {
    weight: 2.5,
    arbitrary: fc.record({
      do: fc.constant('reset' as const),
      worker: pick,
      afterBytes: fc.oneof(fc.constant(0), fc.nat({ max: 200 }), fc.nat({ max: 30_000 })),
    }),
  },
  refuse: {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('refuse' as const),
      worker: pick,
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  noise: {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('noise' as const),
      worker: pick,
      what: weighted({
        heartbeat: 4,
        'unknown-answer': 3,
        'duplicate-answer': 3,
        request: 1,
        garbage: 0.7,
      }),
      pieces: fc.integer({ min: 1, max: 5 }),
    }),
  },
  revives: {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('revives' as const),
      answers: fc.array(revive, { minLength: 1, maxLength: 3 }),
    }),
  },
  reports: {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reports' as const),
      answers: fc.array(report, { minLength: 1, maxLength: 3 }),
    }),
  },
  foreign: { weight: 0.4, arbitrary: fc.record({ do: fc.constant('foreign' as const), map: pick }) },
  abort: { weight: 1, arbitrary: fc.record({ do: fc.constant('abort' as const), attempt: pick }) },
  end: { weight: 1.5, arbitrary: fc.record({ do: fc.constant('end' as const), attempt: pick }) },
  'forget-shuffle': { weight: 0.15, arbitrary: fc.record({ do: fc.constant('forget-shuffle' as const) }) },
  close: { weight: 0.25, arbitrary: fc.record({ do: fc.constant('close' as const) }) },
  gc: {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('gc' as const),
      full: fc.oneof(
        { weight: 3, arbitrary: fc.constant(false) },
        { weight: 1, arbitrary: fc.constant(true) },
      ),
    }),
  },
  pause: {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pause' as const), ms: fc.integer({ min: 1, max: 12 }) }),
  },
}

/** What only scripted servers can do. */
const SCRIPTED: ReadonlySet<string> = new Set([
  'answers',
  'held',
  'stall',
  'resume',
  'reset',
  'refuse',
  'noise',
  'revives',
  'reports',
  'foreign',
] satisfies Action['do'][])

/** Where writes stay under way, answers that come before their end are what matters. */
const BIG_ANSWERS: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('answers' as const),
  worker: pick,
  answers: fc.array(answer(60), { minLength: 1, maxLength: 5 }),
})

function step(kind: ProgramKind, big: boolean): fc.Arbitrary<Step> {
  const all = big ? { ...ACTIONS, answers: { weight: 20, arbitrary: BIG_ANSWERS } } : ACTIONS
  const actions = Object.entries(all)
    .filter(([name]) => kind === 'scripted' || !SCRIPTED.has(name))
    // fast-check takes whole weights.
    .map(([, { weight, arbitrary }]) => ({ weight: Math.round(weight * 20), arbitrary }))
  return fc.record({ action: fc.oneof(...actions), turns: fc.constantFrom(0, 1, 1, 2, 3, -4, -20) })
}

function scenario(kind: ProgramKind, big: boolean): fc.Arbitrary<Scenario> {
  const unit = big ? 64 : 1
  const bytes = (...kib: number[]): fc.Arbitrary<number> => fc.constantFrom(...kib.map((n) => n * KIB * unit))
  const quiet = kind === 'embedded'
  return fc.record({
    workers: fc.integer({ min: 2, max: 4 }),
    maps: fc.integer({ min: 1, max: 3 }),
    attempts: fc.integer({ min: 1, max: 2 }),
    partitions: fc.integer({ min: 1, max: 6 }),
    unplaced: quiet ? fc.constant(false) : fc.nat({ max: 9 }).map((n) => n === 9),
    registrations: quiet
      ? fc.constant([])
      : fc.oneof(
          { weight: 8, arbitrary: fc.constant([]) },
          { weight: 1, arbitrary: fc.array(report, { minLength: 1, maxLength: 3 }) },
        ),
    codec: fc.constantFrom('NONE', 'NONE', 'LZ4'),
    maxBytes: bytes(400, 100, 40, 1000, 16, 4),
    maxBytesPerWorker: bytes(200, 60, 20, 500, 8, 2),
    maxRequests: fc.constantFrom(8, 3, 20, 2, 1, 5),
    maxRequestsPerWorker: fc.constantFrom(4, 2, 8, 1, 3),
    admissionTimeoutMs: fc.constantFrom(2000, 400, 150, 60),
    pushTimeoutMs: quiet ? fc.constant(5000) : big ? fc.constantFrom(300, 500) : fc.constantFrom(60, 40, 100),
    maxRetries: quiet ? fc.constant(5) : fc.constantFrom(3, 2, 1, 0, 5),
    mergeBytes: bytes(4, 1, 16, 64),
    slowStart: fc.nat({ max: 7 }).map((n) => n === 7),
    exclude: fc.nat({ max: 3 }).map((n) => n === 3),
    connectionsPerPeer: fc.constantFrom(1, 1, 2),
    rpcForm: fc.constantFrom('V1', 'V2'),
    poolBytes: bytes(1000, 300, 120, 4000),
    foreignPool: fc.boolean(),
    copied: fc.nat({ max: 7 }).map((n) => n === 7),
    big: fc.constant(big),
    endings: fc.array(weighted({ end: 7, abort: 2, leave: 1 }), { minLength: 6, maxLength: 6 }),
  })
}

/** Programs of about 40 steps. One in ten moves megabytes, so that sockets do not take all of a write at once. */
export function programs(kind: ProgramKind): fc.Arbitrary<Program> {
  const of = (big: boolean, maxLength: number): fc.Arbitrary<Program> =>
    fc.record({
      scenario: scenario(kind, big),
      steps: fc.array(step(kind, big), { minLength: 1, maxLength, size: 'max' }),
    })
  return fc.oneof({ weight: 9, arbitrary: of(false, 80) }, { weight: 1, arbitrary: of(true, 70) })
}

import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CelebornError } from '../../src/errors'
import { Admission, type AdmissionLimits, AttemptBudget, type Charge } from '../../src/push/admission'

const KIB = 1024
const LIMITS: AdmissionLimits = {
  maxBytes: 100,
  maxBytesPerWorker: 60,
  maxRequests: 8,
  maxRequestsPerWorker: 4,
  timeoutMs: 60_000,
}

function setUp(limits: Partial<AdmissionLimits> = {}) {
  const admission = new Admission({ ...LIMITS, ...limits })
  const attempt = new AttemptBudget()
  const lane = (worker: string, of = attempt) => of.lane(admission.worker(worker))
  return { admission, attempt, lane }
}

function admit(charge: Charge | null): Charge {
  if (charge === null) throw new Error('not admitted')
  return charge
}

/** Whether a promise has settled by now, without waiting for it. */
async function settledNow(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const note = (): void => {
    settled = true
  }
  promise.then(note, note)
  // Far more microtasks than any reaction takes.
  for (let i = 0; i < 10; i++) await Promise.resolve()
  return settled
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('admission', () => {
  it('holds ALL limits at once: bytes in total, bytes per worker, requests (B51)', async () => {
    const { admission, lane } = setUp()
    admit(admission.tryAdmit(lane('a'), 60))
    // Requests are far below their limits; bytes alone must hold it back.
    expect(admission.tryAdmit(lane('a'), 1)).toBeNull()
    admit(admission.tryAdmit(lane('b'), 40))
    expect(admission.tryAdmit(lane('c'), 1)).toBeNull()
    expect(admission.stats().bytesInFlight).toBe(100)

    const few = setUp({ maxBytes: 10_000, maxBytesPerWorker: 10_000 })
    for (let i = 0; i < 4; i++) admit(few.admission.tryAdmit(few.lane('a'), 1))
    expect(few.admission.tryAdmit(few.lane('a'), 1)).toBeNull()
    for (let i = 0; i < 4; i++) admit(few.admission.tryAdmit(few.lane('b'), 1))
    expect(few.admission.tryAdmit(few.lane('c'), 1)).toBeNull()
    // Requests are limited per map attempt: another attempt has its own.
    admit(few.admission.tryAdmit(few.lane('a', new AttemptBudget()), 1))
  })

  it('admits a frame larger than a limit when it is alone under it, and nothing beside it', async () => {
    const { admission, lane } = setUp()
    const huge = admit(admission.tryAdmit(lane('a'), 500))
    expect(admission.tryAdmit(lane('b'), 1)).toBeNull()
    admission.refund(huge)
    const large = admit(admission.tryAdmit(lane('a'), 70)) // larger than the worker's limit only
    admit(admission.tryAdmit(lane('b'), 30))
    expect(admission.tryAdmit(lane('a'), 1)).toBeNull()
    admission.refund(large)
    expect(admission.stats().bytesInFlight).toBe(30)
  })

  it('wakes waiters by the release that makes room, first come first served', async () => {
    const { admission, lane } = setUp()
    const first = admit(admission.tryAdmit(lane('a'), 60))
    const order: string[] = []
    const wait = (name: string, bytes: number) =>
      admission.wait(lane('a'), bytes, undefined).then((charge) => {
        order.push(name)
        return charge
      })
    const large = wait('large', 50)
    const small = wait('small', 1)
    expect(await settledNow(small)).toBe(false)
    // The small one came later: it must not pass although it would fit sooner.
    admission.resize(first, 20)
    expect(await settledNow(small)).toBe(false)
    admission.refund(first)
    // By the release itself, not by a timer that looks now and then.
    expect(await settledNow(large)).toBe(true)
    await Promise.all([large, small])
    expect(order).toEqual(['large', 'small'])
  })

  it('keeps the charge from admission until refund; settling frees the request only', () => {
    const { admission, lane, attempt } = setUp()
    const charge = admit(admission.tryAdmit(lane('a'), 50))
    expect(attempt.requests).toBe(1)
    admission.settle(charge)
    expect(attempt.requests).toBe(0)
    expect(admission.stats().bytesInFlight).toBe(50)
    admission.refund(charge)
    admission.refund(charge)
    admission.settle(charge)
    expect(admission.stats()).toMatchObject({ bytesInFlight: 0, perWorker: { a: { bytes: 0, requests: 0 } } })
    expect(attempt.requests).toBe(0)
  })

  it('does not let a stalled worker slow the others', async () => {
    const { admission, lane } = setUp()
    admit(admission.tryAdmit(lane('stalled'), 60))
    const blocked = admission.wait(lane('stalled'), 30, undefined)
    for (let i = 0; i < 50; i++) {
      const charge = await admission.wait(lane('well'), 40, undefined)
      admission.refund(charge)
    }
    expect(await settledNow(blocked)).toBe(false)
  })

  it('does not starve a large frame by small ones of other workers', async () => {
    const { admission, lane } = setUp({ maxBytesPerWorker: 100 })
    const running = [admit(admission.tryAdmit(lane('a'), 50)), admit(admission.tryAdmit(lane('b'), 50))]
    const large = admission.wait(lane('c'), 90, undefined)
    const small = admission.wait(lane('d'), 10, undefined)
    admission.refund(running[0] as Charge)
    expect(await settledNow(small)).toBe(false)
    admission.refund(running[1] as Charge)
    await large
    await small
  })

  it('moves a retry to another worker: added there before it leaves here, without waiting', () => {
    const { admission, lane } = setUp()
    const charge = admit(admission.tryAdmit(lane('a'), 50))
    admit(admission.tryAdmit(lane('b'), 50))
    admission.move(charge, lane('b'))
    expect(admission.stats().perWorker).toMatchObject({
      a: { bytes: 0, requests: 0 },
      b: { bytes: 100, requests: 2 },
    })
    expect(admission.stats().bytesInFlight).toBe(100)
    admission.refund(charge)
    expect(admission.stats().perWorker).toMatchObject({ b: { bytes: 50, requests: 1 } })
  })

  it('ends a wait at its deadline with an error that names the limit and what is in flight where', async () => {
    const { admission, lane } = setUp({ timeoutMs: 50 })
    admit(admission.tryAdmit(lane('w1:1'), 60))
    const error = await admission.wait(lane('w1:1'), 30, undefined).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(CelebornError)
    expect(error).toMatchObject({ code: 'CELEBORN_ADMISSION_TIMEOUT', context: { hostPort: 'w1:1' } })
    expect((error as Error).message).toMatch(
      /maxInFlightBytesPerWorker.*in flight: w1:1 60 bytes in 1 pushes/,
    )
    expect(admission.stats()).toMatchObject({ waiting: 0, bytesInFlight: 60, timeouts: 1 })
  })

  it('waits by a clock that only goes forward: setting the time of day ends no wait', async () => {
    const { admission, lane } = setUp({ timeoutMs: 500 })
    admit(admission.tryAdmit(lane('a'), 60))
    const timedOut = expect(admission.wait(lane('a'), 30, undefined)).rejects.toThrow(/ waited \d+ ms /)
    const hour = 3_600_000
    const now = Date.now()
    vi.spyOn(Date, 'now').mockReturnValue(now + hour)
    // Several looks at the time-outs.
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(admission.stats()).toMatchObject({ waiting: 1, timeouts: 0 })
    vi.spyOn(Date, 'now').mockReturnValue(now - hour)
    await timedOut
  })

  it('ends a wait by its signal, also one that has fired already, and takes nothing', async () => {
    const { admission, lane } = setUp()
    admit(admission.tryAdmit(lane('a'), 60))
    const controller = new AbortController()
    const waiting = admission.wait(lane('a'), 30, controller.signal)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toMatchObject({ code: 'CELEBORN_ABORTED', cause: { message: 'enough' } })
    await expect(admission.wait(lane('b'), 1, controller.signal)).rejects.toMatchObject({
      code: 'CELEBORN_ABORTED',
    })
    expect(admission.stats()).toMatchObject({ waiting: 0, bytesInFlight: 60 })
  })

  it('agrees with a model over random programs: never above a limit, never negative, zero at the end', async () => {
    const step = fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          op: fc.constant('admit' as const),
          worker: fc.nat(3),
          attempt: fc.nat(2),
          bytes: fc.integer({ min: 1, max: 150 * KIB }),
        }),
      },
      { weight: 4, arbitrary: fc.record({ op: fc.constant('refund' as const), pick: fc.nat() }) },
      { weight: 2, arbitrary: fc.record({ op: fc.constant('settle' as const), pick: fc.nat() }) },
      { weight: 1, arbitrary: fc.record({ op: fc.constant('shrink' as const), pick: fc.nat() }) },
      {
        weight: 1,
        arbitrary: fc.record({ op: fc.constant('move' as const), pick: fc.nat(), worker: fc.nat(3) }),
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 120 }), async (program) => {
        const limits = { ...LIMITS, maxBytes: 256 * KIB, maxBytesPerWorker: 128 * KIB }
        const admission = new Admission(limits)
        const attempts = [new AttemptBudget(), new AttemptBudget(), new AttemptBudget()]
        const workers = [0, 1, 2, 3].map((i) => admission.worker(`w${i}`))
        const live: Charge[] = []
        let asked = 0
        let granted = 0
        let moved = false
        const waits: Promise<void>[] = []
        const check = (): void => {
          let bytes = 0
          for (const charge of live) bytes += charge.bytes
          expect(admission.stats().bytesInFlight).toBe(bytes)
          for (const worker of workers) {
            const of = live.filter((charge) => charge.worker === worker)
            const sum = of.reduce((total, charge) => total + charge.bytes, 0)
            expect(worker.bytes).toBe(sum)
            expect(worker.requests).toBe(of.filter((charge) => charge.lane !== null).length)
            // Above a limit only alone; a retry that moved is not held back by its new worker's limit.
            if (!moved && of.length > 1) expect(sum).toBeLessThanOrEqual(limits.maxBytesPerWorker)
          }
          if (live.length > 1) expect(bytes).toBeLessThanOrEqual(limits.maxBytes)
          for (const attempt of attempts) expect(attempt.requests).toBeLessThanOrEqual(limits.maxRequests)
        }
        for (const one of program) {
          if (one.op === 'admit') {
            const attempt = attempts[one.attempt] as AttemptBudget
            asked++
            waits.push(
              admission
                .wait(attempt.lane(workers[one.worker] as (typeof workers)[number]), one.bytes, undefined)
                .then((charge) => {
                  granted++
                  live.push(charge)
                }),
            )
          } else if (live.length > 0) {
            const index = one.pick % live.length
            const charge = live[index] as Charge
            if (one.op === 'refund') {
              live.splice(index, 1)
              admission.refund(charge)
            } else if (one.op === 'settle') admission.settle(charge)
            else if (one.op === 'shrink') admission.resize(charge, Math.ceil(charge.bytes / 2))
            else if (charge.lane !== null) {
              moved = true
              admission.move(
                charge,
                charge.lane.attempt.lane(workers[one.worker] as (typeof workers)[number]),
              )
            }
          }
          await Promise.resolve()
          await Promise.resolve()
          check()
        }
        while (granted < asked) {
          const charge = live.shift()
          if (charge === undefined) throw new Error('waiters left with nothing in flight: a deadlock')
          admission.refund(charge)
          await Promise.resolve()
          await Promise.resolve()
        }
        await Promise.all(waits)
        for (const charge of live.splice(0)) admission.refund(charge)
        check()
        expect(admission.stats()).toMatchObject({ bytesInFlight: 0, waiting: 0 })
        for (const attempt of attempts) expect(attempt.requests).toBe(0)
      }),
      { numRuns: 150 },
    )
  })
})

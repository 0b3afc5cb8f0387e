import { describe, expect, it } from 'vitest'
import { releaseProbe, setUp, target, turns } from './harness'

const NEXT = target(0, { attemptId: 1 })

describe('an attempt that is aborted or fails', () => {
  it('while its end waits for the last answers: the end is never reported (B35)', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = () => undefined
    await client.pushData(target(), Buffer.from('a'))
    const ended = expect(client.mapperEnd(target())).rejects.toMatchObject({ code: 'CELEBORN_ABORTED' })
    await worker.received(1)
    await client.cleanup(target())
    await ended
    // Reports go out in order: had there been one, it would have arrived before this.
    await client.mapperEnd(NEXT)
    expect(lifecycle.mapperEnds.map(({ attemptId }) => attemptId)).toEqual([1])
  })

  it('a failure that comes while the end waits is its error, and the end is not reported', async () => {
    const { client, worker, lifecycle } = await setUp({ 'celeborn.client.push.revive.maxRetries': 0 })
    worker.onPush = () => undefined
    await client.pushData(target(), Buffer.from('a'))
    const ended = expect(client.mapperEnd(target())).rejects.toMatchObject({ code: 'CELEBORN_PUSH_FAILED' })
    await worker.received(1)
    worker.pushes[0]?.failure('the disk is full')
    await ended
    await client.mapperEnd(NEXT)
    expect(lifecycle.mapperEnds.map(({ attemptId }) => attemptId)).toEqual([1])
  })

  it('a failure ends the waits of its attempt, also those that another worker holds back (B33)', async () => {
    const { client, workers } = await setUp(
      { 'celeborn.client.push.revive.maxRetries': 0, 'celeborn.client.push.maxReqsInFlight.perWorker': 1 },
      2,
    )
    for (const worker of workers) worker.onPush = () => undefined
    const probe = releaseProbe()
    await client.pushBuffer(target(0), Buffer.from('a'), { onRelease: probe.onRelease })
    const failing = await client.pushData(target(1), Buffer.from('b'))
    const frame = client.pool.acquire(10)
    const waiting = expect(client.pushFrame(target(0), frame)).rejects.toMatchObject({
      code: 'CELEBORN_PUSH_FAILED',
    })
    await workers[1]?.received(1)
    workers[1]?.pushes[0]?.failure('the disk is full')
    expect(await failing.settled).toMatchObject({ outcome: 'failed' })
    await waiting
    expect(frame.state).toBe('writer')
    frame.release()
    // Its worker has not answered yet.
    expect(probe.reasons).toEqual([])
  })

  it('while its batches wait for a location: their memory is free although nobody has answered', async () => {
    const { client, worker, lifecycle } = await setUp()
    worker.onPush = (push) => push.failure('no')
    const revive = lifecycle.onRevive
    let answer = (): void => undefined
    const asked = new Promise<void>((resolve) => {
      lifecycle.onRevive = async (...of) => {
        await new Promise<void>((go) => {
          answer = go
          resolve()
        })
        return revive(...of)
      }
    })
    const probe = releaseProbe()
    const receipt = await client.pushBuffer(target(), Buffer.from('abc'), { onRelease: probe.onRelease })
    await asked
    await client.cleanup(target())
    expect(await receipt.settled).toMatchObject({ outcome: 'dropped', reason: 'aborted' })
    expect(await probe.released).toBe('dropped')
    expect(client.stats().bytesInFlight).toBe(0)
    answer()
    await turns(20)
    expect(probe.reasons).toEqual(['dropped'])
    expect(worker.pushes).toHaveLength(1)
  })
})

import { StatusCode } from '../../src/protocol/status'
import { type PushHead, type ReceivedPush } from '../fault/scripted-worker'
import {
  ATTEMPT,
  checkPayload,
  type Codec,
  equal,
  frame,
  inWorld,
  outcomes,
  type Pushed,
  pushMany,
  target,
  until,
} from './world'

const MIB = 1024 * 1024
const BIG = 32 * MIB

export type Scenario = (codec: Codec) => Promise<void>

/** Checks what arrives, where it can be checked without decoding it. */
function check(codec: Codec, push: ReceivedPush): void {
  if (codec === 'NONE') for (const batch of push.batches) checkPayload(batch.payload)
}

const conf = (codec: Codec) => ({ 'celeborn.client.shuffle.compression.codec': codec })

/** Everything acknowledged at once. */
export const acknowledged: Scenario = (codec) =>
  inWorld(conf(codec), async ({ client, workers }) => {
    for (const worker of workers) {
      worker.onPush = (push) => {
        check(codec, push)
        push.ack()
      }
    }
    const pushed = await pushMany(client, 300)
    await client.mapperEnd(ATTEMPT)
    equal('outcomes', await outcomes(pushed), { acked: 300 })
  })

/** Every answer that asks for something: splits, congestion, failures that are retried, and some twice. */
export const answers: Scenario = (codec) =>
  inWorld({ ...conf(codec), 'celeborn.client.push.revive.maxRetries': 50 }, async ({ client, workers }) => {
    let turn = 0
    for (const worker of workers) {
      worker.keepsPushes = false
      worker.onPush = (push) => {
        check(codec, push)
        turn++
        if (turn % 5 === 0) push.failure('PUSH_DATA_WRITE_FAIL_PRIMARY')
        else if (push.merged) push.ack()
        else if (turn % 5 === 1) push.status(StatusCode.SOFT_SPLIT)
        else if (turn % 5 === 2) push.status(StatusCode.HARD_SPLIT)
        else if (turn % 5 === 3) push.status(StatusCode.PUSH_DATA_SUCCESS_PRIMARY_CONGESTED)
        else push.ack()
        if (turn % 7 === 0) setImmediate(() => push.ack())
      }
    }
    const pushed = await pushMany(client, 120)
    await client.mapperEnd(ATTEMPT)
    equal('outcomes', await outcomes(pushed), { acked: 120 })
  })

/** Connections reset while a frame is being written; the same frame goes out again. */
export const resets: Scenario = (codec) =>
  inWorld({ ...conf(codec), 'celeborn.client.push.revive.maxRetries': 50 }, async ({ client, workers }) => {
    let resetsLeft = 12
    for (const worker of workers) {
      worker.onPush = (push) => {
        check(codec, push)
        push.ack()
      }
      worker.resetAfterBytes = 300_000
      worker.onConnection = () => {
        resetsLeft--
        worker.resetAfterBytes = resetsLeft > 0 ? 100_000 * (1 + resetsLeft) : Number.POSITIVE_INFINITY
      }
    }
    const pushed = await pushMany(client, 60)
    const big: Pushed[] = []
    for (let i = 0; i < 4; i++) {
      const receipt = await client.pushFrame(target(i), frame(client, 4 * MIB, 1 + i), { encoding: 'stored' })
      big.push({ receipt, released: Promise.resolve() })
    }
    await client.mapperEnd(ATTEMPT)
    equal('outcomes', await outcomes([...pushed, ...big]), { acked: 64 })
  })

/**
 * Acknowledged, asked to go elsewhere, or failed while the first write is under way: the worker answers at the head and reads
 * no more for a while.
 */
export const early: Scenario = (codec) =>
  inWorld(conf(codec), async ({ client, workers }) => {
    const bodies = [new Uint8Array(0), Uint8Array.of(StatusCode.HARD_SPLIT), null, new Uint8Array(0)]
    for (const body of bodies) {
      let answered = false
      for (const worker of workers) {
        worker.onPush = (push) => {
          check(codec, push)
          push.ack()
        }
        worker.onHead = ({ requestId, bodyBytes, connection }) => {
          if (answered || bodyBytes < BIG) return
          answered = true
          connection.socket.pause()
          if (body === null) connection.fail(requestId, 'PUSH_DATA_WRITE_FAIL_PRIMARY')
          else connection.respond(requestId, body)
          setTimeout(() => connection.socket.resume(), 100)
        }
      }
      const one = frame(client, BIG, 5)
      const receipt = await client.pushFrame(target(0), one, { encoding: 'stored' })
      await until('an early answer', () => answered)
      // Others take memory meanwhile, and would be given the frame's.
      const others = await pushMany(client, 24)
      await client.pushMergedData(ATTEMPT)
      equal('outcome', (await receipt.settled).outcome, 'acked')
      await outcomes(others)
      await until('the frame is free', () => client.stats().framesAlive === 0)
    }
    await client.mapperEnd(ATTEMPT)
  })

/** Time-outs, their retries on the same memory, and answers that come after them. */
export const timeouts: Scenario = (codec) =>
  inWorld({ ...conf(codec), 'celeborn.client.push.timeout': '300ms' }, async ({ client, workers }) => {
    let silent = 24
    for (const worker of workers) {
      worker.onPush = (push) => {
        check(codec, push)
        if (silent-- <= 0) push.ack()
        // Late, and once more.
        else setTimeout(() => [push.ack(), push.ack()], 1200)
      }
    }
    const pushed = await pushMany(client, 36)
    await client.mapperEnd(ATTEMPT)
    equal('outcomes', await outcomes(pushed), { acked: 36 })
    await new Promise((resolve) => setTimeout(resolve, 1000))
  })

/** An attempt aborted with writes under way to workers that do not read; another one goes on. */
export const abort: Scenario = (codec) =>
  inWorld(conf(codec), async ({ client, workers }) => {
    for (let round = 0; round < 4; round++) {
      for (const worker of workers) worker.stall()
      const attempt = { ...ATTEMPT, attemptId: round }
      const pushed = await pushMany(client, 40, attempt)
      const receipt = await client.pushFrame(target(round, attempt), frame(client, BIG, 9), {
        encoding: 'stored',
      })
      await until('connections', () => workers.every((worker) => worker.connections.length > 0))
      const done = client.cleanup(attempt)
      setTimeout(() => workers.forEach((worker) => worker.unstall()), 50)
      await done
      const counts = await outcomes([...pushed, { receipt, released: Promise.resolve() }])
      equal('pushes that ended', (counts['dropped'] ?? 0) + (counts['acked'] ?? 0), 41)
      await pushMany(client, 12, { ...ATTEMPT, mapId: 1 })
    }
    await client.mapperEnd({ ...ATTEMPT, mapId: 1 })
  })

/** The client closed with writes under way, with waiters, frames in every state, and frames that nobody released. */
export const close: Scenario = async (codec) => {
  for (let round = 0; round < 4; round++) {
    await inWorld(
      {
        ...conf(codec),
        'celeborn.node.maxInFlightBytes': '64m',
        'celeborn.node.maxInFlightBytesPerWorker': '64m',
      },
      async ({ client, workers }) => {
        for (const worker of workers) worker.stall()
        const pushed = await pushMany(client, 36)
        const receipt = await client.pushFrame(target(round), frame(client, BIG, 9), { encoding: 'stored' })
        const waiting = frame(client, BIG, 3)
        const refused = client.pushFrame(target(1), waiting, { encoding: 'stored' }).then(
          () => 'admitted',
          () => 'refused',
        )
        frame(client, 65_536, 1) // dropped
        await new Promise((resolve) => setTimeout(resolve, round * 20))
        await client.close()
        equal('a waiter', await refused, 'refused')
        waiting.release()
        const counts = await outcomes([...pushed, { receipt, released: Promise.resolve() }])
        equal('pushes that ended', (counts['dropped'] ?? 0) + (counts['acked'] ?? 0), 37)
      },
    )
  }
}

/** A few pushes of each kind, for the slowest tools. */
export const brief: Scenario = (codec) =>
  inWorld(conf(codec), async ({ client }) => {
    const pushed = await pushMany(client, 12)
    await client.mapperEnd(ATTEMPT)
    equal('outcomes', await outcomes(pushed), { acked: 12 })
  })

/**
 * Acknowledged while the system has the whole of the batch and still reads it: the worker reads the first head only and answers
 * the requests that follow by counting.
 */
export const guessed: Scenario = (codec) =>
  inWorld(
    { ...conf(codec), 'celeborn.client.push.maxReqsInFlight.perWorker': 64 },
    async ({ client, worker }) => {
      const count = 24
      let first: PushHead | null = null
      worker.onPush = (push) => {
        check(codec, push)
        push.ack()
      }
      worker.onHead = (head) => {
        first ??= head
        if (first === head) head.connection.socket.pause()
      }
      const receipts = []
      for (let i = 0; i < count; i++)
        receipts.push(await client.pushFrame(target(0), frame(client, MIB, 1 + i), { encoding: 'stored' }))
      await until('the first head', () => first !== null)
      // Then the buffers of the system fill up, and one write is under way.
      let before = -1
      let still = 0
      await until('writes stand still', () => {
        const { connections } = client.stats().connections
        const written = connections.reduce((sum, { bytesWritten }) => sum + bytesWritten, 0)
        still = written === before ? still + 1 : 0
        before = written
        return still > 50
      })
      const { requestId, connection } = first as unknown as PushHead
      for (let i = 0; i < count; i++) connection.respond(Number(requestId) + i, new Uint8Array(0))
      // An answer to what was not sent yet counts for nothing: those follow when the worker reads again.
      await until('answers', () => client.stats().acked > 1)
      const { acked, framesAlive } = client.stats()
      // Whoever gets memory now must not get what is being written.
      for (let i = 0; i < 2 * count; i++) frame(client, MIB, 0x70).release()
      connection.socket.resume()
      for (const { settled } of receipts) equal('outcome', (await settled).outcome, 'acked')
      await client.mapperEnd(ATTEMPT)
      await until('all frames are free', () => client.stats().framesAlive === 0)
      equal('memory was held by a write', framesAlive > count - acked, true)
    },
  )

import { expect, it, onTestFinished, vi } from 'vitest'
import { StatusCode } from '../../src/protocol/status'
import { setUp, target, turns } from './harness'

it('close ends the pause between two registrations, timer and all', async () => {
  const { client, lifecycle } = await setUp({ 'celeborn.client.registerShuffle.retryWait': '61s' })
  lifecycle.onRegister = () => StatusCode.SLOT_NOT_AVAILABLE
  const set = vi.spyOn(globalThis, 'setTimeout')
  const clear = vi.spyOn(globalThis, 'clearTimeout')
  onTestFinished(() => void vi.restoreAllMocks())
  const push = client.pushData(target(), Buffer.alloc(10))
  const pausing = (): number => set.mock.calls.findIndex(([, ms]) => ms === 61_000)
  while (pausing() < 0) await turns(1)
  const timer: unknown = set.mock.results[pausing()]?.value
  const closed = client.close()
  await expect(push).rejects.toMatchObject({ code: 'CELEBORN_CLOSED' })
  await closed
  await turns(5)
  expect(clear.mock.calls.some(([cleared]) => cleared === timer)).toBe(true)
})

import { afterEach, describe, expect, it } from 'vitest'
import { scene } from './harness'

const here = scene()

afterEach(() => {
  for (const worker of here().workers) worker.unstall()
})

/** Sockets full, writes under way, pushes that wait, frames in every state. */
function midPush(): void {
  for (const worker of here().workers) worker.stall()
}

describe('a process that ends in the middle of pushes (B06, B07)', { timeout: 240_000 }, () => {
  it.each([0, 3])('keeps the status of process.exit(%i), and says nothing', async (code) => {
    for (const afterMs of [0, 5, 50]) {
      midPush()
      const ended = await here().client({ ends: 'exit', code, afterMs })
      expect(ended).toEqual({ code, signal: null, stdout: '', stderr: '' })
      for (const worker of here().workers) worker.unstall()
      expect(await here().client({ ends: 'exit', code, afterMs, codec: 'LZ4' })).toEqual(ended)
    }
  })

  it('ends with 1 and nothing but its own message after an uncaught exception', async () => {
    for (const afterMs of [0, 20]) {
      midPush()
      const { code, signal, stdout, stderr } = await here().client({ ends: 'throw', afterMs })
      expect([code, signal, stdout]).toEqual([1, null, ''])
      expect(stderr).toContain('Error: on purpose')
      expect(stderr).not.toMatch(/FATAL|Warning|native|Celeborn/)
      for (const worker of here().workers) worker.unstall()
    }
  })

  it('ends by itself when all is acknowledged, with nothing closed and frames alive', async () => {
    for (const codec of ['NONE', 'LZ4'])
      expect(await here().client({ ends: 'acknowledged', codec })).toEqual({
        code: 0,
        signal: null,
        stdout: '',
        stderr: '',
      })
  })

  it('ends by itself when all was closed', async () => {
    expect(await here().client({ ends: 'complete' })).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    })
  })
})

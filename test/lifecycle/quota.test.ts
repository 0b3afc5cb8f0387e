import { afterEach, describe, expect, it } from 'vitest'
import { DEFAULT_USER } from '../../src/protocol/messages'
import { StatusCode } from '../../src/protocol/status'
import { DriverFixture, eventually } from './driver'

const fixture = new DriverFixture()
afterEach(() => fixture.cleanup())

describe('a quota that is used up', () => {
  it('keeps a shuffle from being registered, with the master’s reason; later it may be free again', async () => {
    const { client, master } = await fixture.start({
      conf: { 'celeborn.identity.user-specific.tenant': 'sales' },
    })
    master.quota = { available: false, reason: 'disk bytes: 5 of 4 GiB' }
    await expect(client.register(1, 1, 1)).rejects.toThrow(
      /shuffle 1: cannot be registered: the master says that the quota of sales\/default is used up: disk bytes: 5 of 4 GiB/,
    )
    expect(master.slotRequests).toHaveLength(0)
    master.quota = { available: true, reason: '' }
    expect((await client.register(1, 1, 1)).status).toBe(StatusCode.SUCCESS)
    expect(master.quotaChecks).toHaveLength(2)
    expect(master.quotaChecks[0]?.userIdentifier).toEqual({ ...DEFAULT_USER, tenantId: 'sales' })
  })

  it('is not asked about when quotas are off, and a master without an answer is no hindrance', async () => {
    const off = await fixture.start({ conf: { 'celeborn.quota.enabled': false } })
    off.master.quota = { available: false, reason: '' }
    expect((await off.client.register(1, 1, 1)).status).toBe(StatusCode.SUCCESS)
    expect(off.master.quotaChecks).toHaveLength(0)
    const mute = await fixture.start()
    mute.master.quota = undefined
    expect((await mute.client.register(1, 1, 1)).status).toBe(StatusCode.SUCCESS)
  })
})

const BEATS = { 'celeborn.client.application.heartbeatInterval': '10ms' }
const INTERRUPT = { ...BEATS, 'celeborn.quota.interruptShuffle.enabled': true }

describe('a heartbeat’s word on the quota', () => {
  it('interrupts what is being written, and leaves what is committed', async () => {
    const { client, master, manager } = await fixture.start({ conf: INTERRUPT })
    await client.register(1, 1, 1)
    await client.mapperEnd(1, 0, 0, 1)
    await client.fileGroup(1)
    await client.register(2, 2, 1)
    await client.mapperEnd(2, 0, 0, 2)
    const reader = expect(client.fileGroup(2)).rejects.toThrow('the quota is used up: too many files')
    await eventually(() => manager.stats().shuffles[1]?.waitingReaders).toBe(1)
    master.heartbeatQuota = { available: false, reason: 'too many files' }
    await reader
    const interrupted = /shuffle 2: interrupted, as celeborn\.quota\.interruptShuffle\.enabled says/
    await expect(client.mapperEnd(2, 1, 0, 2)).rejects.toThrow(interrupted)
    await expect(client.register(2, 2, 1)).rejects.toThrow(interrupted)
    const revive = await client.revive(2, [{ partitionId: 0, epoch: 0, cause: StatusCode.SOFT_SPLIT }])
    expect(revive.partitions).toMatchObject([{ partitionId: -1, status: StatusCode.SHUFFLE_UNREGISTERED }])
    expect((await client.fileGroup(1)).status).toBe(StatusCode.SUCCESS)
    expect(manager.stats().shuffles.map((s) => s.phase)).toEqual(['ended', 'aborted'])
    await manager.unregisterShuffle(2)
    expect(master.unregistered).toEqual([2])
  })

  it.each([
    [
      'that it is used up, where shuffles are not to be interrupted',
      BEATS,
      { available: false, reason: 'x' },
    ],
    ['that is missing, as from masters before 0.6', INTERRUPT, undefined],
  ])('%s: changes nothing', async (_, conf, quota) => {
    const { client, master } = await fixture.start({ conf })
    await client.register(1, 1, 1)
    master.heartbeatQuota = quota
    await master.heartbeat(master.heartbeats.length + 3)
    await client.mapperEnd(1, 0, 0, 1)
    expect((await client.fileGroup(1)).status).toBe(StatusCode.SUCCESS)
  })
})

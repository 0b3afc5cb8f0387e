import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ShuffleClient } from '../../src/client'
import { CelebornConf } from '../../src/conf'
import { EmbeddedCluster } from '../../src/embedded'
import { LifecycleManager } from '../../src/lifecycle'

it('a chunk whose last batch claims more bytes than are there is corrupt data, never fewer rows', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-cut-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const entries = new CelebornConf({
    'celeborn.client.shuffle.compression.codec': 'NONE',
    'celeborn.client.fetch.maxRetriesForEachReplica': 0,
  })
  const cluster = await EmbeddedCluster.start({ workers: 1, dir, conf: entries })
  onTestFinished(() => cluster.stop())
  const conf = entries.with({ 'celeborn.master.endpoints': cluster.masterEndpoint })
  const lifecycle = new LifecycleManager({ appId: 'cut', conf })
  await lifecycle.start()
  onTestFinished(() => lifecycle.stop())
  const lifecycleManager = { host: lifecycle.host, port: lifecycle.port }
  const client = new ShuffleClient({ appId: 'cut', conf, lifecycleManager })
  onTestFinished(() => client.close())

  const attempt = { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: 1 }
  for (const text of ['one', 'two', 'three']) {
    await (await client.pushData({ ...attempt, partitionId: 0 }, Buffer.from(text))).settled
  }
  await client.mapperEnd(attempt)
  const read: string[] = []
  const readAll = async (): Promise<void> => {
    read.length = 0
    for await (const batch of client.readPartition(0, 0)) read.push(Buffer.from(batch).toString())
  }
  // Whoever reads waits for the commit; before it the file may not be complete.
  await readAll()
  expect(read).toEqual(['one', 'two', 'three'])

  const name = readdirSync(dir, { recursive: true, encoding: 'utf8' }).find((one) =>
    /cut\/0\/0-0-0$/.test(one),
  )
  if (name === undefined) throw new Error('no file')
  const bytes = readFileSync(join(dir, name))
  // The size in the header of the last batch: its last four bytes, little-endian, before the payload.
  bytes.writeInt32LE(6, bytes.length - 'three'.length - 4)
  writeFileSync(join(dir, name), bytes)

  await expect(readAll()).rejects.toMatchObject({ code: 'CELEBORN_CORRUPT_DATA' })
  expect(read).toEqual(['one', 'two'])
})

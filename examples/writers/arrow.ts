/**
 * Shuffles Arrow record batches: each goes to a partition as an IPC stream of its own, with `apache-arrow`, which is an optional
 * peer dependency of this package. Run it after `npm run build` with:
 *
 *     npx tsc -p examples && node examples/build/writers/arrow.js
 */
import * as arrow from 'apache-arrow'
import {
  ArrowIpcSerializer,
  CelebornConf,
  EmbeddedCluster,
  LifecycleManager,
  ShuffleClient,
} from 'celeborn-node'

const PARTITIONS = 3
const BATCHES = 12
const ROWS = 10_000

async function main(): Promise<void> {
  const cluster = await EmbeddedCluster.start({ workers: 2 })
  const conf = new CelebornConf({ 'celeborn.master.endpoints': cluster.masterEndpoint })
  const appId = `arrow-${process.pid}`
  const manager = new LifecycleManager({ appId, conf })
  await manager.start()
  const lifecycleManager = { host: manager.host, port: manager.port }
  const client = new ShuffleClient({ appId, conf, lifecycleManager })
  try {
    await using writer = client.createWriter<arrow.RecordBatch>({
      attempt: { shuffleId: 0, mapId: 0, attemptId: 0, numMappers: 1, numPartitions: PARTITIONS },
      serializer: new ArrowIpcSerializer(arrow),
    })
    for (let i = 0; i < BATCHES; i++) {
      const temperatures = Float64Array.from({ length: ROWS }, (_, row) => 20 + ((row + i) % 15))
      const stations = Int32Array.from({ length: ROWS }, (_, row) => (row * 31 + i) % 100)
      for (const batch of arrow.tableFromArrays({ stations, temperatures }).batches) {
        await writer.writeTo(i % PARTITIONS, batch)
      }
    }
    const { records, rawBytes, giants } = await writer.close()
    console.log(`written: ${records} record batches, ${rawBytes} bytes; ${giants} in a push of their own`)
    for (let partitionId = 0; partitionId < PARTITIONS; partitionId++) {
      let rows = 0
      for await (const pushed of client.readPartition(0, partitionId)) {
        // A push may hold several streams. Arrow keeps views, and the reader's memory is valid until the next batch: copied.
        for (const reader of arrow.RecordBatchReader.readAll(Uint8Array.from(pushed))) {
          for (const batch of reader) rows += batch.numRows
        }
      }
      console.log(`partition ${partitionId}: ${rows} rows`)
    }
  } finally {
    await client.close()
    await manager.stop()
    await cluster.stop()
  }
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})

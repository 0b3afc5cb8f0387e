/**
 * Repartitions objects by a key: two map tasks write newline-delimited JSON, a reader takes it apart. Run it after
 * `npm run build` with:
 *
 *     npx tsc -p examples && node examples/build/writers/ndjson.js
 */
import {
  CelebornConf,
  EmbeddedCluster,
  HashPartitioner,
  LifecycleManager,
  NdjsonSerializer,
  readNdjson,
  ShuffleClient,
} from 'celeborn-node'

interface Order {
  readonly customer: string
  readonly amount: number
}

const PARTITIONS = 4
const TASKS = 2

async function main(): Promise<void> {
  const cluster = await EmbeddedCluster.start({ workers: 2 })
  const conf = new CelebornConf({ 'celeborn.master.endpoints': cluster.masterEndpoint })
  const appId = `orders-${process.pid}`
  const manager = new LifecycleManager({ appId, conf })
  await manager.start()
  const lifecycleManager = { host: manager.host, port: manager.port }
  const client = new ShuffleClient({ appId, conf, lifecycleManager })
  try {
    for (let mapId = 0; mapId < TASKS; mapId++) {
      // A writer that is not closed, because something has thrown, is aborted at the end of its block.
      await using writer = client.createWriter<Order, string>({
        attempt: { shuffleId: 0, mapId, attemptId: 0, numMappers: TASKS, numPartitions: PARTITIONS },
        serializer: new NdjsonSerializer(),
        partitioner: new HashPartitioner(PARTITIONS),
        keyOf: ({ customer }) => customer,
      })
      await writer.writeAll(orders(mapId))
      const { records, rawBytes, encodedBytes } = await writer.close()
      console.log(
        `map task ${mapId}: ${records} orders, ${rawBytes} bytes, ${encodedBytes} as sent (${writer.kind})`,
      )
    }
    for (let partitionId = 0; partitionId < PARTITIONS; partitionId++) {
      const sums = new Map<string, number>()
      for await (const batch of client.readPartition(0, partitionId)) {
        for (const { customer, amount } of readNdjson<Order>(batch)) {
          sums.set(customer, (sums.get(customer) ?? 0) + amount)
        }
      }
      console.log(`partition ${partitionId}: ${sums.size} customers`)
    }
  } finally {
    await client.close()
    await manager.stop()
    await cluster.stop()
  }
}

function* orders(mapId: number): Generator<Order> {
  for (let i = 0; i < 50_000; i++) yield { customer: `customer ${(i * 7 + mapId) % 1000}`, amount: i % 100 }
}

main().catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})

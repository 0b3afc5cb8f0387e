/** A Spark job whose shuffles go through the embedded cluster has the result that it has with Spark's own shuffle. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Cluster, startCluster } from './support/cluster'
import { type Settings } from './support/parties'
import { celebornJar, python, rows, runDir } from './support/settings'

/** Rows, sum and xor of a hash of every row, by query. */
type Result = Readonly<Record<string, { rows: number; sum: string; xor: string }>>

const LOG_BYTES = 8 * 1024
/** For the two million rows of a usual run; more take longer. */
const MINUTES = Math.ceil(5 * Math.max(1, rows / 2_000_000))

// Relative to the job's directory: Spark splits its options where a path may have a space.
const JVM = '-XX:-UsePerfData -Djava.io.tmpdir=.'
const SETTINGS: Settings = {
  'spark.driver.memory': '2g',
  'spark.driver.host': '127.0.0.1',
  'spark.driver.bindAddress': '127.0.0.1',
  'spark.driver.extraJavaOptions': JVM,
  'spark.local.dir': join(runDir, 'spark'),
  'spark.sql.warehouse.dir': join(runDir, 'warehouse'),
  'spark.sql.shuffle.partitions': '8',
  // Or nothing would be shuffled for a join.
  'spark.sql.autoBroadcastJoinThreshold': '-1',
  'spark.ui.enabled': 'false',
  'spark.ui.showConsoleProgress': 'false',
}

/** Spark ends with Python. */
const jobs: ChildProcess[] = []
afterAll(() => {
  for (const job of jobs) job.kill('SIGKILL')
})

async function runJob(name: string, settings: Settings): Promise<Result> {
  const out = join(runDir, `${name}.json`)
  const pairs = Object.entries({ ...SETTINGS, ...settings }).map(([key, value]) => `${key}=${value}`)
  const job = spawn(python, [resolve(__dirname, 'spark/job.py'), out, String(rows), ...pairs], {
    cwd: runDir,
    env: {
      ...process.env,
      // Neither Spark nor Celeborn shall ask the system for the host's name.
      SPARK_LOCAL_IP: '127.0.0.1',
      SPARK_LOCAL_HOSTNAME: '127.0.0.1',
      CELEBORN_LOCAL_HOSTNAME: '127.0.0.1',
      SPARK_LAUNCHER_OPTS: JVM,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  jobs.push(job)
  let log = ''
  job.stderr.setEncoding('utf8').on('data', (text: string) => (log = (log + text).slice(-LOG_BYTES)))
  job.stdout
    .setEncoding('utf8')
    .on('data', (text: string) => process.stdout.write(text.replace(/^(?=.)/gm, `  ${name}: `)))
  const [status] = (await once(job, 'close')) as [number | null]
  if (status !== 0) throw new Error(`the job has failed (${status}):\n${log}`)
  return JSON.parse(readFileSync(out, 'utf8')) as Result
}

let right: Result

beforeAll(async () => {
  right = await runJob('own', {})
}, MINUTES * 60_000)

/** The most bytes of partition files at a time: they are gone when the job has ended. */
function watchFiles(cluster: Cluster): { most: number } {
  const kept = { most: 0 }
  const timer = setInterval(() => {
    const bytes = cluster.stats().workers.map((worker) => worker?.fileBytes ?? 0)
    kept.most = Math.max(kept.most, ...bytes)
  }, 200)
  onTestFinished(() => clearInterval(timer))
  return kept
}

it('the job has something to compare', () => {
  expect(Object.keys(right)).toEqual(['group_by', 'join', 'order_by', 'repartition'])
  for (const [query, result] of Object.entries(right)) {
    if (query !== 'group_by') expect(result.rows, query).toBe(rows)
    expect(result.rows).toBeGreaterThan(rows / 100)
    expect(result.sum).toMatch(/^-?\d{5,}$/)
  }
  expect(new Set(Object.values(right).map(({ sum }) => sum)).size).toBe(4)
})

it.each([
  ['hash', 'LZ4'],
  ['hash', 'ZSTD'],
  ['sort', 'LZ4'],
  ['sort', 'ZSTD'],
])(
  '%s writer, codec %s: the same results',
  async (writer, codec) => {
    // Half of the four with replication: each writer and each codec once.
    const replicate = (writer === 'hash') === (codec === 'LZ4')
    const cluster = await startCluster(2)
    onTestFinished(() => cluster.stop())
    const kept = watchFiles(cluster)
    const result = await runJob(`${writer}-${codec}`, {
      'spark.shuffle.manager': 'org.apache.spark.shuffle.celeborn.SparkShuffleManager',
      'spark.serializer': 'org.apache.spark.serializer.KryoSerializer',
      'spark.shuffle.service.enabled': 'false',
      'spark.jars': celebornJar,
      'spark.driver.extraClassPath': celebornJar,
      'spark.celeborn.master.endpoints': cluster.masterEndpoint,
      'spark.celeborn.network.bind.preferIpAddress': 'true',
      'spark.celeborn.client.push.replicate.enabled': String(replicate),
      'spark.celeborn.client.spark.shuffle.writer': writer,
      'spark.celeborn.client.shuffle.compression.codec': codec,
      // Celeborn's client would use Spark's own shuffle where it cannot use Celeborn, and say so in a log only.
      'spark.celeborn.client.spark.shuffle.fallback.policy': 'NEVER',
    })
    expect(result).toEqual(right)
    expect(kept.most).toBeGreaterThan(4 * rows)
  },
  MINUTES * 60_000,
)

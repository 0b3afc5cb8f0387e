const LEAVING = 'test/embedded/leaving.test.ts'
const DISK_SPACE = 'test/embedded/disk-space.test.ts'
const RERUN = 'test/lifecycle/rerun.test.ts'
const QUOTA = 'test/lifecycle/quota.test.ts'
const WRONG_ADDRESS = 'test/lifecycle/wrong-address.test.ts'

const one = (file, find, replace) => [{ file, find, replace }]

/** Planted where drivers, executors and the embedded cluster meet. */
export default [
  {
    name: 'leaving-reserves',
    breaks: 'a worker that is leaving takes reservations',
    edits: one(
      'src/embedded/worker/reservations.ts',
      'if (this.#host.leaving()) return LEAVING\n    const { disk }',
      'const { disk }',
    ).concat(
      one(
        'src/embedded/worker/reservations.ts',
        'if (this.#host.leaving()) return LEAVING\n    for (const',
        'for (const',
      ),
    ),
    proof: { file: LEAVING, test: 'takes nothing new, waits for its commits' },
  },
  {
    name: 'leaving-takes-pushes',
    breaks: 'a worker that is leaving goes on taking pushes',
    edits: one(
      'src/embedded/worker/worker.ts',
      "shuttingDown: this.#condition !== 'normal'",
      'shuttingDown: false',
    ),
    proof: { file: LEAVING, test: 'splits the push for its client' },
  },
  {
    name: 'leaving-unannounced',
    breaks: 'the heartbeats of a worker that is leaving say that it is well',
    edits: one('src/embedded/worker/master-link.ts', 'STATE[this.#host.condition()]', 'WorkerState.NORMAL'),
    proof: { file: LEAVING, test: 'is told again that it leaves' },
  },
  {
    name: 'decommission-loses',
    breaks: 'a worker that is decommissioned leaves with files that are still needed',
    edits: one(
      'src/embedded/worker/worker.ts',
      "if (kind === 'decommission') return this.#shuffles.keys()",
      '',
    ),
    proof: { file: LEAVING, test: 'serves its files until nobody needs them' },
  },
  {
    name: 'full-disk-unnoticed',
    breaks: 'a disk that fills up is noticed at the next heartbeat only',
    edits: one('src/embedded/storage/disk-space.ts', 'this.refresh().catch(() => undefined)', ''),
    proof: { file: DISK_SPACE, test: 'fills faster than heartbeats come' },
  },
  {
    name: 'full-disk-splits-all',
    breaks: 'on a full disk files of any size are split, one after the other',
    edits: one('src/embedded/worker/push-decision.ts', ' && writer.length > rules.splitMin', ''),
    proof: { file: DISK_SPACE, test: 'small ones go on' },
  },
  {
    name: 'lost-without-cause',
    breaks: 'why a worker did not commit is forgotten',
    edits: one('src/lifecycle/commit-ledger.ts', '  side.reason = reason\n', ''),
    proof: { file: 'test/lifecycle/embedded.test.ts', test: 'the data is lost, and readers are told so' },
  },
  {
    name: 'interrupted-task-succeeds',
    breaks: 'a map task of a shuffle that was given up is told that its data counts',
    edits: one(
      'src/lifecycle/stage.ts',
      "shuffle.stageResult?.kind === 'aborted'",
      'shuffle.stageResult === null',
    ),
    proof: { file: QUOTA, test: 'interrupts what is being written' },
  },
  {
    name: 'quota-of-old-masters',
    breaks: 'a master that says nothing of quotas is taken for one that refuses',
    edits: one(
      'src/lifecycle/heartbeater.ts',
      'if (quota?.available === false)',
      'if (quota?.available !== true)',
    ).concat(
      one(
        'src/lifecycle/heartbeater.ts',
        'onQuotaExceeded(quota.reason)',
        "onQuotaExceeded(quota?.reason ?? '')",
      ),
    ),
    proof: { file: QUOTA, test: 'as from masters before 0.6' },
  },
  {
    name: 'barrier-runs-stay',
    breaks: 'what an earlier run of a barrier stage wrote is kept for good',
    edits: one(
      'src/lifecycle/endpoint.ts',
      'for (const shuffleId of answer.superseded) unregisterLater(shuffleId)',
      '',
    ),
    proof: { file: RERUN, test: 'gives its earlier run up too' },
  },
  {
    name: 'stranger-registers',
    breaks: 'an executor of another application registers its shuffles with this one’s driver',
    edits: one(
      'src/client/lifecycle-client.ts',
      'if (appId === this.appId) return\n',
      'if (appId !== "") return\n',
    ),
    proof: { file: 'test/lifecycle/application.test.ts', test: 'told so before it registers anything' },
  },
  {
    name: 'retries-at-a-web-server',
    breaks: 'what is no LifecycleManager is asked again and again',
    edits: one('src/client/lifecycle-errors.ts', '(!known && error instanceof ProtocolError) || ', ''),
    proof: { file: WRONG_ADDRESS, test: 'a web server' },
  },
  {
    name: 'no-patience-with-elections',
    breaks: 'a driver that starts during an election of masters fails',
    edits: one(
      'src/lifecycle/master-client.ts',
      'Math.max(o.electionRetries ?? 0, maxRetries)',
      'maxRetries',
    ),
    proof: { file: 'test/lifecycle/master.test.ts', test: 'an election that takes its time' },
  },
  {
    name: 'offers-of-leaving-workers',
    breaks: 'the master is asked for slots on workers that said that they shut down',
    edits: one(
      'src/lifecycle/registrar.ts',
      'this.tracker.unavailable()',
      'this.tracker.excludedWorkers().map(({ worker }) => worker)',
    ),
    proof: { file: 'test/lifecycle/register.test.ts', test: 'says that it shuts down' },
  },
]

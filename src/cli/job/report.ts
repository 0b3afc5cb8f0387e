import { formatBytes, formatCount, formatSeconds, plural } from '../format'
import { partName } from './output'

/** What a run did. `--json` prints it as it is. Sizes are bytes, times are milliseconds. */
export interface ShuffleReport {
  readonly records: number
  /** Size of all inputs. */
  readonly inputBytes: number
  /** What was sent: batch headers, compression headers and payloads, each batch once. */
  readonly pushedBytes: number
  readonly batches: number
  readonly framesAllocated: number
  readonly peakFramesAlive: number
  /** After the client was closed: anything but 0 is a leak. */
  readonly framesAlive: number
  readonly peakInFlightBytes: number
  readonly maxInFlightBytes: number
  /** Copies of payload bytes between the frame they were encoded into and the socket. */
  readonly payloadCopies: number
  /** From the first look at the inputs until the output is in its place. */
  readonly wallMs: number
  /** Of this process, user and system, from its start. */
  readonly cpuMs: number
  /** Every record was read back once, unchanged and from its partition. */
  readonly verified: boolean
  /** What is wrong if it is not verified. */
  readonly problem: string | null
  readonly files: number
  readonly tasks: number
  readonly partitions: number
  readonly key: string
  /** Size of all records with a newline each: the size of the output. */
  readonly recordBytes: number
  readonly codec: string
  /** Of all records, without regard to their order. */
  readonly checksum: string
  readonly frameBytes: number
  /** False where the runtime forbids external buffers. */
  readonly zeroCopy: boolean
  /** Pushes that had to wait for room in flight. */
  readonly admissionWaits: number
  /** Requests beyond a batch's first. */
  readonly retries: number
  /** Time spent on reading, encoding and pushing, up to the last acknowledgement. */
  readonly pushMs: number
  /** Time spent on committing, reading back, verifying and writing. */
  readonly readMs: number
  readonly peakRssBytes: number
  /** The masters, or `embedded`. */
  readonly cluster: string
  /** Null if nothing was written. */
  readonly out: string | null
}

export function reportText(report: ShuffleReport): string {
  const r = report
  const rate = `${formatBytes(r.inputBytes / Math.max(r.wallMs / 1000, 0.001))}/s`
  const rows: [string, string][] = [
    ['records', `${formatCount(r.records)} (${formatBytes(r.recordBytes)})`],
    ['input', `${formatBytes(r.inputBytes)} in ${plural(r.files, 'file')}`],
    [
      'job',
      `${plural(r.tasks, 'map task')}, ${plural(r.partitions, 'partition')}, key ${r.key}, ${r.cluster === 'embedded' ? 'embedded cluster' : `cluster ${r.cluster}`}`,
    ],
    [
      'pushed',
      `${formatBytes(r.pushedBytes)} in ${plural(r.batches, 'batch').replace(/batchs$/, 'batches')}, codec ${r.codec}`,
    ],
    [
      'frames',
      `${formatCount(r.framesAllocated)} allocated (${formatBytes(r.frameBytes)} each), peak ${formatCount(r.peakFramesAlive)} alive, ${formatCount(r.framesAlive)} alive now`,
    ],
    [
      'in flight',
      `peak ${formatBytes(r.peakInFlightBytes)} of ${formatBytes(r.maxInFlightBytes)} allowed, ${plural(r.admissionWaits, 'push').replace(/pushs$/, 'pushes')} had to wait`,
    ],
    [
      'payload copies',
      `${formatCount(r.payloadCopies)} after encoding${r.zeroCopy ? '' : ' (this runtime forbids external buffers)'}`,
    ],
    [
      'time',
      `${formatSeconds(r.wallMs)} (push ${formatSeconds(r.pushMs)}, read back ${formatSeconds(r.readMs)}), ${formatSeconds(r.cpuMs)} CPU, ${rate}`,
    ],
    [
      'verified',
      r.verified
        ? `yes: every record once and in its partition, checksum ${r.checksum}`
        : `NO: ${r.problem ?? ''}`,
    ],
  ]
  if (r.out !== null && r.verified) {
    const last = partName(r.partitions - 1)
    rows.push(['output', `${r.out}: ${r.partitions === 1 ? last : `${partName(0)} ... ${last}`}`])
  }
  return rows.map(([name, text]) => `${`${name}:`.padEnd(16)}${text}\n`).join('')
}

import { SingleBar } from 'cli-progress'
import { formatBytes } from './format'

/** Shows how far the job is. On a terminal only: a log file gets no control characters. */
export class Progress {
  readonly #stream: NodeJS.WriteStream
  #bar: SingleBar | undefined
  #done = 0

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream
  }

  /** Begins a phase of `bytes` bytes. */
  start(phase: string, bytes: number): void {
    this.stop()
    if (!this.#stream.isTTY) return
    this.#done = 0
    this.#bar = new SingleBar({
      stream: this.#stream,
      format: `${phase.padEnd(8)} {bar} {percentage}% | {done} of {whole} | {duration_formatted}`,
      barCompleteChar: '#',
      barIncompleteChar: '.',
      barsize: 30,
      hideCursor: true,
      clearOnComplete: true,
      // A signal is answered by whoever runs the job; two answers would fight for the terminal.
      gracefulExit: false,
    })
    this.#bar.start(bytes, 0, { done: formatBytes(0), whole: formatBytes(bytes) })
  }

  /** `bytes` more are done. */
  readonly advance = (bytes: number): void => {
    if (this.#bar === undefined) return
    this.#done += bytes
    this.#bar.update(this.#done, { done: formatBytes(this.#done) })
  }

  stop(): void {
    this.#bar?.stop()
    this.#bar = undefined
  }
}

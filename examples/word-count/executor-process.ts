/** The driver's view of an executor's process. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Answer, type Job, type Order } from './job'

export class ExecutorProcess {
  private readonly child: ChildProcess
  private readonly exited: Promise<string>

  constructor(
    private readonly name: string,
    job: Job,
  ) {
    this.child = fork(join(__dirname, 'executor.js'), [JSON.stringify(job)])
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (status, signal) => resolve(signal ?? `status ${status}`))
      this.child.on('error', (error) => resolve(error.message))
    })
  }

  get pid(): number | undefined {
    return this.child.pid
  }

  /** @throws Error when the executor fails or dies, or `signal` says to give up */
  async order(order: Order, signal: AbortSignal): Promise<Exclude<Answer, { kind: 'failed' }>> {
    signal.throwIfAborted()
    const answered = once(this.child, 'message', { signal }).then(([answer]) => answer as Answer)
    this.child.send(order)
    const died = this.exited.then((how) => {
      throw new Error(`${this.name} (process ${this.pid}) died: ${how}`)
    })
    const answer = await Promise.race([answered, died])
    if (answer.kind === 'failed') throw new Error(`${this.name}: ${answer.message}`)
    return answer
  }

  /** Lets go of it, which it takes as the order to close its client and end. */
  async stop(): Promise<void> {
    if (this.child.connected) this.child.disconnect()
    await this.exited
  }
}

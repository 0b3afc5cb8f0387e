import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { classpath, jvmOptions, runDir } from './settings'

/** What a command takes and answers: text by name. */
export type Values = Readonly<Record<string, string | number | boolean>>
export type Answer = ReadonlyMap<string, string>

const LOG_BYTES = 16 * 1024

const JAVA_OPTIONS = ['-Xmx1500m', '-XX:+UseSerialGC', `-Djava.io.tmpdir=${runDir}`, ...jvmOptions]

/** A Java process with Celeborn's own client (java/src/main/java/interop/Agent.java), which ends with its input. */
export class JavaAgent {
  private readonly process: ChildProcessWithoutNullStreams
  private readonly waiting = new Map<
    string,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >()
  private nextId = 0
  private log = ''
  private ended: Error | undefined

  constructor() {
    this.process = spawn('java', [...JAVA_OPTIONS, '-cp', classpath, 'interop.Agent'], {
      // Celeborn asks the system for its host's name otherwise, and listens there.
      env: { ...process.env, CELEBORN_LOCAL_HOSTNAME: '127.0.0.1' },
    })
    createInterface(this.process.stdout).on('line', (line) => this.answered(line))
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.log = (this.log + text).slice(-LOG_BYTES)
    })
    this.process.stdin.on('error', () => {})
    this.process.on('error', (error) => this.end(error))
    this.process.on('exit', (code, signal) =>
      this.end(new Error(`the Java process has ended (${signal ?? code})`)),
    )
  }

  /** @throws Error with Java's stack trace, and what the process has logged lately */
  ask(command: string, values: Values = {}): Promise<Answer> {
    if (this.ended !== undefined) return Promise.reject(this.ended)
    const id = String(this.nextId++)
    const parts = Object.entries(values).map(([name, value]) => `${name}=${value}`)
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      this.process.stdin.write(`${[id, command, ...parts].join('\t')}\n`)
    })
  }

  /** Ends the process and waits until it is gone. */
  async close(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const gone = once(this.process, 'exit')
    this.process.stdin.end()
    await gone
  }

  /** Ends the process as a crash would. */
  async kill(): Promise<void> {
    const gone = once(this.process, 'exit')
    this.process.kill('SIGKILL')
    await gone
  }

  private answered(line: string): void {
    const [id = '', outcome = '', ...rest] = line.split('\t')
    const waiter = this.waiting.get(id)
    this.waiting.delete(id)
    if (outcome !== 'ok') {
      waiter?.reject(new Error(`${unescape(rest.join('\t'))}\n${this.recentLog()}`))
      return
    }
    const pairs = rest.map((part): [string, string] => {
      const equals = part.indexOf('=')
      return [part.slice(0, equals), unescape(part.slice(equals + 1))]
    })
    waiter?.resolve(new Map(pairs))
  }

  private recentLog(): string {
    return this.log === '' ? '' : `The Java process has logged:\n${this.log}`
  }

  private end(error: Error): void {
    this.ended ??= new Error(`${error.message}\n${this.recentLog()}`)
    for (const { reject } of this.waiting.values()) reject(this.ended)
    this.waiting.clear()
  }
}

function unescape(text: string): string {
  const meaning: Record<string, string> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }
  return text.replace(/\\(.)/g, (_, letter: string) => meaning[letter] ?? letter)
}

/** A value that the answer must have. */
export function text(answer: Answer, name: string): string {
  const value = answer.get(name)
  if (value === undefined) throw new Error(`Java has not answered ${name}`)
  return value
}

export function bytes(answer: Answer, name: string): Buffer {
  return Buffer.from(text(answer, name), 'base64')
}

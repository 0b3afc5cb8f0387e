import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import ts from 'typescript'

/**
 * Worker threads and child processes do not have the test runner's TypeScript: they get this folder's sources as the
 * JavaScript that the package will ship, without a type check, in a folder of their own.
 */
export interface Compiled {
  readonly dir: string
  /** What a script requires to have src/memory. */
  readonly memory: string
  /** A script's path in that folder. */
  script(name: string, text: string): string
  remove(): void
}

/** The addon under test: the package's own, or another build of it (under AddressSanitizer). */
export const ADDON =
  process.env['CELEBORN_NODE_ADDON'] ?? resolve(__dirname, '../../build/Release/celeborn_native.node')

export function compileMemory(): Compiled {
  const dir = mkdtempSync(join(tmpdir(), 'celeborn-memory-'))
  const root = resolve(__dirname, '../../src')
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.CommonJS,
    esModuleInterop: true,
  }
  for (const folder of ['errors', 'memory']) {
    mkdirSync(join(dir, folder))
    for (const name of readdirSync(join(root, folder)).filter((file) => file.endsWith('.ts'))) {
      const { outputText } = ts.transpileModule(readFileSync(join(root, folder, name), 'utf8'), {
        compilerOptions,
      })
      writeFileSync(join(dir, folder, name.replace(/\.ts$/, '.js')), outputText)
    }
  }
  return {
    dir,
    memory: join(dir, 'memory', 'index.js'),
    script(name, text) {
      const path = join(dir, name)
      writeFileSync(path, text)
      return path
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a script in a Node process of its own until it ends. */
export function run(
  script: string,
  options: {
    readonly args?: readonly string[]
    readonly env?: NodeJS.ProcessEnv
    readonly flags?: readonly string[]
  } = {},
): Promise<Outcome> {
  return new Promise((resolvePromise, reject) => {
    const child = spawn(process.execPath, [...(options.flags ?? []), script, ...(options.args ?? [])], {
      env: { ...process.env, CELEBORN_NODE_ADDON: ADDON, NODE_OPTIONS: '', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code, signal) => resolvePromise({ code, signal, stdout, stderr }))
  })
}

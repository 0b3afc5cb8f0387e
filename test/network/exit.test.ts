import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RpcServer } from '../../src/network'

const DIST = join(__dirname, '../../dist')

/** Runs a program of its own against a server of this one, and gives what it printed once it has ended by itself. */
async function run(source: string): Promise<{ status: number | null; output: string }> {
  if (!existsSync(join(DIST, 'network/index.js')))
    throw new Error(`${DIST} is missing: run npm run build first`)
  const server = new RpcServer({ name: 'test endpoint' })
  server.endpoint('Echo', (type, payload) => ({ type, payload }))
  const { port } = await server.listen()
  const child = spawn(process.execPath, ['-e', source, DIST, String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => (output += text))
  }
  const [status] = (await once(child, 'close')) as [number | null]
  await server.close()
  return { status, output }
}

const ASK = `
const [, dist, port] = process.argv
const { ConnectionPool, RpcClient } = require(dist + '/network')
const { CelebornConf } = require(dist + '/conf')
const pool = new ConnectionPool(new CelebornConf(), { module: 'data' })
const ask = () => new RpcClient(pool).ask('127.0.0.1', Number(port), 'Echo', 1, Buffer.alloc(0))
`

describe('a process', () => {
  it('ends when it has nothing more to do, though its connections are open', async () => {
    const { status, output } = await run(`${ASK}; ask().then((answer) => console.log('answer', answer.type))`)
    expect(output).toBe('answer 1\n')
    expect(status).toBe(0)
  })

  it('stays alive for an answer on a connection that was idle', async () => {
    // The timer outlasts the moment at which the idle socket lets the process go.
    const { status, output } = await run(`${ASK}
      ask().then(() => setTimeout(() => ask().then((answer) => console.log('answer', answer.type)), 1200))`)
    expect(output).toBe('answer 1\n')
    expect(status).toBe(0)
  })

  it('does not end before its pool is closed', async () => {
    const { status, output } = await run(`${ASK}
      ask().then(() => pool.close()).then(() => console.log('closed', process.getActiveResourcesInfo().join()))`)
    expect(output).toMatch(/^closed (PipeWrap,?|TTYWrap,?)*\n$/)
    expect(status).toBe(0)
  })
})

/** A master that does not lead, and peers that are no masters. */
import { createServer, type Server, type Socket } from 'node:net'
import { MessageServer } from '../../src/network'
import { MessageType } from '../../src/protocol/framing'

/** The Java stream of RpcFailure(MasterNotLeaderException) as a standby master of a group answers. */
export function notLeaderStream(leaderPeer: string): Buffer {
  const throwable = classDesc('java.lang.Throwable', 'd5c635273977b8cb', 3, [
    ['L', 'cause', 'Ljava/lang/Throwable;'],
    ['L', 'detailMessage', 'Ljava/lang/String;'],
    ['[', 'stackTrace', '[Ljava/lang/StackTraceElement;'],
    ['L', 'suppressedExceptions', 'Ljava/util/List;'],
  ])
  const exception = classDesc('java.lang.Exception', 'd0fd1f3e1a3b1cc4', 2, [], throwable)
  const io = classDesc('java.io.IOException', '6c8073646525f0ab', 2, [], exception)
  const suid = Buffer.alloc(8)
  suid.writeBigInt64BE(-2552475565785098271n)
  const text = 'Ljava/lang/String;'
  const notLeader = classDesc(
    'org.apache.celeborn.common.client.MasterNotLeaderException',
    suid.toString('hex'),
    2,
    [
      ['L', 'internalLeaderPeer', text],
      ['L', 'leaderPeer', text],
    ],
    io,
  )
  const failure = classDesc('org.apache.celeborn.common.rpc.netty.RpcFailure', '26c339460f06c952', 2, [
    ['L', 'e', 'Ljava/lang/Throwable;'],
  ])
  const NULL = Buffer.of(0x70)
  const throwableValues = [NULL, javaString('not the leader'), NULL, NULL, Buffer.of(0x78)]
  return Buffer.concat([
    Buffer.from('aced0005', 'hex'),
    Buffer.of(0x73),
    failure,
    Buffer.of(0x73),
    notLeader,
    ...throwableValues,
    javaString('10.0.0.9:8097'),
    javaString(leaderPeer),
  ])
}

type Field = readonly [code: string, name: string, type: string]

function classDesc(
  name: string,
  suid: string,
  flags: number,
  fields: readonly Field[],
  parent?: Buffer,
): Buffer {
  const parts = [Buffer.of(0x72), utf(name), Buffer.from(suid, 'hex'), Buffer.of(flags), u16(fields.length)]
  for (const [code, fieldName, type] of fields)
    parts.push(Buffer.from(code), utf(fieldName), javaString(type))
  parts.push(Buffer.of(0x78), parent ?? Buffer.of(0x70))
  return Buffer.concat(parts)
}

function javaString(text: string): Buffer {
  return Buffer.concat([Buffer.of(0x74), utf(text)])
}

function utf(text: string): Buffer {
  return Buffer.concat([u16(text.length), Buffer.from(text, 'latin1')])
}

function u16(value: number): Buffer {
  return Buffer.of(value >> 8, value & 0xff)
}

export interface Peer {
  readonly endpoint: string
  /** Requests or connections that came. */
  readonly count: () => number
  close(): Promise<void>
}

/** Answers everything with "I am not the leader". */
export async function startStandby(leader: () => string): Promise<Peer> {
  let count = 0
  const server = new MessageServer({
    name: 'Standby',
    onMessage(conn, message, body) {
      body.release()
      count++
      if (message.type === MessageType.RPC_REQUEST) conn.reply(message.requestId, [notLeaderStream(leader())])
    },
  })
  const { host, port } = await server.listen()
  return { endpoint: `${host}:${port}`, count: () => count, close: () => server.close() }
}

/** Something that is no Celeborn process: says `greeting` to whoever connects, or nothing at all. */
export async function startStranger(greeting: string | undefined): Promise<Peer> {
  const sockets = new Set<Socket>()
  let count = 0
  const server: Server = createServer((socket) => {
    count++
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', () => {
      if (greeting !== undefined) socket.write(greeting)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return {
    endpoint: `127.0.0.1:${address.port}`,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}

/** A port of this machine that nobody listens at. */
export async function freePort(): Promise<number> {
  const stranger = await startStranger(undefined)
  await stranger.close()
  return Number(stranger.endpoint.split(':')[1])
}

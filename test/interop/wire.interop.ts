/** Bytes that Celeborn's jar makes at test time are read by our code, and what we make is read by the jar. */
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import protobuf from 'protobufjs'
import { type CodecName, createCodec } from '../../src/compress'
import * as protocol from '../../src/protocol'
import {
  decodeJava,
  encodeJavaBoolean,
  encodeJavaCheckExistence,
  encodeJavaTransportMessage,
} from '../../src/protocol/java-serialization'
import { encodeRoaringBitmap } from '../../src/protocol/roaring-bitmap'
import { bytes, JavaAgent, text } from './support/agent'
import { fillBatch } from './support/content'
import { locationsText, randomLocations } from './support/locations'
import { LEFT_OUT, MESSAGES } from './support/messages'
import { Random } from './support/random'
import { seed } from './support/settings'

const random = new Random(seed)
const javaSeed = () => random.int(2 ** 31)
let agent: JavaAgent

beforeAll(async () => {
  agent = new JavaAgent()
  await agent.ask('ping')
})
afterAll(() => agent.close())

describe('V1: Java-serialised objects', () => {
  it.each(MESSAGES)('$name, random ones from Java come back from us as they were', async (message) => {
    for (let i = 0; i < 25; i++) {
      const made = await agent.ask('random-message', {
        type: message.type,
        class: message.className,
        seed: javaSeed(),
        'leave-out': LEFT_OUT.join(','),
      })
      const v1 = decodeJava(bytes(made, 'v1'))
      if (v1.kind !== 'message') throw new Error(`Java's message was read as ${v1.kind}`)
      expect(v1.type).toBe(message.type)
      const bare = protocol.decodeBare(bytes(made, 'bare'))
      expect({ ...bare, payload: Buffer.from(bare.payload) }).toEqual({
        type: message.type,
        payload: Buffer.from(v1.payload),
      })
      const ours = message.again(v1.payload)
      const read = await agent.ask('read-message', {
        class: message.className,
        rpc: message.rpc,
        v1: encodeJavaTransportMessage(message.type, ours).toString('base64'),
        bare: Buffer.from(protocol.encodeBare(message.type, ours)).toString('base64'),
      })
      const type = String(message.type)
      const whole = text(made, 'text')
      expect(Object.fromEntries(read)).toEqual({
        ...{ type, text: whole, bareType: type, bareText: whole },
        class: expect.stringMatching(message.rpc ? /\w/ : /^$/),
      })
    }
  })

  it('questions for endpoints, and their answers', async () => {
    for (const name of ['MasterEndpoint', 'WorkerEndpoint', 'LifecycleManagerEndpoint', 'Ünicode☃']) {
      const asked = await agent.ask('write-lookup', { name })
      expect(decodeJava(bytes(asked, 'v1'))).toEqual({ kind: 'check-existence', name })
      const read = await agent.ask('read-object', { v1: encodeJavaCheckExistence(name).toString('base64') })
      expect(text(read, 'value')).toBe(name)
      expect(text(read, 'class')).toMatch(/CheckExistence$/)
    }
    for (const value of [true, false]) {
      const answered = await agent.ask('write-boolean', { value })
      expect(decodeJava(bytes(answered, 'v1'))).toEqual({ kind: 'boolean', value })
      const read = await agent.ask('read-object', { v1: encodeJavaBoolean(value).toString('base64') })
      expect([text(read, 'class'), text(read, 'value')]).toEqual(['java.lang.Boolean', String(value)])
    }
  })

  it('failures: whole graphs of exceptions', async () => {
    for (let i = 0; i < 200; i++) {
      const made = await agent.ask('random-failure', { seed: javaSeed() })
      const classes = text(made, 'classes').split('|')
      const messages = text(made, 'messages').split('|')
      const read = decodeJava(bytes(made, 'v1'))
      if (read.kind !== 'failure') throw new Error(`a failure was read as ${read.kind}`)
      expect(read.className).toBe(classes[0])
      for (const name of classes.slice(1)) expect(read.message).toContain(name)
      for (const message of messages) if (message !== 'null') expect(read.message).toContain(message)
      const leader = classes.some((name) => name.endsWith('MasterNotLeaderException'))
      expect(read.leader).toBe(leader ? 'there:9098' : undefined)
    }
  })
})

describe('packed locations', () => {
  it('those of Java are read as they are', async () => {
    for (let i = 0; i < 300; i++) {
      const made = await agent.ask('random-locations', { seed: javaSeed(), count: random.int(30) })
      expect(locationsText(protocol.decodeLocations(bytes(made, 'pair')))).toBe(text(made, 'text'))
    }
  })

  it('ours are read by Java as they are', async () => {
    for (let i = 0; i < 300; i++) {
      const locations = randomLocations(random, random.int(30))
      const pair = Buffer.from(protocol.encodeLocations(locations)).toString('base64')
      const read = await agent.ask('read-locations', { pair })
      expect(text(read, 'text')).toBe(locationsText(locations))
      expect(text(read, 'mutual')).toBe('true')
    }
  })

  it('bitmaps of map ids are what Java reads', async () => {
    for (let i = 0; i < 60; i++) {
      const bound = random.pick([10, 5_000, 70_000, 300_000])
      const ids = new Set(Array.from({ length: 1 + random.int(9_000) }, () => random.int(bound)))
      const bitmap = encodeRoaringBitmap(ids).toString('base64')
      const read = text(await agent.ask('read-bitmap', { bitmap }), 'ids')
      expect(read).toBe([...ids].sort((a, b) => a - b).join(','))
    }
  })
})

/** One byte, the lengths about a power of two, and random ones, of all kinds that compress well or not at all. */
function* payloads() {
  const sizes = [1, 2, 15, 16, 63, 64, 65, 4095, 4096, 65_535, 65_536, 1 << 20]
  while (sizes.length < 60) sizes.push(random.size(1, 1 << 20))
  for (const [index, size] of sizes.entries()) {
    const payload = Buffer.alloc(size, index % 7)
    if (index % 4 !== 0) fillBatch(payload, javaSeed(), 3, index)
    yield payload
  }
}

describe.each<CodecName>(['LZ4', 'ZSTD'])('%s blocks', (name) => {
  const levels = name === 'ZSTD' ? [1, 3, -2, 19] : [1]

  it.each(levels)(
    'level %i: those of Java are decoded, ours by Java, compressed and stored',
    async (level) => {
      const codec = createCodec(name, { zstdLevel: level })
      const methods = new Set<string>()
      for (const payload of payloads()) {
        const made = await agent.ask('compress', { codec: name, level, data: payload.toString('base64') })
        const block = bytes(made, 'block')
        const decoded = codec.decode(Buffer.from(block), payload.length)
        expect(Buffer.from(decoded).equals(payload)).toBe(true)
        for (const encoded of [codec.encode(payload), codec.encodeStored(payload)]) {
          const ours = Buffer.concat([encoded.header, encoded.payload])
          encoded.release()
          const method = ours[name.length + 'Block'.length]
          methods.add(encoded.stored ? 'stored' : `0x${method?.toString(16)}`)
          const read = await agent.ask('decompress', { codec: name, level, block: ours.toString('base64') })
          expect(bytes(read, 'data').equals(payload)).toBe(true)
        }
      }
      expect([...methods].sort()).toEqual([name === 'LZ4' ? '0x20' : '0x30', 'stored'])
    },
  )

  it('a byte that is wrong is seen by both', async () => {
    const codec = createCodec(name)
    const payload = random.bytes(1000)
    const encoded = codec.encodeStored(payload)
    const ours = Buffer.concat([encoded.header, encoded.payload])
    const at = codec.headerBytes + random.int(payload.length)
    ours[at] = (ours[at] ?? 0) ^ 1
    await expect(
      agent.ask('decompress', { codec: name, level: 1, block: ours.toString('base64') }),
    ).rejects.toThrow()
    expect(() => codec.decode(ours, payload.length)).toThrow(/checksum/)
  })
})

it('the schema: a field that the jar has too has the same name, type and number', async () => {
  const jar = new Map(
    text(await agent.ask('schema'), 'fields')
      .split(';')
      .map((line): [string, string] => {
        const [name = '', number = '', type = ''] = line.split(' ')
        return [`${name.split('.')[0]} ${number}`, `${name} ${type}`]
      }),
  )
  const root = protobuf.loadSync(resolve(__dirname, '../../proto/celeborn.proto'))
  root.resolveAll()
  const differences: string[] = []
  let shared = 0
  for (const message of messagesOf(root)) {
    for (const field of message.fieldsArray) {
      const theirs = jar.get(`${message.name} ${field.id}`)
      if (theirs === undefined) continue
      shared++
      const ours = `${message.name}.${field.name} ${fieldType(field)}`
      if (ours !== theirs) differences.push(`${ours}, in the jar ${theirs}`)
    }
  }
  // The wire carries no names: this one says more.
  expect(differences).toEqual([
    'PbReportWorkerUnavailable.workers PbWorkerInfo*, in the jar PbReportWorkerUnavailable.unavailable PbWorkerInfo*',
  ])
  expect(shared).toBeGreaterThan(200)
})

function messagesOf(root: protobuf.Root): protobuf.Type[] {
  const namespace = root.lookup('celeborn')
  if (!(namespace instanceof protobuf.Namespace)) throw new Error('there is no package celeborn')
  return namespace.nestedArray.filter((one) => one instanceof protobuf.Type)
}

/** As Messages.java writes it. */
function fieldType(field: protobuf.Field): string {
  const isEnum = field.resolvedType instanceof protobuf.Enum
  const type = isEnum ? 'int32' : field.type.slice(field.type.lastIndexOf('.') + 1)
  if (field instanceof protobuf.MapField) return `map<${field.keyType},${type}>`
  return field.repeated ? `${type}*` : type
}

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import protobuf from 'protobufjs/minimal'
import '../../src/protocol'

it('the generated code is what proto/celeborn.proto says', async () => {
  const script = join(__dirname, '..', '..', 'scripts', 'generate-proto.mjs')
  // Rejects with the script's words when something is stale.
  await promisify(execFile)(process.execPath, [script, '--check'])
}, 120_000)

it('protobufjs keeps its global configuration', () => {
  expect(Object.keys(protobuf.roots)).toEqual(['celeborn-node'])
  expect(protobuf.util.Long).toBeDefined()
})

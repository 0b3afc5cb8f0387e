import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProtocolError } from '../../src/errors'
import {
  decodeLocations,
  EMPTY_STORAGE,
  encodeLocations,
  packLocations,
  type PartitionLocation,
  unpackLocations,
} from '../../src/protocol'
import { fuzz, hex, location } from './support'

const h1 = { host: 'h1', rpcPort: 1, pushPort: 2, fetchPort: 3, replicatePort: 4 }
const h2 = { host: 'h2', rpcPort: 5, pushPort: 6, fetchPort: 7, replicatePort: 8 }

function plain(changes: Partial<PartitionLocation>): PartitionLocation {
  return { id: 0, epoch: 0, mode: 0, ...h1, storage: EMPTY_STORAGE, peer: undefined, ...changes }
}

const R0 = plain({ ...h2, mode: 1 })
const P0 = plain({ peer: R0 })
const P1 = plain({ id: 1 })

// Written by the 0.5.4 client jar.
const GOLDEN =
  '0a4e0a0300010012030000001a03000001220a68313a313a323a333a34220a68323a353a363a373a382a002a002a0032030000003a03' +
  '00000042004a030000005200520052005a030000006203000001120702ffffffff07001802'

describe('packed locations', () => {
  it('are written as by Java', () => {
    expect(Buffer.from(encodeLocations([P0, P1]))).toEqual(hex(GOLDEN))
    expect(packLocations([P0, P1])).toMatchObject({ peerIndexes: [2, 0x7fffffff, 0], inputLocationSize: 2 })
  })

  it('are read back with their peers', () => {
    expect(decodeLocations(hex(GOLDEN))).toEqual([P0, P1])
  })

  it('written by 0.6.3, with file sizes and chunk offsets', () => {
    const bytes = hex(
      '0a98010a0307080712030200021a03000102220a68313a313a323a333a34220f666538303a3a313a313a323a333a34220a68323a353a' +
        '363a373a382a002a002a0032030100023a0300010242062f6d6e742f61420042062f6d6e742f624a03010001520c2f6170702f302f37' +
        '2d322d30520052022f785a0302000062030001016a0780e497d0120000720c0a0a008080800480e497d01272007200120702ffffffff' +
        '07001802',
    )
    const storage = {
      ...EMPTY_STORAGE,
      type: 2,
      mountPoint: '/mnt/b',
      finalResult: true,
      filePath: '/mnt/b/x',
    }
    const peer = plain({ id: 7, epoch: 2, mode: 1, ...h2, storage })
    expect(decodeLocations(bytes)).toEqual([
      location({ peer, mapIdBitmap: undefined }),
      plain({ id: 8, mode: 1, host: 'fe80::1' }),
    ])
  })

  it('written by 0.6.3 from a list that contains both copies of a partition', () => {
    const bytes = hex(
      '0a680a04070707071204020202021a0400010100220a68313a313a323a333a34220a68323a353a363a373a382a002a002a002a003204' +
        '000000003a040000000042004a040000000052005200520052005a04000000006204000101006a040000000072007200720072001204' +
        '020303021802',
    )
    const primary = plain({ id: 7, epoch: 2 })
    const replica = plain({ id: 7, epoch: 2, mode: 1, ...h2 })
    const both = [
      { ...primary, peer: replica },
      { ...replica, peer: primary },
    ]
    expect(decodeLocations(bytes)).toEqual(both)
    expect(decodeLocations(encodeLocations(both))).toEqual(both)
  })

  it('strip the mount point from paths and put it back', () => {
    const whole = location()
    expect(packLocations([whole]).locations).toMatchObject({
      mountPointsSet: ['/mnt/a'],
      filePaths: ['/app/0/7-2-0'],
    })
    expect(decodeLocations(encodeLocations([whole]))).toEqual([whole])
  })

  it('have every column filled, but those of 0.6 only when they say something', () => {
    const rows = [plain({}), plain({ id: 1 }), location({ id: 2 })]
    for (const [name, column] of Object.entries(packLocations(rows).locations ?? {})) {
      if (!name.endsWith('Set')) expect([name, column.length]).toEqual([name, 3])
    }
    const bare = packLocations([plain({})]).locations
    expect([bare?.fileSizes, bare?.chunksOffsets]).toEqual([undefined, undefined])
  })

  it('that are empty are nothing', () => {
    expect(encodeLocations([])).toHaveLength(2)
    expect(decodeLocations(encodeLocations([]))).toEqual([])
    expect(decodeLocations(Buffer.alloc(0))).toEqual([])
    expect(unpackLocations(null)).toEqual([])
  })

  it('may leave out columns that only describe storage', () => {
    const pair = {
      locations: { ids: [3], epoches: [1], workerIds: [0], workerIdsSet: ['h1:1:2:3:4'], modes: [0] },
      peerIndexes: [0x7fffffff],
      inputLocationSize: 1,
    }
    expect(unpackLocations(pair)).toEqual([plain({ id: 3, epoch: 1 })])
  })

  it('round trip', () => {
    const port = fc.nat({ max: 65_535 })
    const address = fc.record({
      host: fc.constantFrom('h1', 'h2', '10.0.0.1', '::1'),
      rpcPort: port,
      pushPort: port,
      fetchPort: port,
      replicatePort: port,
    })
    const storage = fc.record({
      type: fc.nat({ max: 5 }),
      mountPoint: fc.constantFrom('', '/mnt/a', '/mnt/b'),
      finalResult: fc.boolean(),
      filePath: fc.constantFrom('', '/x/y'),
      availableStorageTypes: fc.nat({ max: 31 }),
      fileSize: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
      chunkOffsets: fc.array(fc.nat({ max: Number.MAX_SAFE_INTEGER }), { maxLength: 4 }),
    })
    const bitmap = fc.option(fc.uint8Array({ minLength: 1, maxLength: 8 }), { nil: undefined })
    const withoutPeer = fc
      .tuple(address, fc.constantFrom(0 as const, 1 as const), storage, bitmap)
      .map(([at, mode, where, mapIdBitmap]) =>
        plain({
          ...at,
          mode,
          storage: where.filePath === '' ? where : { ...where, filePath: where.mountPoint + where.filePath },
          mapIdBitmap,
        }),
      )
    const list = fc
      .array(fc.tuple(withoutPeer, fc.option(withoutPeer, { nil: undefined })), { maxLength: 8 })
      // One row per partition, so that no two rows are the same location with different storage.
      .map((pairs) =>
        pairs.map(([row, peer], id) => ({
          ...row,
          id,
          peer: peer === undefined ? undefined : { ...peer, id, epoch: 1 },
        })),
      )
    fc.assert(
      fc.property(list, (locations) => {
        expect(decodeLocations(encodeLocations(locations))).toEqual(locations)
      }),
    )
  })

  const valid = () => {
    const { locations, ...rest } = packLocations([P0, P1])
    return { locations: { ...locations }, ...rest }
  }

  it.each([
    ['a column that is too short', { epoches: [0] }, {}, 'column epoches has 1 of 3'],
    ['a column that is too long', { types: [0, 0, 0, 0] }, {}, 'column types has 4 of 3'],
    ['a missing column', { modes: [] }, {}, 'column modes has 0 of 3'],
    ['a worker that is not listed', { workerIds: [0, 2, 0] }, {}, 'workerIds points at entry 2 of 2'],
    ['a negative index', { workerIds: [0, -1, 0] }, {}, 'workerIds points at entry -1'],
    [
      'a mount point that is not listed',
      { mountPoints: [0, 0, 1] },
      {},
      'mountPoints points at entry 1 of 1',
    ],
    ['a worker id that is none', { workerIdsSet: ['h1:1:2', 'h2:5:6:7:8'] }, {}, "not a worker's unique id"],
    ['a mode that is none', { modes: [0, 2, 0] }, {}, 'mode 2'],
    ['a peer that is no row', {}, { peerIndexes: [3, 0x7fffffff, 0] }, 'peerIndexes points at entry 3 of 3'],
    ['too few peers', {}, { peerIndexes: [2] }, '1 peer indexes for 3 rows'],
    ['more input rows than rows', {}, { inputLocationSize: 4 }, '4 input rows of 3'],
    ['a negative number of input rows', {}, { inputLocationSize: -1 }, '-1 input rows'],
  ])('%s is a ProtocolError', (_what, columns, rest, message) => {
    const pair = valid()
    expect(unpackLocations(pair)).toEqual([P0, P1])
    const wrong = { ...pair, locations: { ...pair.locations, ...columns }, ...rest }
    expect(() => unpackLocations(wrong)).toThrow(ProtocolError)
    expect(() => unpackLocations(wrong)).toThrow(message)
  })

  it('survive damage', () => {
    fuzz(decodeLocations, [hex(GOLDEN), encodeLocations([location({ peer: R0 }), P1])], 1000)
  })
})

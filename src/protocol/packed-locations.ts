import { ProtocolError } from '../errors'
import { celeborn as pb } from './generated/celeborn'
import { parseWorkerUniqueId, workerUniqueId } from './ids'
import { type PartitionLocation, type StorageInfo } from './locations'
import { decodeWith, encodeWith, list, ownBytes, toNumber, toNumbers } from './messages/pb'

/**
 * Locations as a table stored by column, the form in which lists of them travel. The first rows are the list
 * itself ("input"); rows behind it are there only because an input row names them as its peer.
 */

type Table = pb.PbPackedPartitionLocations.$Properties
type Pair = pb.PbPackedPartitionLocationsPair.$Properties

/** Index of a row without a peer. */
const NO_PEER = 0x7fff_ffff

/** Packs a list of locations with their peers. */
export function packLocations(input: readonly PartitionLocation[]): Pair {
  const rows: PartitionLocation[] = [...input]
  const indexOf = new Map<string, number>()
  input.forEach((location, row) => indexOf.set(identity(location), row))
  const peerIndexes: number[] = []
  input.forEach((location, row) => {
    const { peer } = location
    if (peer === undefined) {
      peerIndexes[row] ??= NO_PEER
      return
    }
    let peerRow = indexOf.get(identity(peer))
    if (peerRow === undefined) {
      peerRow = rows.push(peer) - 1
      indexOf.set(identity(peer), peerRow)
      peerIndexes[peerRow] = row
    }
    peerIndexes[row] = peerRow
  })
  return { locations: packTable(rows), peerIndexes, inputLocationSize: input.length }
}

/** What Celeborn takes for the same location; mode and peer do not count. */
function identity(location: PartitionLocation): string {
  return `${location.id}-${location.epoch}-${location.rpcPort}-${location.pushPort}-${location.fetchPort}-${location.host}`
}

function packTable(rows: readonly PartitionLocation[]): Table {
  const workers = new IndexedSet()
  const mountPoints = new IndexedSet()
  const table = {
    ids: rows.map((row) => row.id),
    epoches: rows.map((row) => row.epoch),
    workerIds: rows.map((row) => workers.index(workerUniqueId(row))),
    workerIdsSet: workers.values,
    mapIdBitMap: rows.map((row) => row.mapIdBitmap ?? NOTHING),
    types: rows.map((row) => row.storage.type),
    mountPoints: rows.map((row) => mountPoints.index(row.storage.mountPoint)),
    mountPointsSet: mountPoints.values,
    finalResult: rows.map((row) => row.storage.finalResult),
    filePaths: rows.map((row) => withoutMountPoint(row.storage)),
    availableStorageTypes: rows.map((row) => row.storage.availableStorageTypes),
    modes: rows.map((row) => row.mode),
  }
  // The two columns of 0.6 are read only together, and 0.5 does not know them: left out when they say nothing.
  if (!rows.some(({ storage }) => storage.fileSize > 0 || storage.chunkOffsets.length > 0)) return table
  return {
    ...table,
    fileSizes: rows.map((row) => row.storage.fileSize),
    chunksOffsets: rows.map((row) => ({ chunkOffset: list(row.storage.chunkOffsets) })),
  }
}

const NOTHING = new Uint8Array(0)

class IndexedSet {
  readonly values: string[] = []
  private readonly indexes = new Map<string, number>()

  index(value: string): number {
    let index = this.indexes.get(value)
    if (index === undefined) {
      index = this.values.push(value) - 1
      this.indexes.set(value, index)
    }
    return index
  }
}

function withoutMountPoint(storage: StorageInfo): string {
  const { filePath, mountPoint } = storage
  return filePath.startsWith(mountPoint) ? filePath.slice(mountPoint.length) : filePath
}

/** The input rows of a packed list, in order, with their peers. Throws a ProtocolError. */
export function unpackLocations(pair: Pair | null | undefined): PartitionLocation[] {
  const inputSize = pair?.inputLocationSize ?? 0
  const rows = unpackTable(pair?.locations ?? {})
  if (inputSize < 0 || inputSize > rows.length) {
    throw new ProtocolError(`packed locations: ${inputSize} input rows of ${rows.length}`)
  }
  const peerIndexes = pair?.peerIndexes ?? []
  if (peerIndexes.length !== rows.length) {
    throw new ProtocolError(`packed locations: ${peerIndexes.length} peer indexes for ${rows.length} rows`)
  }
  return rows.slice(0, inputSize).map((row, index) => {
    const peerIndex = peerIndexes[index]
    if (peerIndex === NO_PEER || peerIndex === undefined) return row
    return { ...row, peer: at(rows, peerIndex, 'peerIndexes') }
  })
}

function unpackTable(table: Table): PartitionLocation[] {
  const ids = list(table.ids ?? [])
  const count = ids.length
  const epoches = column(table.epoches, count, 'epoches')
  const workerIds = column(table.workerIds, count, 'workerIds')
  const modes = column(table.modes, count, 'modes')
  const bitmaps = column(table.mapIdBitMap, count, 'mapIdBitMap', true)
  const types = column(table.types, count, 'types', true)
  const mountPoints = column(table.mountPoints, count, 'mountPoints', true)
  const finalResults = column(table.finalResult, count, 'finalResult', true)
  const filePaths = column(table.filePaths, count, 'filePaths', true)
  const availableTypes = column(table.availableStorageTypes, count, 'availableStorageTypes', true)
  let fileSizes = column(table.fileSizes, count, 'fileSizes', true)
  let chunksOffsets = column(table.chunksOffsets, count, 'chunksOffsets', true)
  if (fileSizes.length === 0 || chunksOffsets.length === 0) {
    fileSizes = []
    chunksOffsets = []
  }
  const workers = (table.workerIdsSet ?? []).map(parseWorkerUniqueId)
  const mountPointsSet = table.mountPointsSet ?? []
  return ids.map((id, row) => {
    const mode = modes[row]
    if (mode !== 0 && mode !== 1) throw new ProtocolError(`packed locations: mode ${mode}`)
    const mountPoint =
      mountPoints.length === 0 ? '' : at(mountPointsSet, mountPoints[row] ?? 0, 'mountPoints')
    const filePath = filePaths[row] ?? ''
    const bitmap = bitmaps[row]
    return {
      id,
      epoch: epoches[row] ?? 0,
      mode,
      ...at(workers, workerIds[row] ?? -1, 'workerIds'),
      storage: {
        type: types[row] ?? 0,
        mountPoint,
        finalResult: finalResults[row] ?? false,
        filePath: filePath === '' ? '' : mountPoint + filePath,
        availableStorageTypes: availableTypes[row] ?? 0,
        fileSize: toNumber(fileSizes[row] ?? 0, 'fileSizes'),
        chunkOffsets: toNumbers(chunksOffsets[row]?.chunkOffset ?? [], 'chunksOffsets'),
      },
      mapIdBitmap: bitmap === undefined || bitmap.length === 0 ? undefined : ownBytes(bitmap),
    }
  })
}

function column<T>(values: T[] | null | undefined, count: number, name: string, optional = false): T[] {
  const length = values?.length ?? 0
  if (length === count) return values ?? []
  if (optional && length === 0) return []
  throw new ProtocolError(`packed locations: column ${name} has ${length} of ${count} entries`)
}

function at<T>(values: readonly T[], index: number, name: string): T {
  const value = values[index]
  if (value === undefined) {
    throw new ProtocolError(`packed locations: ${name} points at entry ${index} of ${values.length}`)
  }
  return value
}

/** Encodes PbPackedPartitionLocationsPair. */
export function encodeLocations(input: readonly PartitionLocation[]): Uint8Array {
  return encodeWith(pb.PbPackedPartitionLocationsPair, packLocations(input))
}

/** Decodes PbPackedPartitionLocationsPair. Throws a ProtocolError. */
export function decodeLocations(bytes: Uint8Array): PartitionLocation[] {
  return decodeWith('PackedPartitionLocationsPair', pb.PbPackedPartitionLocationsPair, bytes, unpackLocations)
}

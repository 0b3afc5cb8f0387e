import { encodeRoaringBitmap } from '../../../src/protocol/roaring-bitmap'
import { type PartitionLocation } from '../../../src/protocol/locations'
import { type Random } from './random'

/** As Locations.java writes them: primaries first, then replicas, each in order. */
export function locationsText(locations: readonly PartitionLocation[]): string {
  return [0, 1]
    .flatMap((mode) => locations.filter((location) => location.mode === mode))
    .map((location) => `${locationText(location)};`)
    .join('')
}

function locationText(location: PartitionLocation): string {
  return location.peer === undefined ? own(location) : `${own(location)} with ${own(location.peer)}`
}

function own(location: PartitionLocation): string {
  const { storage } = location
  const bitmap = location.mapIdBitmap
  const values = [
    ...[location.mode, location.id, location.epoch, location.host],
    ...[location.rpcPort, location.pushPort, location.fetchPort, location.replicatePort],
    ...[
      storage.type,
      storage.mountPoint,
      storage.finalResult,
      storage.filePath,
      storage.availableStorageTypes,
    ],
    bitmap === undefined ? '' : Buffer.from(bitmap).toString('base64'),
  ]
  return values.map((value) => `${value}|`).join('')
}

const HOSTS = ['worker-1', '10.0.0.7', '::1', 'fe80::2', 'wörker', '工人'] as const
const MOUNT_POINTS = ['', '/mnt/disk1', '/mnt/disk2', '/', '/mnt/größe'] as const

function one(random: Random, id: number, mode: 0 | 1): PartitionLocation {
  const mountPoint = random.pick(MOUNT_POINTS)
  const port = () => 1 + random.int(65_535)
  const bitmap = () =>
    encodeRoaringBitmap(Array.from({ length: 1 + random.int(50) }, () => random.int(70_000)))
  return {
    id,
    mode,
    epoch: random.int(5),
    host: random.pick(HOSTS),
    rpcPort: port(),
    pushPort: port(),
    fetchPort: port(),
    replicatePort: port(),
    storage: {
      type: random.int(5),
      mountPoint,
      finalResult: random.boolean(),
      filePath: random.boolean() ? '' : `${mountPoint}/app/${id}/${random.int(9)}`,
      availableStorageTypes: random.int(32),
      fileSize: random.boolean() ? 0 : random.int(2 ** 31) * 1000,
      chunkOffsets: random.boolean() ? [] : [0, 8_388_608],
    },
    ...(random.boolean() ? { mapIdBitmap: bitmap() } : {}),
  }
}

/** Primaries with and without a replica, replicas whose primary is in the list, elsewhere or nowhere. */
export function randomLocations(random: Random, count: number): PartitionLocation[] {
  const locations: PartitionLocation[] = []
  for (let id = 0; id < count; id++) {
    const primary = one(random, id, 0)
    const replica = one(random, id, 1)
    const paired = random.int(5) < 3
    const which = random.int(3)
    if (which !== 1) locations.push(paired ? { ...primary, peer: replica } : primary)
    if (which !== 0) locations.push(paired ? { ...replica, peer: primary } : replica)
  }
  for (let i = locations.length - 1; i > 0; i--) {
    const j = random.int(i + 1)
    const [a, b] = [locations[i], locations[j]]
    if (a !== undefined && b !== undefined) [locations[i], locations[j]] = [b, a]
  }
  return locations
}

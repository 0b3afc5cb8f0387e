import { ProtocolError } from '../../errors'
import { type celeborn as pb } from '../generated/celeborn'
import { EMPTY_STORAGE, type PartitionLocation, type StorageInfo, type WorkerResource } from '../locations'
import { packLocations, unpackLocations } from '../packed-locations'
import { fromMap, list, ownBytes, toMap, toNumber, toNumbers } from './pb'
import {
  type DiskInfo,
  type ResourceConsumption,
  type UserIdentifier,
  type WorkerInfo,
  type WorkerInfoInput,
} from './structures'

/** Conversions between generated protobuf shapes and the plain values that several messages share. */

type PbLocation = pb.PbPartitionLocation.$Properties
type PbStorage = pb.PbStorageInfo.$Properties
type PbConsumption = pb.PbResourceConsumption.$Properties

export function toPbStorage(storage: StorageInfo): PbStorage {
  return { ...storage, chunkOffsets: list(storage.chunkOffsets) }
}

export function fromPbStorage(storage: PbStorage): StorageInfo {
  return {
    type: storage.type ?? 0,
    mountPoint: storage.mountPoint ?? '',
    finalResult: storage.finalResult ?? false,
    filePath: storage.filePath ?? '',
    availableStorageTypes: storage.availableStorageTypes ?? 0,
    fileSize: toNumber(storage.fileSize ?? 0, 'fileSize'),
    chunkOffsets: toNumbers(storage.chunkOffsets ?? [], 'chunkOffsets'),
  }
}

export function toPbLocation(location: PartitionLocation, withPeer = true): PbLocation {
  const { peer, storage, mapIdBitmap, id, epoch, mode, host, rpcPort, pushPort, fetchPort, replicatePort } =
    location
  return {
    mode,
    id,
    epoch,
    host,
    rpcPort,
    pushPort,
    fetchPort,
    replicatePort,
    peer: withPeer && peer !== undefined ? toPbLocation(peer, false) : null,
    storageInfo: toPbStorage(storage),
    mapIdBitmap: mapIdBitmap ?? null,
  }
}

export function fromPbLocation(location: PbLocation, withPeer = true): PartitionLocation {
  const { mode, peer, mapIdBitmap } = location
  if (mode !== undefined && mode !== null && mode !== 0 && mode !== 1) {
    throw new ProtocolError(`a location with mode ${mode}`)
  }
  return {
    id: location.id ?? 0,
    epoch: location.epoch ?? 0,
    mode: mode === 1 ? 1 : 0,
    host: location.host ?? '',
    rpcPort: location.rpcPort ?? 0,
    pushPort: location.pushPort ?? 0,
    fetchPort: location.fetchPort ?? 0,
    replicatePort: location.replicatePort ?? 0,
    peer: withPeer && peer ? fromPbLocation(peer, false) : undefined,
    storage: location.storageInfo ? fromPbStorage(location.storageInfo) : EMPTY_STORAGE,
    mapIdBitmap: mapIdBitmap && mapIdBitmap.length > 0 ? ownBytes(mapIdBitmap) : undefined,
  }
}

export function fromPbDisk(disk: pb.PbDiskInfo.$Properties): DiskInfo {
  return {
    mountPoint: disk.mountPoint ?? '',
    usableSpace: toNumber(disk.usableSpace ?? 0, 'usableSpace'),
    avgFlushTime: toNumber(disk.avgFlushTime ?? 0, 'avgFlushTime'),
    usedSlots: toNumber(disk.usedSlots ?? 0, 'usedSlots'),
    status: disk.status ?? 0,
    avgFetchTime: toNumber(disk.avgFetchTime ?? 0, 'avgFetchTime'),
    storageType: disk.storageType ?? 0,
    totalSpace: toNumber(disk.totalSpace ?? 0, 'totalSpace'),
  }
}

export function toPbConsumption(consumption: ResourceConsumption): PbConsumption {
  return {
    ...consumption,
    subResourceConsumptions: fromMap(consumption.subResourceConsumptions, toPbConsumption),
  }
}

export function fromPbConsumption(consumption: PbConsumption): ResourceConsumption {
  return {
    diskBytesWritten: toNumber(consumption.diskBytesWritten ?? 0, 'diskBytesWritten'),
    diskFileCount: toNumber(consumption.diskFileCount ?? 0, 'diskFileCount'),
    hdfsBytesWritten: toNumber(consumption.hdfsBytesWritten ?? 0, 'hdfsBytesWritten'),
    hdfsFileCount: toNumber(consumption.hdfsFileCount ?? 0, 'hdfsFileCount'),
    subResourceConsumptions: toMap(consumption.subResourceConsumptions, fromPbConsumption),
  }
}

export function toPbWorker(worker: WorkerInfoInput): pb.PbWorkerInfo.$Properties {
  return {
    host: worker.host,
    rpcPort: worker.rpcPort,
    pushPort: worker.pushPort,
    fetchPort: worker.fetchPort,
    replicatePort: worker.replicatePort,
    disks: list(worker.disks),
    userResourceConsumption: fromMap(worker.userResourceConsumption, toPbConsumption),
    internalPort: worker.internalPort ?? 0,
    networkLocation: worker.networkLocation ?? '',
    nextInterruptionNotice: worker.nextInterruptionNotice ?? 0,
  }
}

export function fromPbWorker(worker: pb.PbWorkerInfo.$Properties): WorkerInfo {
  return {
    host: worker.host ?? '',
    rpcPort: worker.rpcPort ?? 0,
    pushPort: worker.pushPort ?? 0,
    fetchPort: worker.fetchPort ?? 0,
    replicatePort: worker.replicatePort ?? 0,
    disks: (worker.disks ?? []).map(fromPbDisk),
    userResourceConsumption: toMap(worker.userResourceConsumption, fromPbConsumption),
    internalPort: worker.internalPort ?? 0,
    networkLocation: worker.networkLocation ?? '',
    nextInterruptionNotice: toNumber(worker.nextInterruptionNotice ?? 0, 'nextInterruptionNotice'),
  }
}

export function fromPbUser(user: pb.PbUserIdentifier.$Properties | null | undefined): UserIdentifier {
  return { tenantId: user?.tenantId ?? '', name: user?.name ?? '' }
}

export function toPbPackedResource(resource: WorkerResource): pb.PbPackedWorkerResource.$Properties {
  return {
    locationPairs: packLocations([...resource.primaries, ...resource.replicas]),
    networkLocation: resource.networkLocation,
  }
}

export function fromPbPackedResource(resource: pb.PbPackedWorkerResource.$Properties): WorkerResource {
  return {
    ...byMode(unpackLocations(resource.locationPairs)),
    networkLocation: resource.networkLocation ?? '',
  }
}

export function toPbResource(resource: WorkerResource): pb.PbWorkerResource.$Properties {
  return {
    primaryPartitions: resource.primaries.map((location) => toPbLocation(location)),
    replicaPartitions: resource.replicas.map((location) => toPbLocation(location)),
    networkLocation: resource.networkLocation,
  }
}

export function fromPbResource(resource: pb.PbWorkerResource.$Properties): WorkerResource {
  return {
    primaries: (resource.primaryPartitions ?? []).map((location) => fromPbLocation(location)),
    replicas: (resource.replicaPartitions ?? []).map((location) => fromPbLocation(location)),
    networkLocation: resource.networkLocation ?? '',
  }
}

/** Locations of one list, apart by role. */
export function byMode(locations: readonly PartitionLocation[]): {
  primaries: PartitionLocation[]
  replicas: PartitionLocation[]
} {
  return {
    primaries: locations.filter(({ mode }) => mode === 0),
    replicas: locations.filter(({ mode }) => mode === 1),
  }
}

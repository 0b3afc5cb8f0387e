import * as p from '../../src/protocol'
import { location } from './support'
import { bytes, int, msg, packed, str } from './wire'

/** Every control message: a value in which no two fields are alike, and its bytes by the protocol's tables. */
export interface MessageCase<T> {
  readonly name: string
  readonly value: T
  readonly wire: Uint8Array[]
  readonly encode: (value: T) => Uint8Array
  readonly decode: (bytes: Uint8Array) => T
}

function message<T>(
  name: string,
  encode: (value: T) => Uint8Array,
  decode: (bytes: Uint8Array) => T,
  value: NoInfer<T>,
  wire: Uint8Array[],
): MessageCase<unknown> {
  return { name, value, wire, encode, decode } as unknown as MessageCase<unknown>
}

const BIG = 5_000_000_000 // needs more than 32 bits

const storage = location().storage
const storageWire = [
  int(1, 1),
  str(2, '/mnt/a'),
  int(3, true),
  str(4, '/mnt/a/app/0/7-2-0'),
  int(5, 2),
  int(6, BIG),
  packed(7, 0, 8_388_608, BIG),
]
const replica = location({ mode: 1, host: 'h2', rpcPort: 5, mapIdBitmap: undefined })
const primary = location({ peer: replica })
const replicaWire = [
  int(1, 1),
  int(2, 7),
  int(3, 2),
  str(4, 'h2'),
  ...[5, 2, 3, 4].map((port, i) => int(5 + i, port)),
  msg(10, ...storageWire),
]
const primaryWire = [
  int(2, 7),
  int(3, 2),
  str(4, 'h1'),
  ...[1, 2, 3, 4].map((port, i) => int(5 + i, port)),
  msg(9, ...replicaWire),
  msg(10, ...storageWire),
  bytes(11, Uint8Array.of(58, 48, 1)),
]
/** PbPackedPartitionLocationsPair of that primary; the replica comes along as its peer. */
const pairWire = [
  msg(
    1,
    packed(1, 7, 7),
    packed(2, 2, 2),
    packed(3, 0, 1),
    str(4, 'h1:1:2:3:4', 'h2:5:2:3:4'),
    bytes(5, Uint8Array.of(58, 48, 1), new Uint8Array(0)),
    packed(6, 1, 1),
    packed(7, 0, 0),
    str(8, '/mnt/a'),
    packed(9, true, true),
    str(10, '/app/0/7-2-0', '/app/0/7-2-0'),
    packed(11, 2, 2),
    packed(12, 0, 1),
    packed(13, BIG, BIG),
    msg(14, packed(1, 0, 8_388_608, BIG)),
    msg(14, packed(1, 0, 8_388_608, BIG)),
  ),
  packed(2, 1, 0),
  int(3, 1),
]
/** The same with a replica whose primary is elsewhere, as a worker gets them. */
const ofWorker = { primaries: [primary], replicas: [location({ id: 8, mode: 1, mapIdBitmap: undefined })] }
const ofWorkerWire = Buffer.from(p.encodeLocations([...ofWorker.primaries, ...ofWorker.replicas]))

const user = { tenantId: 'tenant', name: 'user' }
const userWire = [str(1, 'tenant'), str(2, 'user')]

const consumption = {
  diskBytesWritten: BIG,
  diskFileCount: 2,
  hdfsBytesWritten: 3,
  hdfsFileCount: 4,
  subResourceConsumptions: new Map(),
}
const consumptionWire = [int(1, BIG), int(2, 2), int(3, 3), int(4, 4)]
const consumptions = new Map([
  ['u', { ...consumption, subResourceConsumptions: new Map([['app', consumption]]) }],
])
const consumptionsWire = (field: number) =>
  msg(field, str(1, 'u'), msg(2, ...consumptionWire, msg(5, str(1, 'app'), msg(2, ...consumptionWire))))

const disk = {
  mountPoint: '/mnt/a',
  usableSpace: BIG,
  avgFlushTime: 3,
  usedSlots: 4,
  status: 1,
  avgFetchTime: 6,
  storageType: 2,
  totalSpace: BIG + 8,
}
const diskWire = [
  str(1, '/mnt/a'),
  int(2, BIG),
  int(3, 3),
  int(4, 4),
  int(5, 1),
  int(6, 6),
  int(7, 2),
  int(8, BIG + 8),
]

const address = { host: 'w', rpcPort: 2, pushPort: 3, fetchPort: 4, replicatePort: 5 }
const addressWire = [str(1, 'w'), int(2, 2), int(3, 3), int(4, 4), int(5, 5)]
const worker = {
  ...address,
  disks: [disk],
  userResourceConsumption: consumptions,
  internalPort: 8,
  networkLocation: '/rack',
  nextInterruptionNotice: BIG,
}
const workerWire = [
  ...addressWire,
  msg(6, ...diskWire),
  consumptionsWire(7),
  int(8, 8),
  str(9, '/rack'),
  int(10, BIG),
]
const named = (host: string) => ({ ...worker, host, disks: [], userResourceConsumption: new Map() })
const namedWire = (host: string) => [
  str(1, host),
  ...addressWire.slice(1),
  int(8, 8),
  str(9, '/rack'),
  int(10, BIG),
]

const failedBatches = new Map([['7-2', new Map([['3-0', [5, 6]]])]])
const failedBatchesWire = (field: number) =>
  msg(field, str(1, '7-2'), msg(2, msg(1, str(1, '3-0'), msg(2, packed(1, 5, 6)))))

const handler = {
  streamId: { high: 0x7fffffff, low: 1 },
  numChunks: 2,
  chunkOffsets: [0, BIG],
  fullPath: '/f',
}
const handlerWire = [int(1, 0x7fffffff_00000001n), int(2, 2), packed(3, 0, BIG), str(4, '/f')]

export const MESSAGES: MessageCase<unknown>[] = [
  message(
    'RegisterShuffle',
    p.encodeRegisterShuffle,
    p.decodeRegisterShuffle,
    { shuffleId: 1, numMappers: 2, numPartitions: 3 },
    [int(1, 1), int(2, 2), int(3, 3)],
  ),
  message(
    'RegisterShuffleResponse',
    p.encodeRegisterShuffleResponse,
    p.decodeRegisterShuffleResponse,
    { status: 3, locations: [primary], errorMsg: 'why' },
    [int(1, 3), msg(3, ...pairWire), str(10100, 'why')],
  ),
  message(
    'Revive',
    p.encodeRevive,
    p.decodeRevive,
    {
      shuffleId: 1,
      mapIds: [2, 3],
      partitions: [
        { partitionId: 7, epoch: 2, location: primary, cause: 21 },
        { partitionId: 8, epoch: -1, location: undefined, cause: 17 },
      ],
    },
    [
      int(1, 1),
      packed(2, 2, 3),
      msg(3, int(1, 7), int(2, 2), msg(3, ...primaryWire), int(4, 21)),
      msg(3, int(1, 8), int(2, -1), int(4, 17)),
    ],
  ),
  message(
    'ChangeLocationResponse',
    p.encodeChangeLocationResponse,
    p.decodeChangeLocationResponse,
    {
      endedMapIds: [4, 5],
      partitions: [
        { partitionId: 7, status: 1, location: primary, oldAvailable: true },
        { partitionId: -1, status: 16, location: undefined, oldAvailable: false },
      ],
    },
    [
      packed(1, 4, 5),
      msg(2, int(1, 7), int(2, 1), msg(3, ...primaryWire), int(4, true)),
      msg(2, int(1, -1), int(2, 16)),
    ],
  ),
  message(
    'MapperEnd',
    p.encodeMapperEnd,
    p.decodeMapperEnd,
    {
      shuffleId: 1,
      mapId: 2,
      attemptId: 3,
      numMappers: 4,
      partitionId: -1,
      pushFailedBatches: failedBatches,
      numPartitions: 7,
      crc32PerPartition: [8, -8],
      bytesWrittenPerPartition: [9, BIG],
    },
    [
      int(1, 1),
      int(2, 2),
      int(3, 3),
      int(4, 4),
      int(5, -1),
      failedBatchesWire(6),
      int(7, 7),
      packed(8, 8, -8),
      packed(9, 9, BIG),
    ],
  ),
  message('MapperEndResponse', p.encodeMapperEndResponse, p.decodeMapperEndResponse, { status: 15 }, [
    int(1, 15),
  ]),
  message(
    'GetReducerFileGroup',
    p.encodeGetReducerFileGroup,
    p.decodeGetReducerFileGroup,
    { shuffleId: 1, isSegmentGranularityVisible: true },
    [int(1, 1), int(2, true)],
  ),
  message(
    'GetReducerFileGroupResponse',
    p.encodeGetReducerFileGroupResponse,
    p.decodeGetReducerFileGroupResponse,
    {
      status: 1,
      fileGroups: new Map([[7, [primary]]]),
      attempts: [3, -1],
      partitionIds: [4],
      pushFailedBatches: failedBatches,
      broadcast: Uint8Array.of(6),
      errorMsg: 'why',
    },
    [
      int(1, 1),
      msg(2, int(1, 7), msg(2, msg(2, ...pairWire))),
      packed(3, 3, -1),
      packed(4, 4),
      failedBatchesWire(5),
      bytes(6, Uint8Array.of(6)),
      str(10100, 'why'),
    ],
  ),
  message(
    'GetShuffleId',
    p.encodeGetShuffleId,
    p.decodeGetShuffleId,
    { appShuffleId: 1, appShuffleIdentifier: '2-0', isShuffleWriter: true, isBarrierStage: true },
    [int(1, 1), str(2, '2-0'), int(3, true), int(4, true)],
  ),
  message(
    'GetShuffleIdResponse',
    p.encodeGetShuffleIdResponse,
    p.decodeGetShuffleIdResponse,
    { shuffleId: -1, success: true },
    [int(1, -1), int(2, true)],
  ),
  message(
    'ReportShuffleFetchFailure',
    p.encodeReportShuffleFetchFailure,
    p.decodeReportShuffleFetchFailure,
    { appShuffleId: 1, shuffleId: 2, taskId: BIG },
    [int(1, 1), int(2, 2), int(3, BIG)],
  ),
  message(
    'ReportShuffleFetchFailureResponse',
    p.encodeReportShuffleFetchFailureResponse,
    p.decodeReportShuffleFetchFailureResponse,
    { success: true },
    [int(1, true)],
  ),
  message(
    'ReportBarrierStageAttemptFailure',
    p.encodeReportBarrierStageAttemptFailure,
    p.decodeReportBarrierStageAttemptFailure,
    { appShuffleId: 1, appShuffleIdentifier: '1-2-3' },
    [int(1, 1), str(2, '1-2-3')],
  ),
  message(
    'ReportBarrierStageAttemptFailureResponse',
    p.encodeReportBarrierStageAttemptFailureResponse,
    p.decodeReportBarrierStageAttemptFailureResponse,
    { success: true },
    [int(1, true)],
  ),
  message('GetStageEnd', p.encodeGetStageEnd, p.decodeGetStageEnd, { shuffleId: 1 }, [int(1, 1)]),
  message(
    'GetStageEndResponse',
    p.encodeGetStageEndResponse,
    p.decodeGetStageEndResponse,
    { stageEnd: true },
    [int(1, true)],
  ),
  message(
    'ReadReducerPartitionEnd',
    p.encodeReadReducerPartitionEnd,
    p.decodeReadReducerPartitionEnd,
    { shuffleId: 1, partitionId: 2, startMapIndex: 3, endMapIndex: 0x7fffffff, crc32: -5, bytesWritten: BIG },
    [int(1, 1), int(2, 2), int(3, 3), int(4, 0x7fffffff), int(5, -5), int(6, BIG)],
  ),
  message(
    'ReadReducerPartitionEndResponse',
    p.encodeReadReducerPartitionEndResponse,
    p.decodeReadReducerPartitionEndResponse,
    { status: 56, errorMsg: 'e' },
    [int(1, 56), str(2, 'e')],
  ),
  message(
    'ApplicationMetaRequest',
    p.encodeApplicationMetaRequest,
    p.decodeApplicationMetaRequest,
    { appId: 'app' },
    [str(1, 'app')],
  ),
  message(
    'ApplicationMeta',
    p.encodeApplicationMeta,
    p.decodeApplicationMeta,
    { appId: 'app', secret: 'secret' },
    [str(1, 'app'), str(2, 'secret')],
  ),
  message(
    'RequestSlots',
    p.encodeRequestSlots,
    p.decodeRequestSlots,
    {
      applicationId: 'app',
      shuffleId: 2,
      partitionIds: [3, 33],
      hostname: 'lm',
      shouldReplicate: true,
      requestId: 'r#6',
      userIdentifier: user,
      shouldRackAware: true,
      maxWorkers: 10,
      availableStorageTypes: 11,
      excludedWorkers: [worker],
      packed: true,
      tagsExpr: 'tags',
    },
    [
      str(1, 'app'),
      int(2, 2),
      packed(3, 3, 33),
      str(4, 'lm'),
      int(5, true),
      str(6, 'r#6'),
      msg(8, ...userWire),
      int(9, true),
      int(10, 10),
      int(11, 11),
      msg(12, ...workerWire),
      int(13, true),
      str(14, 'tags'),
    ],
  ),
  message(
    'RequestSlotsResponse, packed',
    (value: p.RequestSlotsResponse) => p.encodeRequestSlotsResponse(value, true),
    p.decodeRequestSlotsResponse,
    {
      status: 1,
      workerResource: new Map([['h1:1:2:3:4', { ...ofWorker, networkLocation: '/rack' }]]),
    },
    [int(1, 1), msg(3, str(1, 'h1:1:2:3:4'), msg(2, bytes(1, ofWorkerWire), str(2, '/rack')))],
  ),
  message(
    'RequestSlotsResponse, not packed',
    (value: p.RequestSlotsResponse) => p.encodeRequestSlotsResponse(value, false),
    p.decodeRequestSlotsResponse,
    {
      status: 1,
      workerResource: new Map([
        ['h1:1:2:3:4', { primaries: [primary], replicas: [replica], networkLocation: '/rack' }],
      ]),
    },
    [
      int(1, 1),
      msg(2, str(1, 'h1:1:2:3:4'), msg(2, msg(1, ...primaryWire), msg(2, ...replicaWire), str(3, '/rack'))),
    ],
  ),
  message(
    'HeartbeatFromApplication',
    p.encodeHeartbeatFromApplication,
    p.decodeHeartbeatFromApplication,
    {
      appId: 'app',
      totalWritten: BIG,
      fileCount: 3,
      requestId: 'r#4',
      needCheckedWorkerList: [worker],
      shouldResponse: true,
      shuffleCount: 7,
      shuffleFallbackCounts: new Map([['a', 8]]),
      applicationCount: 9,
      applicationFallbackCounts: new Map([['b', BIG]]),
    },
    [
      str(1, 'app'),
      int(2, BIG),
      int(3, 3),
      str(4, 'r#4'),
      msg(5, ...workerWire),
      int(6, true),
      int(7, 7),
      msg(8, str(1, 'a'), int(2, 8)),
      int(9, 9),
      msg(10, str(1, 'b'), int(2, BIG)),
    ],
  ),
  message(
    'HeartbeatFromApplicationResponse',
    p.encodeHeartbeatFromApplicationResponse,
    p.decodeHeartbeatFromApplicationResponse,
    {
      status: 1,
      excludedWorkers: [named('two')],
      unknownWorkers: [named('three')],
      shuttingWorkers: [named('four')],
      registeredShuffles: [5, 55],
      checkQuotaResponse: { available: true, reason: 'six' },
    },
    [
      int(1, 1),
      msg(2, ...namedWire('two')),
      msg(3, ...namedWire('three')),
      msg(4, ...namedWire('four')),
      packed(5, 5, 55),
      msg(6, int(1, true), str(2, 'six')),
    ],
  ),
  message(
    'UnregisterShuffle',
    p.encodeUnregisterShuffle,
    p.decodeUnregisterShuffle,
    { appId: 'app', shuffleId: 2, requestId: 'r#3' },
    [str(1, 'app'), int(2, 2), str(3, 'r#3')],
  ),
  message(
    'UnregisterShuffleResponse',
    p.encodeUnregisterShuffleResponse,
    p.decodeUnregisterShuffleResponse,
    { status: 2 },
    [int(1, 2)],
  ),
  message(
    'BatchUnregisterShuffles',
    p.encodeBatchUnregisterShuffles,
    p.decodeBatchUnregisterShuffles,
    { appId: 'app', requestId: 'r#2', shuffleIds: [3, 33] },
    [str(1, 'app'), str(2, 'r#2'), packed(3, 3, 33)],
  ),
  message(
    'BatchUnregisterShufflesResponse',
    p.encodeBatchUnregisterShufflesResponse,
    p.decodeBatchUnregisterShufflesResponse,
    { status: 1, shuffleIds: [2, 22] },
    [int(1, 1), packed(2, 2, 22)],
  ),
  message('CheckQuota', p.encodeCheckQuota, p.decodeCheckQuota, { userIdentifier: user }, [
    msg(1, ...userWire),
  ]),
  message(
    'CheckQuotaResponse',
    p.encodeCheckQuotaResponse,
    p.decodeCheckQuotaResponse,
    { available: true, reason: 'r' },
    [int(1, true), str(2, 'r')],
  ),
  message(
    'CheckWorkersAvailableResponse',
    p.encodeCheckWorkersAvailableResponse,
    p.decodeCheckWorkersAvailableResponse,
    { available: true },
    [int(1, true)],
  ),
  message(
    'ApplicationLost',
    p.encodeApplicationLost,
    p.decodeApplicationLost,
    { appId: 'app', requestId: 'r#2' },
    [str(1, 'app'), str(2, 'r#2')],
  ),
  message(
    'ApplicationLostResponse',
    p.encodeApplicationLostResponse,
    p.decodeApplicationLostResponse,
    { status: 2 },
    [int(1, 2)],
  ),
  message(
    'RegisterApplicationInfo',
    p.encodeRegisterApplicationInfo,
    p.decodeRegisterApplicationInfo,
    { appId: 'app', userIdentifier: user, extraInfo: new Map([['k', 'v']]), requestId: 'r#4' },
    [str(1, 'app'), msg(2, ...userWire), msg(3, str(1, 'k'), str(2, 'v')), str(4, 'r#4')],
  ),
  message(
    'ReleaseSlots',
    p.encodeReleaseSlots,
    p.decodeReleaseSlots,
    {
      applicationId: 'app',
      shuffleId: 2,
      workerIds: ['w1', 'w2'],
      slots: [new Map([['/mnt/a', 4]])],
      requestId: 'r#6',
    },
    [
      str(1, 'app'),
      int(2, 2),
      str(3, 'w1', 'w2'),
      msg(4, msg(1, str(1, '/mnt/a'), int(2, 4))),
      str(6, 'r#6'),
    ],
  ),
  message('ReleaseSlotsResponse', p.encodeReleaseSlotsResponse, p.decodeReleaseSlotsResponse, { status: 2 }, [
    int(1, 2),
  ]),
  message(
    'ReviseLostShuffles',
    p.encodeReviseLostShuffles,
    p.decodeReviseLostShuffles,
    { appId: 'app', lostShuffles: [2, 22], requestId: 'r#3' },
    [str(1, 'app'), packed(2, 2, 22), str(3, 'r#3')],
  ),
  message(
    'ReviseLostShufflesResponse',
    p.encodeReviseLostShufflesResponse,
    p.decodeReviseLostShufflesResponse,
    { success: true, message: 'm' },
    [int(1, true), str(2, 'm')],
  ),
  message(
    'ReserveSlots',
    p.encodeReserveSlots,
    p.decodeReserveSlots,
    {
      applicationId: 'app',
      shuffleId: 2,
      primaryLocations: ofWorker.primaries,
      replicaLocations: ofWorker.replicas,
      splitThreshold: BIG,
      splitMode: 1,
      partitionType: 2,
      rangeReadFilter: true,
      userIdentifier: user,
      pushDataTimeout: 120_000,
      partitionSplitEnabled: true,
      availableStorageTypes: 12,
      isSegmentGranularityVisible: true,
    },
    [
      str(1, 'app'),
      int(2, 2),
      int(5, BIG),
      int(6, 1),
      int(7, 2),
      int(8, true),
      msg(9, ...userWire),
      int(10, 120_000),
      int(11, true),
      int(12, 12),
      bytes(13, ofWorkerWire),
      int(14, true),
    ],
  ),
  message(
    'ReserveSlotsResponse',
    p.encodeReserveSlotsResponse,
    p.decodeReserveSlotsResponse,
    { status: 5, reason: 'r' },
    [int(1, 5), str(2, 'r')],
  ),
  message(
    'CommitFiles',
    p.encodeCommitFiles,
    p.decodeCommitFiles,
    {
      applicationId: 'app',
      shuffleId: 2,
      primaryIds: ['3-0', '3-1'],
      replicaIds: ['4-0'],
      mapAttempts: [5, -1],
      epoch: BIG,
      mockFailure: true,
    },
    [
      str(1, 'app'),
      int(2, 2),
      str(3, '3-0', '3-1'),
      str(4, '4-0'),
      packed(5, 5, -1),
      int(6, BIG),
      int(7, true),
    ],
  ),
  message(
    'CommitFilesResponse',
    p.encodeCommitFilesResponse,
    p.decodeCommitFilesResponse,
    {
      status: 1,
      committedPrimaryIds: ['2-0'],
      committedReplicaIds: ['3-0'],
      failedPrimaryIds: ['4-0'],
      failedReplicaIds: ['5-0'],
      committedPrimaryStorageInfos: new Map([['6-0', storage]]),
      committedReplicaStorageInfos: new Map([['7-0', { ...storage, type: 2 }]]),
      totalWritten: BIG,
      fileCount: 9,
      mapIdBitmap: new Map([['10-0', Uint8Array.of(10)]]),
    },
    [
      int(1, 1),
      str(2, '2-0'),
      str(3, '3-0'),
      str(4, '4-0'),
      str(5, '5-0'),
      msg(6, str(1, '6-0'), msg(2, ...storageWire)),
      msg(7, str(1, '7-0'), msg(2, int(1, 2), ...storageWire.slice(1))),
      int(8, BIG),
      int(9, 9),
      msg(10, str(1, '10-0'), bytes(2, Uint8Array.of(10))),
    ],
  ),
  message(
    'DestroyWorkerSlots',
    p.encodeDestroyWorkerSlots,
    p.decodeDestroyWorkerSlots,
    { shuffleKey: 'app-1', primaryIds: ['2-0'], replicaIds: ['3-0', '3-1'], mockFailure: true },
    [str(1, 'app-1'), str(2, '2-0'), str(3, '3-0', '3-1'), int(4, true)],
  ),
  message(
    'DestroyWorkerSlotsResponse',
    p.encodeDestroyWorkerSlotsResponse,
    p.decodeDestroyWorkerSlotsResponse,
    { status: 1, failedPrimaries: ['2-0'], failedReplicas: ['3-0'] },
    [int(1, 1), str(2, '2-0'), str(3, '3-0')],
  ),
  message(
    'RegisterWorker',
    p.encodeRegisterWorker,
    p.decodeRegisterWorker,
    {
      ...address,
      disks: [disk],
      userResourceConsumption: consumptions,
      requestId: 'r#9',
      internalPort: 10,
      networkLocation: '/rack',
    },
    [...addressWire, msg(6, ...diskWire), consumptionsWire(8), str(9, 'r#9'), int(10, 10), str(11, '/rack')],
  ),
  message(
    'RegisterWorkerResponse',
    p.encodeRegisterWorkerResponse,
    p.decodeRegisterWorkerResponse,
    { success: true, message: 'm' },
    [int(1, true), str(2, 'm')],
  ),
  message(
    'HeartbeatFromWorker',
    p.encodeHeartbeatFromWorker,
    p.decodeHeartbeatFromWorker,
    {
      ...address,
      disks: [disk],
      activeShuffleKeys: ['app-7', 'app-8'],
      requestId: 'r#8',
      userResourceConsumption: consumptions,
      estimatedAppDiskUsage: new Map([['app', BIG]]),
      highWorkload: true,
      workerStatus: { state: 5, stateStartTime: BIG },
    },
    [
      ...addressWire,
      msg(6, ...diskWire),
      str(7, 'app-7', 'app-8'),
      str(8, 'r#8'),
      consumptionsWire(9),
      msg(10, str(1, 'app'), int(2, BIG)),
      int(11, true),
      msg(12, int(1, 5), int(2, BIG)),
    ],
  ),
  message(
    'HeartbeatFromWorkerResponse',
    p.encodeHeartbeatFromWorkerResponse,
    p.decodeHeartbeatFromWorkerResponse,
    { expiredShuffleKeys: ['app-1', 'app-2'], registered: true, workerEventType: 3 },
    [str(1, 'app-1', 'app-2'), int(2, true), int(3, 3)],
  ),
  message('WorkerLost', p.encodeWorkerLost, p.decodeWorkerLost, { ...address, requestId: 'r#6' }, [
    ...addressWire,
    str(6, 'r#6'),
  ]),
  message('WorkerLostResponse', p.encodeWorkerLostResponse, p.decodeWorkerLostResponse, { success: true }, [
    int(1, true),
  ]),
  message(
    'ReportWorkerUnavailable',
    p.encodeReportWorkerUnavailable,
    p.decodeReportWorkerUnavailable,
    { workers: [worker], requestId: 'r#2' },
    [msg(1, ...workerWire), str(2, 'r#2')],
  ),
  message(
    'OpenStream',
    p.encodeOpenStream,
    p.decodeOpenStream,
    {
      shuffleKey: 'app-1',
      fileName: '2-0-0',
      startIndex: 3,
      endIndex: 0x7fffffff,
      initialCredit: 5,
      readLocalShuffle: true,
    },
    [str(1, 'app-1'), str(2, '2-0-0'), int(3, 3), int(4, 0x7fffffff), int(5, 5), int(6, true)],
  ),
  message('StreamHandler', p.encodeStreamHandler, p.decodeStreamHandler, handler, handlerWire),
  message(
    'OpenStreamList',
    p.encodeOpenStreamList,
    p.decodeOpenStreamList,
    {
      shuffleKey: 'app-1',
      files: [
        { fileName: '2-0-0', startIndex: 3, endIndex: 4, initialCredit: 5, readLocalShuffle: true },
        { fileName: '2-1-1', startIndex: 33, endIndex: 44, initialCredit: 55, readLocalShuffle: false },
      ],
    },
    [
      str(1, 'app-1'),
      str(2, '2-0-0', '2-1-1'),
      packed(3, 3, 33),
      packed(4, 4, 44),
      packed(5, 5, 55),
      packed(6, true, false),
    ],
  ),
  message(
    'OpenStreamListResponse',
    p.encodeOpenStreamListResponse,
    p.decodeOpenStreamListResponse,
    {
      handlers: [
        { status: 0, streamHandler: handler, errorMsg: '' },
        { status: 51, streamHandler: undefined, errorMsg: 'gone' },
      ],
    },
    [msg(2, msg(2, ...handlerWire)), msg(2, int(1, 51), str(3, 'gone'))],
  ),
  message(
    'ChunkFetchRequest',
    p.encodeChunkFetchRequest,
    p.decodeChunkFetchRequest,
    { streamId: { high: -0x80000000, low: 5 }, chunkIndex: 2, offset: 3, length: 0x7fffffff },
    [msg(1, int(1, -0x80000000_00000000n + 5n), int(2, 2), int(3, 3), int(4, 0x7fffffff))],
  ),
  message(
    'BufferStreamEnd',
    p.encodeBufferStreamEnd,
    p.decodeBufferStreamEnd,
    { streamType: 1, streamId: BIG },
    [int(1, 1), int(2, BIG)],
  ),
  message(
    'TransportableError',
    p.encodeTransportableError,
    p.decodeTransportableError,
    { streamId: -1, message: 'm' },
    [int(1, -1), str(2, 'm')],
  ),
  message(
    'PushMergedDataSplitPartitionInfo',
    p.encodePushMergedDataSplitPartitionInfo,
    p.decodePushMergedDataSplitPartitionInfo,
    { splitPartitionIndexes: [4, 2], statusCodes: [21, 22] },
    [packed(1, 4, 2), packed(2, 21, 22)],
  ),
  message(
    'AuthenticationInitiation',
    p.encodeAuthenticationInitiation,
    p.decodeAuthenticationInitiation,
    {
      version: '1.0',
      authEnabled: true,
      saslMechanisms: [{ mechanism: 'DIGEST-MD5', authTypes: [2, 1] }],
    },
    [str(1, '1.0'), int(2, true), msg(3, str(1, 'DIGEST-MD5'), packed(2, 2, 1))],
  ),
  message(
    'SaslRequest',
    p.encodeSaslRequest,
    p.decodeSaslRequest,
    { method: 'DIGEST-MD5', authType: 2, payload: Uint8Array.of(3) },
    [str(1, 'DIGEST-MD5'), int(2, 2), bytes(3, Uint8Array.of(3))],
  ),
  message(
    'RegisterApplicationRequest',
    p.encodeRegisterApplicationRequest,
    p.decodeRegisterApplicationRequest,
    { id: 'app', secret: 'secret' },
    [str(1, 'app'), str(2, 'secret')],
  ),
  message(
    'RegisterApplicationResponse',
    p.encodeRegisterApplicationResponse,
    p.decodeRegisterApplicationResponse,
    { status: true },
    [int(1, true)],
  ),
]

import * as m from '../../../src/protocol/messages'

/** A control message that the jar and we both know. */
export interface Message {
  readonly name: string
  readonly type: number
  /** Of the generated class in the jar. */
  readonly className: string
  /** It travels in RPCs. The others are only seen bare, on the ports for pushing and fetching. */
  readonly rpc: boolean
  /** Decodes a payload and encodes what came of it. */
  again(payload: Uint8Array): Uint8Array
}

const T = m.ControlMessageType

const BARE: ReadonlySet<string> = new Set([
  ...[
    'OPEN_STREAM',
    'STREAM_HANDLER',
    'BATCH_OPEN_STREAM',
    'BATCH_OPEN_STREAM_RESPONSE',
    'CHUNK_FETCH_REQUEST',
  ],
  ...['BUFFER_STREAM_END', 'TRANSPORTABLE_ERROR', 'SASL_REQUEST', 'AUTHENTICATION_INITIATION_REQUEST'],
  ...['AUTHENTICATION_INITIATION_RESPONSE', 'REGISTER_APPLICATION_REQUEST', 'REGISTER_APPLICATION_RESPONSE'],
])

function message<V>(
  name: keyof typeof T,
  decode: (bytes: Uint8Array) => V,
  encode: (value: V) => Uint8Array,
  className = decode.name.replace(/^decode/, 'Pb'),
): Message {
  return { name, type: T[name], className, rpc: !BARE.has(name), again: (payload) => encode(decode(payload)) }
}

/** Fields that nothing reads, or that have an older or a newer form beside them, of which one is used. */
export const LEFT_OUT = [
  'PbRequestSlots.storageType',
  'PbRegisterShuffleResponse.partitionLocations',
  'PbRequestSlotsResponse.workerResource',
  'PbReserveSlots.primaryLocations',
  'PbReserveSlots.replicaLocations',
  'PbFileGroup.locations',
]

export const MESSAGES: readonly Message[] = [
  message('REGISTER_SHUFFLE', m.decodeRegisterShuffle, m.encodeRegisterShuffle),
  message('REGISTER_SHUFFLE_RESPONSE', m.decodeRegisterShuffleResponse, m.encodeRegisterShuffleResponse),
  message('CHANGE_LOCATION', m.decodeRevive, m.encodeRevive),
  message('CHANGE_LOCATION_RESPONSE', m.decodeChangeLocationResponse, m.encodeChangeLocationResponse),
  message('MAPPER_END', m.decodeMapperEnd, m.encodeMapperEnd),
  message('MAPPER_END_RESPONSE', m.decodeMapperEndResponse, m.encodeMapperEndResponse),
  message('GET_REDUCER_FILE_GROUP', m.decodeGetReducerFileGroup, m.encodeGetReducerFileGroup),
  message(
    'GET_REDUCER_FILE_GROUP_RESPONSE',
    m.decodeGetReducerFileGroupResponse,
    m.encodeGetReducerFileGroupResponse,
  ),
  message('GET_SHUFFLE_ID', m.decodeGetShuffleId, m.encodeGetShuffleId),
  message('GET_SHUFFLE_ID_RESPONSE', m.decodeGetShuffleIdResponse, m.encodeGetShuffleIdResponse),
  message(
    'REPORT_SHUFFLE_FETCH_FAILURE',
    m.decodeReportShuffleFetchFailure,
    m.encodeReportShuffleFetchFailure,
  ),
  message(
    'REPORT_SHUFFLE_FETCH_FAILURE_RESPONSE',
    m.decodeReportShuffleFetchFailureResponse,
    m.encodeReportShuffleFetchFailureResponse,
  ),
  message('APPLICATION_META_REQUEST', m.decodeApplicationMetaRequest, m.encodeApplicationMetaRequest),
  message('APPLICATION_META', m.decodeApplicationMeta, m.encodeApplicationMeta),
  message('REQUEST_SLOTS', m.decodeRequestSlots, m.encodeRequestSlots),
  message('REQUEST_SLOTS_RESPONSE', m.decodeRequestSlotsResponse, m.encodeRequestSlotsResponse),
  message('HEARTBEAT_FROM_APPLICATION', m.decodeHeartbeatFromApplication, m.encodeHeartbeatFromApplication),
  message(
    'HEARTBEAT_FROM_APPLICATION_RESPONSE',
    m.decodeHeartbeatFromApplicationResponse,
    m.encodeHeartbeatFromApplicationResponse,
  ),
  message('UNREGISTER_SHUFFLE', m.decodeUnregisterShuffle, m.encodeUnregisterShuffle),
  message(
    'UNREGISTER_SHUFFLE_RESPONSE',
    m.decodeUnregisterShuffleResponse,
    m.encodeUnregisterShuffleResponse,
  ),
  message('CHECK_QUOTA', m.decodeCheckQuota, m.encodeCheckQuota),
  message('CHECK_QUOTA_RESPONSE', m.decodeCheckQuotaResponse, m.encodeCheckQuotaResponse),
  message(
    'CHECK_WORKERS_AVAILABLE_RESPONSE',
    m.decodeCheckWorkersAvailableResponse,
    m.encodeCheckWorkersAvailableResponse,
  ),
  message('APPLICATION_LOST', m.decodeApplicationLost, m.encodeApplicationLost),
  message('APPLICATION_LOST_RESPONSE', m.decodeApplicationLostResponse, m.encodeApplicationLostResponse),
  message('RELEASE_SLOTS', m.decodeReleaseSlots, m.encodeReleaseSlots),
  message('RELEASE_SLOTS_RESPONSE', m.decodeReleaseSlotsResponse, m.encodeReleaseSlotsResponse),
  message('RESERVE_SLOTS', m.decodeReserveSlots, m.encodeReserveSlots),
  message('RESERVE_SLOTS_RESPONSE', m.decodeReserveSlotsResponse, m.encodeReserveSlotsResponse),
  message('COMMIT_FILES', m.decodeCommitFiles, m.encodeCommitFiles),
  message('COMMIT_FILES_RESPONSE', m.decodeCommitFilesResponse, m.encodeCommitFilesResponse),
  message('DESTROY', m.decodeDestroyWorkerSlots, m.encodeDestroyWorkerSlots),
  message('DESTROY_RESPONSE', m.decodeDestroyWorkerSlotsResponse, m.encodeDestroyWorkerSlotsResponse),
  message('REGISTER_WORKER', m.decodeRegisterWorker, m.encodeRegisterWorker),
  message('REGISTER_WORKER_RESPONSE', m.decodeRegisterWorkerResponse, m.encodeRegisterWorkerResponse),
  message('HEARTBEAT_FROM_WORKER', m.decodeHeartbeatFromWorker, m.encodeHeartbeatFromWorker),
  message(
    'HEARTBEAT_FROM_WORKER_RESPONSE',
    m.decodeHeartbeatFromWorkerResponse,
    m.encodeHeartbeatFromWorkerResponse,
  ),
  message('WORKER_LOST', m.decodeWorkerLost, m.encodeWorkerLost),
  message('WORKER_LOST_RESPONSE', m.decodeWorkerLostResponse, m.encodeWorkerLostResponse),
  message('REPORT_WORKER_FAILURE', m.decodeReportWorkerUnavailable, m.encodeReportWorkerUnavailable),
  message('OPEN_STREAM', m.decodeOpenStream, m.encodeOpenStream),
  message('STREAM_HANDLER', m.decodeStreamHandler, m.encodeStreamHandler),
  message('BATCH_OPEN_STREAM', m.decodeOpenStreamList, m.encodeOpenStreamList),
  message('BATCH_OPEN_STREAM_RESPONSE', m.decodeOpenStreamListResponse, m.encodeOpenStreamListResponse),
  message('CHUNK_FETCH_REQUEST', m.decodeChunkFetchRequest, m.encodeChunkFetchRequest),
  message('BUFFER_STREAM_END', m.decodeBufferStreamEnd, m.encodeBufferStreamEnd),
  message('TRANSPORTABLE_ERROR', m.decodeTransportableError, m.encodeTransportableError),
  message('SASL_REQUEST', m.decodeSaslRequest, m.encodeSaslRequest),
  message(
    'AUTHENTICATION_INITIATION_REQUEST',
    m.decodeAuthenticationInitiation,
    m.encodeAuthenticationInitiation,
    'PbAuthenticationInitiationRequest',
  ),
  message(
    'AUTHENTICATION_INITIATION_RESPONSE',
    m.decodeAuthenticationInitiation,
    m.encodeAuthenticationInitiation,
    'PbAuthenticationInitiationResponse',
  ),
  message(
    'REGISTER_APPLICATION_REQUEST',
    m.decodeRegisterApplicationRequest,
    m.encodeRegisterApplicationRequest,
  ),
  message(
    'REGISTER_APPLICATION_RESPONSE',
    m.decodeRegisterApplicationResponse,
    m.encodeRegisterApplicationResponse,
  ),
]

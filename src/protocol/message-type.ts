/** Ids of the transport messages: the type byte of a frame header. */
export const MessageType = {
  /** Legacy form; today's clients send a ChunkFetchRequest inside an RPC_REQUEST. */
  CHUNK_FETCH_REQUEST: 0,
  CHUNK_FETCH_SUCCESS: 1,
  CHUNK_FETCH_FAILURE: 2,
  RPC_REQUEST: 3,
  RPC_RESPONSE: 4,
  RPC_FAILURE: 5,
  /** Legacy, only inside an RPC payload. */
  OPEN_STREAM: 6,
  /** Legacy, only inside an RPC payload. */
  STREAM_HANDLE: 7,
  ONE_WAY_MESSAGE: 9,
  PUSH_DATA: 11,
  PUSH_MERGED_DATA: 12,
  REGION_START: 13,
  REGION_FINISH: 14,
  PUSH_DATA_HAND_SHAKE: 15,
  READ_ADD_CREDIT: 16,
  READ_DATA: 17,
  OPEN_STREAM_WITH_CREDIT: 18,
  BACKLOG_ANNOUNCEMENT: 19,
  TRANSPORTABLE_ERROR: 20,
  /** Legacy form of the end of a stream. */
  BUFFER_STREAM_END: 21,
  HEARTBEAT: 22,
  SEGMENT_START: 23,
  NOTIFY_REQUIRED_SEGMENT: 24,
  SUBPARTITION_READ_DATA: 25,
} as const

export type MessageType = (typeof MessageType)[keyof typeof MessageType]

const names = new Map<number, string>(Object.entries(MessageType).map(([name, id]) => [id, name]))

/** Whether Celeborn knows this id; a frame with any other one ends the connection. */
export function isMessageType(id: number): id is MessageType {
  return names.has(id)
}

/** The name of a transport message id, or the id in words when there is none. */
export function messageTypeName(id: number): string {
  return names.get(id) ?? `transport message ${id}`
}

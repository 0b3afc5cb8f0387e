import { ProtocolError } from '../errors'

/** Keys that identify shuffles, partitions and workers in messages and on disk, and their parsers. */

/** `<appId>-<shuffleId>`. */
export function shuffleKey(appId: string, shuffleId: number): string {
  return `${appId}-${shuffleId}`
}

/** Splits a shuffle key at its last dash, because application ids may contain dashes. Throws a ProtocolError. */
export function parseShuffleKey(key: string): { appId: string; shuffleId: number } {
  const dash = key.lastIndexOf('-')
  const shuffleId = dash > 0 ? int32(key.slice(dash + 1)) : undefined
  if (shuffleId === undefined) throw new ProtocolError(`not a shuffle key: ${quote(key)}`)
  return { appId: key.slice(0, dash), shuffleId }
}

/** `<partitionId>-<epoch>`: the unique id of a partition's location. */
export function partitionUniqueId(partitionId: number, epoch: number): string {
  return `${partitionId}-${epoch}`
}

/** Parses `<partitionId>-<epoch>`. Throws a ProtocolError. */
export function parsePartitionUniqueId(id: string): { partitionId: number; epoch: number } {
  const parts = id.split('-')
  const partitionId = int32(parts[0] ?? '')
  const epoch = int32(parts[1] ?? '')
  if (parts.length !== 2 || partitionId === undefined || epoch === undefined) {
    throw new ProtocolError(`not a partition's unique id: ${quote(id)}`)
  }
  return { partitionId, epoch }
}

/** `<partitionId>-<epoch>-<mode>`: the file of a location, mode 0 for the primary and 1 for the replica. */
export function partitionFileName(partitionId: number, epoch: number, mode: 0 | 1): string {
  return `${partitionId}-${epoch}-${mode}`
}

/** Parses `<partitionId>-<epoch>-<mode>`. Throws a ProtocolError. */
export function parsePartitionFileName(name: string): { partitionId: number; epoch: number; mode: 0 | 1 } {
  const parts = name.split('-')
  const partitionId = int32(parts[0] ?? '')
  const epoch = int32(parts[1] ?? '')
  const mode = parts[2] === '0' ? 0 : parts[2] === '1' ? 1 : undefined
  if (parts.length !== 3 || partitionId === undefined || epoch === undefined || mode === undefined) {
    throw new ProtocolError(`not a partition's file name: ${quote(name)}`)
  }
  return { partitionId, epoch, mode }
}

/** `<shuffleId>-<mapId>-<attemptId>`: one attempt of one map task. */
export function mapKey(shuffleId: number, mapId: number, attemptId: number): string {
  return `${shuffleId}-${mapId}-${attemptId}`
}

/** Where a worker listens. */
export interface WorkerAddress {
  readonly host: string
  readonly rpcPort: number
  readonly pushPort: number
  readonly fetchPort: number
  readonly replicatePort: number
}

/** `host:rpcPort:pushPort:fetchPort:replicatePort`. */
export function workerUniqueId(worker: WorkerAddress): string {
  return `${worker.host}:${worker.rpcPort}:${worker.pushPort}:${worker.fetchPort}:${worker.replicatePort}`
}

/** Parses a worker's unique id from the right, because an IPv6 host contains colons. Throws a ProtocolError. */
export function parseWorkerUniqueId(id: string): WorkerAddress {
  const parts = id.split(':')
  const ports = parts.splice(-4).map(portNumber)
  const host = parts.join(':')
  const [rpcPort, pushPort, fetchPort, replicatePort] = ports
  if (
    host === '' ||
    rpcPort === undefined ||
    pushPort === undefined ||
    fetchPort === undefined ||
    replicatePort === undefined
  ) {
    throw new ProtocolError(`not a worker's unique id: ${quote(id)}`)
  }
  return { host, rpcPort, pushPort, fetchPort, replicatePort }
}

/** `host:port`. */
export function hostPort(host: string, port: number): string {
  return `${host}:${port}`
}

/** Parses `host:port` from the right; brackets around an IPv6 address are dropped. Throws a ProtocolError. */
export function parseHostPort(text: string): { host: string; port: number } {
  const colon = text.lastIndexOf(':')
  const port = portNumber(text.slice(colon + 1))
  const host = text.slice(0, Math.max(colon, 0)).replace(/^\[(.*)\]$/, '$1')
  if (colon < 1 || host === '' || port === undefined) {
    throw new ProtocolError(`not an address host:port: ${quote(text)}`)
  }
  return { host, port }
}

function int32(text: string): number | undefined {
  if (!/^\d{1,10}$/.test(text)) return undefined
  const value = Number(text)
  return value <= 0x7fff_ffff ? value : undefined
}

function portNumber(text: string): number | undefined {
  if (!/^\d{1,5}$/.test(text)) return undefined
  const value = Number(text)
  return value <= 0xffff ? value : undefined
}

/** A peer's text inside a message of ours: bounded, and with control characters made visible. */
function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)
}

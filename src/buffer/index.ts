export { FileSegmentManagedBuffer, type SegmentState } from './file-segment'
export { type ManagedBuffer, type NetworkBody } from './managed-buffer'
export { NativeManagedBuffer, NetworkManagedBuffer } from './memory-buffer'
export { TransportConf } from './transport-conf'

export type { LifecycleManagerAddress } from './lifecycle-client'
export { ShuffleClient, type ShuffleClientOptions } from './shuffle-client'
export type { ShuffleClientStats } from './stats'

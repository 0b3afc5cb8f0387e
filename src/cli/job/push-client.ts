import { type ShuffleClient } from '../../client'

/** What map tasks need of a client. */
export type PushClient = Pick<ShuffleClient, 'pool' | 'pushFrame' | 'mapperEnd' | 'cleanup'>

/**
 * What the driver's side has to tell but cannot throw at anybody: to `NODE_DEBUG=celeborn-lifecycle` and to subscribers
 * of the diagnostics channel `celeborn-node:lifecycle`.
 */
import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'

export type LifecycleEventKind =
  | 'shuffle-registered'
  | 'register-failed'
  | 'reserve-failed'
  | 'location-changed'
  | 'change-failed'
  | 'commit-failed'
  | 'stage-ended'
  | 'data-lost'
  | 'heartbeat-failed'
  | 'unregister-failed'
  | 'fetch-failure'
  | 'stage-failure'
  | 'callback-failed'
  | 'quota-exceeded'
  | 'application-info-refused'

/** A message of the channel `celeborn-node:lifecycle`. */
export interface LifecycleEvent {
  readonly kind: LifecycleEventKind
  readonly appId: string
  readonly shuffleId?: number | undefined
  readonly message: string
}

const log = debuglog('celeborn-lifecycle')
const events = channel('celeborn-node:lifecycle')

export function emitEvent(event: LifecycleEvent): void {
  if (log.enabled)
    log('%s app=%s shuffle=%s: %s', event.kind, event.appId, event.shuffleId ?? '-', event.message)
  if (events.hasSubscribers) events.publish(event)
}

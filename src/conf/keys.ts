/**
 * Every configuration key that this package reads, one constant each, named as the key without `celeborn.` in upper
 * snake case. Keys with a `<module>` in their name are functions of the module. Durations are milliseconds,
 * sizes are bytes.
 */
export * from './client-keys'
export * from './cluster-keys'
export * from './embedded-keys'
export * from './network-keys'
export * from './node-keys'
export * from './push-keys'

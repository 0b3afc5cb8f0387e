export { CelebornConf, type ConfLoadOptions } from './conf'
export {
  ConfigEntry,
  type ConfReader,
  type ModuleEntry,
  TRANSPORT_MODULES,
  type TransportModule,
} from './entry'
export * from './keys'
export { ALL_ENTRIES } from './registry'
export { type ConfEntries } from './sources'
export {
  formatHostPort,
  type HostPort,
  parseDuration,
  parseHostPort,
  parseSize,
  ValueProblem,
} from './values'

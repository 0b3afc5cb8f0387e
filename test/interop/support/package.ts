import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import type * as Package from '../../../src'

/** The package as it is built and published, not its sources. */
export const celebornNode = createRequire(__filename)(resolve(__dirname, '../../..')) as typeof Package

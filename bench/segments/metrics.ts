import { type Metric } from '../lib/rows'

export const METRICS = {
  lookups: { name: 'conf_lookups', unit: '1' },
  nsPerRead: { name: 'ns_per_read', unit: 'ns' },
  cpuPerMib: { name: 'cpu_us_per_mib', unit: 'us' },
  wallPerMib: { name: 'wall_us_per_mib', unit: 'us' },
} as const satisfies Record<string, Metric>

/** Who is told what is measured now. */
export type Progress = (text: string) => void

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Bytes for people: `8 B`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  const digits = unit === 0 || Number.isInteger(value) ? 0 : 1
  return `${value.toFixed(digits)} ${UNITS[unit] ?? ''}`
}

/** 1234567 as `1,234,567`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 file`, `2 files`. */
export function plural(count: number, thing: string): string {
  return `${formatCount(count)} ${thing}${count === 1 ? '' : 's'}`
}

export function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`
}

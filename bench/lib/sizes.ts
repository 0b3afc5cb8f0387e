const UNITS = [
  [1024 ** 3, 'GiB'],
  [1024 ** 2, 'MiB'],
  [1024, 'KiB'],
] as const

/** A size as a name: `64 KiB`, `4 MiB`, `1000 B`; exact. */
export function sizeName(bytes: number): string {
  for (const [unit, name] of UNITS) if (bytes > 0 && bytes % unit === 0) return `${bytes / unit} ${name}`
  return `${bytes} B`
}

/** A size as a figure in MiB. */
export function inMib(bytes: number): string {
  const mib = bytes / 1024 ** 2
  return mib >= 100 ? mib.toFixed(0) : mib >= 10 ? mib.toFixed(1) : mib.toFixed(2)
}

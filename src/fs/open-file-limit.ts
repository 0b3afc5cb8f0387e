/**
 * Files and sockets that this process may have open at once (`ulimit -n`); infinite where the system sets no limit or does
 * not tell. Node.js raises its soft limit to the hard one when it starts, and so this is the one that holds.
 */
export function openFileLimit(): number {
  // Missing in the types of Node.js 20.
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report
  const { excludeNetwork = false } = report
  // Names of connected hosts would be looked up.
  report.excludeNetwork = true
  try {
    const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } }
    const soft = userLimits?.open_files?.soft
    return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
  } finally {
    report.excludeNetwork = excludeNetwork
  }
}

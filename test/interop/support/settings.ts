/** What scripts/test-interop.mjs has prepared and was asked for. */

function setting(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '') throw new Error(`${name} is not set: use npm run test:interop`)
  return value
}

/** Celeborn's client, what it needs, and the agent's own classes. */
export const classpath = setting('INTEROP_CLASSPATH')
/** What Celeborn's client needs of a JVM. */
export const jvmOptions = setting('INTEROP_JVM_OPTIONS').split(' ')
/** The shaded jar of Celeborn's client for Spark 3. */
export const celebornJar = setting('INTEROP_CELEBORN_JAR')
/** Python with pyspark; empty where Spark is not asked for. */
export const python = process.env['INTEROP_PYTHON'] ?? ''
/** A directory of this run alone, which the runner removes. */
export const runDir = setting('INTEROP_RUN_DIR')
/** What everything random comes from; printed by the runner. */
export const seed = Number(setting('INTEROP_SEED'))
/** Rows of the Spark jobs. */
export const rows = Number(setting('INTEROP_ROWS'))

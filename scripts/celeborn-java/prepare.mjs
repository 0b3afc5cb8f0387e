// Celeborn's own Java client: its jars from Maven Central, and programs on top of them, compiled. For the interop tests and
// the benchmarks; all of it is kept below node_modules/.cache/celeborn-node/interop.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const root = dirname(dirname(here))
const pom = join(here, 'pom.xml')

/** Of Celeborn's client in pom.xml. */
export const CELEBORN_VERSION = '0.5.4'

/** What is made once and used again. Files of one run go into a folder of it, from where they can be moved. */
export const javaCache = join(root, 'node_modules', '.cache', 'celeborn-node', 'interop')

/** A Java program that leaves no statistics of its own in the system's directory for temporary files. */
export const QUIET_JVM = '-XX:-UsePerfData'

/** What Celeborn's use of memory needs from a JDK 17. */
export const CELEBORN_JVM_OPTIONS = ['java.lang', 'java.nio', 'sun.nio.ch'].flatMap((name) => [
  '--add-opens',
  `java.base/${name}=ALL-UNNAMED`,
])

/** Names of the tools that are not installed, or too old. */
export function missingJavaTools() {
  const env = { ...process.env, MAVEN_OPTS: QUIET_JVM }
  const works = (command, ...args) => spawnSync(command, args, { stdio: 'ignore', env }).status === 0
  const missing = []
  const { stdout } = spawnSync('javac', [`-J${QUIET_JVM}`, '-version'], { encoding: 'utf8' })
  const major = Number(/^javac (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
  if (major < 17 || !works('java', QUIET_JVM, '-version'))
    missing.push(`JDK 17${major > 0 ? ` (javac is ${major})` : ''}`)
  if (!works('mvn', '-version')) missing.push('mvn')
  return missing
}

/** A folder of the cache, named by what it was made from; made only once, and never half. */
async function cached(name, from, runDir, make) {
  const hash = createHash('sha256').update(from).digest('hex').slice(0, 12)
  const folder = join(javaCache, `${name}-${hash}`)
  if (existsSync(folder)) return folder
  const old = readdirSync(javaCache).filter((entry) => entry.startsWith(`${name}-`))
  const fresh = join(runDir, name)
  mkdirSync(fresh)
  await make(fresh)
  if (!existsSync(folder)) renameSync(fresh, folder)
  for (const entry of old) rmSync(join(javaCache, entry), { recursive: true, force: true })
  return folder
}

/** Celeborn's client with what it needs. */
export async function celebornJars({ runDir, run }) {
  const folder = await cached('jars', readFileSync(pom), runDir, (fresh) =>
    run(
      "Celeborn's client from Maven Central",
      'mvn',
      ['-B', '-q', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${fresh}`],
      // Relative: mvn splits its options where a path may have a space.
      { MAVEN_OPTS: `${QUIET_JVM} -Djava.io.tmpdir=${relative(root, runDir)}` },
    ),
  )
  const jars = readdirSync(folder)
    .filter((name) => name.endsWith('.jar'))
    .sort()
    .map((name) => join(folder, name))
  return { jars, client: jars.find((jar) => /\/celeborn-client[^/]*$/.test(jar)) ?? '' }
}

/** The class path for sources of ours, compiled against the jars. */
export async function compiledWith(jars, { name, sources }, { runDir, run }) {
  const from = Buffer.concat([pom, ...sources].map((file) => readFileSync(file)))
  const classes = await cached(name, from, runDir, (fresh) =>
    run(
      'the Java programs',
      'javac',
      [
        ...[`-J${QUIET_JVM}`, '-nowarn', '-encoding', 'UTF-8', '--release', '17'],
        ...['-cp', jars.join(delimiter), '-d', fresh, ...sources],
      ],
      {},
    ),
  )
  // With the configuration of the log, which goes to standard error.
  return [classes, here, ...jars].join(delimiter)
}

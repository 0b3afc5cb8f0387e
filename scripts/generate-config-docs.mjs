// Writes the tables of keys in docs/configuration.md from the keys themselves. With --check it writes nothing and fails
// when the tables are not what would be written.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
execFileSync(process.execPath, [join(root, 'scripts', 'build.mjs'), '--if-stale'], { stdio: 'inherit' })
const conf = createRequire(import.meta.url)(join(root, 'dist', 'conf', 'index.js'))

const SECTIONS = [
  ['This package', /^celeborn\.node\./],
  ['Clients and drivers', /^celeborn\.(client|master\.endpoints|masterClient|storage|identity|quota|tags)\b/],
  ['Transport', /^celeborn\.(<module>|rpc|network|ssl|auth|internal|worker\.\w+\.heartbeat)\b/],
  ['Masters and workers of the embedded cluster', /^/],
]

/** All source text but the definitions of the keys: what names a key there reads it. */
const readers = readdirSync(join(root, 'src'), { recursive: true })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(root, 'src', name), 'utf8').replace(/export const \w+/g, ''))
  .join('\n')

/** One row for each key; a key of modules has one row for all of them. */
function rows() {
  const keys = Object.entries(conf).flatMap(([name, exported]) => {
    const used = new RegExp(`\\b${name}\\b`).test(readers)
    if (exported instanceof conf.ConfigEntry) return [{ key: exported.key, entry: exported, used }]
    if (typeof exported !== 'function' || exported.entries === undefined) return []
    const [rpc] = exported.entries
    return [{ key: rpc.key.replace('.rpc.', '.<module>.'), entry: rpc, used }]
  })
  return keys.sort((a, b) => (a.key < b.key ? -1 : 1))
}

function row({ key, entry }) {
  const older = entry.alternatives.map((name) => `<br>older: \`${name}\``).join('')
  const names = entry.type.accepted.startsWith('one of')
    ? ` ${entry.type.accepted.replace('one', 'One')}.`
    : ''
  const value = entry.defaultText === '' ? '' : entry.defaultText.replaceAll('|', '\\|')
  const code = /\s/.test(value) || value === '' || value === '(unset)' ? value : `\`${value}\``
  return `| \`${key}\`${older} | ${code} | ${entry.doc.replaceAll('|', '\\|')}${names} |`
}

const BEGIN = '<!-- keys: written by scripts/generate-config-docs.mjs -->'
const END = '<!-- end of keys -->'
const tables = []
const all = rows()
let left = all.filter(({ used }) => used)
for (const [title, pattern] of SECTIONS) {
  const here = left.filter(({ key }) => pattern.test(key))
  left = left.filter(({ key }) => !pattern.test(key))
  tables.push(
    `### ${title}\n\n| key | default | meaning |\n| --- | --- | --- |\n${here.map(row).join('\n')}\n`,
  )
}

const unused = all.filter(({ used }) => !used).map(({ key, entry }) => `- \`${key}\` (${entry.defaultText})`)
tables.push(
  `### Without effect\n\nAccepted and checked, so that a file can be shared, but not used by this version:\n\n${unused.join('\n')}\n`,
)

const file = join(root, 'docs', 'configuration.md')
const current = readFileSync(file, 'utf8')
const [before, rest] = current.split(BEGIN)
const [, after] = (rest ?? '').split(END)
if (after === undefined) throw new Error(`${file} has no place for the tables: ${BEGIN} … ${END}`)
const fresh = `${before}${BEGIN}\n\n${tables.join('\n')}\n${END}${after}`
if (fresh !== current) {
  if (process.argv.includes('--check')) {
    console.error('docs/configuration.md is stale: run node scripts/generate-config-docs.mjs')
    process.exitCode = 1
  } else {
    writeFileSync(file, fresh)
  }
}

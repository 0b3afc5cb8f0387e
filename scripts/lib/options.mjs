// Options of the scripts in this folder's parent: --help prints the comment at a script's beginning, and a wrong option is one
// line, not a stack trace.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

/** What a script is for, and its options: the comment it begins with. */
function usage(file) {
  const lines = readFileSync(file, 'utf8').split('\n')
  const end = lines.findIndex((line) => !line.startsWith('//'))
  return lines
    .slice(0, end)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n')
}

/** Ends the script with a reason. The last line is what CI reads. */
export function refuse(url, reason) {
  console.error(`${basename(fileURLToPath(url))}: ${reason}; --help says more`)
  console.log('0 passed, 1 failed')
  process.exit(2)
}

/** Ends the script with its usage if it was asked for. */
export function helpIfAsked(url) {
  if (!process.argv.slice(2).some((arg) => arg === '--help' || arg === '-h')) return
  console.log(usage(fileURLToPath(url)))
  process.exit(0)
}

/**
 * The options of the script at `url`. Those of the type `count` are whole numbers of 0 or more, those of the type `number`
 * any of 0 or more; both are strings for `parseArgs`, whose configuration this is otherwise.
 * @returns what `parseArgs` returns
 */
export function scriptOptions(url, { options, allowPositionals = false }) {
  helpIfAsked(url)
  const forms = { count: /^\d{1,15}$/, number: /^\d{1,15}(\.\d+)?$/, seed: /^-?\d{1,15}$/ }
  const known = Object.fromEntries(
    Object.entries(options).map(([name, { type, ...rest }]) => [
      name,
      { type: type in forms ? 'string' : type, ...rest },
    ]),
  )
  let parsed
  try {
    parsed = parseArgs({ allowPositionals, options: known })
  } catch (error) {
    refuse(url, error.message.replace(/\. To specify .*/s, ''))
  }
  for (const [name, value] of Object.entries(parsed.values)) {
    const form = forms[options[name].type]
    if (form !== undefined && !form.test(value)) refuse(url, `--${name} ${value}: give a number`)
  }
  return parsed
}

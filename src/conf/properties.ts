/** One setting of a properties file. */
export interface Property {
  readonly key: string
  readonly value: string
  /** Where its key stands, from 1. */
  readonly line: number
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' }

function unescape(text: string): string {
  return text.replace(/\\(u[0-9A-Fa-f]{4}|[\s\S]|$)/g, (_, code: string) =>
    code.length === 5 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? code),
  )
}

/** Whether a line goes on in the next one: it ends in an odd number of backslashes. */
function continues(line: string): boolean {
  const backslashes = /\\*$/.exec(line)?.[0].length ?? 0
  return backslashes % 2 === 1
}

/**
 * Reads the format of `java.util.Properties`, which celeborn-defaults.conf and spark-defaults.conf have:
 * `key value`, `key=value` or `key: value`, comments begin with `#` or `!`, a backslash at a line's end continues
 * it. A key without a value has the value ''. Keys that are set twice appear twice, in the order of the file.
 */
export function parseProperties(text: string): Property[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
  const properties: Property[] = []
  for (let i = 0; i < lines.length; i++) {
    const line = i + 1
    let logical = (lines[i] ?? '').trimStart()
    if (logical === '' || logical.startsWith('#') || logical.startsWith('!')) continue
    while (continues(logical)) logical = logical.slice(0, -1) + (lines[++i] ?? '').trimStart()
    const match = /^((?:\\[\s\S]|[^\s=:\\])*)(?:\s*[=:]\s*|\s+)?([\s\S]*)$/.exec(logical)
    properties.push({ key: unescape(match?.[1] ?? ''), value: unescape(match?.[2] ?? '').trim(), line })
  }
  return properties
}

import { Session } from 'node:inspector/promises'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/**
 * Which branches of a file were taken, from V8's block counts of its JavaScript. A branch is one side of an `if`, of
 * `?:`, `&&`, `||` and `??`, a `case` or `catch`, and the body of a loop or a function.
 */
export interface FileCoverage {
  readonly total: number
  /** `line:column text` in the JavaScript of what was not taken. */
  readonly missed: readonly string[]
}

/** Functions that write what the decoders read, and parts of them; their branches do not count. */
const WRITERS =
  /^(encode\w*|write\w*|pack\w*|toPb\w*|fromMap|fromWireId|javaTransportMessageLength|modifiedUtf8Length|withoutMountPoint|streamOf|utf|field|address|identity|index|highHalf|lowHalf|shuffleKey|partitionUniqueId|partitionFileName|mapKey|workerUniqueId|hostPort|checkSource|storedBlock|freeOutput|statusName|isStatusCode)$/
/** Methods of the codecs that writers call. */
const WRITING_METHODS = new Set(['encode', 'encodeStored', 'maxAllocatedBytes', 'release'])
/** In the generated code only these read. */
const GENERATED_READERS = new Set(['decode'])

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

class Coverage {
  readonly #session = new Session()

  /** Counts from here on, the loading of modules included. */
  constructor() {
    this.#session.connect()
    void this.#session.post('Profiler.enable')
    void this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  }

  /** Coverage of the scripts that a pattern finds, by path. */
  async take(wanted: RegExp): Promise<Map<string, FileCoverage>> {
    const { result } = await this.#session.post('Profiler.takePreciseCoverage')
    this.#session.disconnect()
    const files = new Map<string, FileCoverage>()
    for (const script of result) {
      if (!script.url.startsWith('file:') || !wanted.test(script.url)) continue
      const path = fileURLToPath(script.url)
      files.set(
        path,
        fileCoverage(
          readFileSync(path, 'utf8'),
          script.functions.flatMap(({ ranges }) => ranges),
        ),
      )
    }
    return files
  }
}

/** This module is loaded before all others: see scripts/test-fuzz.mjs. */
export const coverage = new Coverage()

function fileCoverage(text: string, ranges: readonly Range[]): FileCoverage {
  const source = ts.createSourceFile('x.js', text, ts.ScriptTarget.ES2022, true)
  const generated = text.startsWith('// Generated')
  // Innermost first.
  const sorted = [...ranges].sort((a, b) => a.endOffset - a.startOffset - (b.endOffset - b.startOffset))
  const count = (at: number): number =>
    sorted.find((range) => range.startOffset <= at && at < range.endOffset)?.count ?? 0
  const missed: string[] = []
  let total = 0

  const branch = (taken: boolean, node: ts.Node, what: string): void => {
    total++
    if (taken) return
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart())
    missed.push(`${line + 1}:${character + 1} ${what} ${node.getText().slice(0, 90).replace(/\s+/g, ' ')}`)
  }
  const counted = (node: ts.Node): number => count(node.getStart())

  const visit = (node: ts.Node, reading: boolean): void => {
    let inside = reading
    if (ts.isFunctionLike(node) && !ts.isConstructorDeclaration(node)) {
      const name = nameOf(node)
      if (generated) inside = reading || GENERATED_READERS.has(name)
      else if (WRITERS.test(name) || (ts.isMethodDeclaration(node) && WRITING_METHODS.has(name))) return
      if (inside && 'body' in node && node.body !== undefined)
        branch(counted(node.body) > 0, node, 'function')
    }
    if (inside) branchesOf(node)
    ts.forEachChild(node, (child) => visit(child, inside))
  }

  const branchesOf = (node: ts.Node): void => {
    if (ts.isIfStatement(node)) {
      const then = counted(node.thenStatement)
      branch(then > 0, node, 'if')
      if (node.elseStatement !== undefined)
        branch(counted(node.elseStatement) > 0, node.elseStatement, 'else')
      else branch(counted(node) > then, node, 'no else of')
    } else if (ts.isConditionalExpression(node)) {
      branch(counted(node.whenTrue) > 0, node.whenTrue, '?')
      branch(counted(node.whenFalse) > 0, node.whenFalse, ':')
    } else if (ts.isBinaryExpression(node) && /^(&&|\|\||\?\?)$/.test(node.operatorToken.getText())) {
      // `value ?? 0` is there for the types: generated code gives no null. It has no code of its own to run.
      if (!isConstant(node.right)) branch(counted(node.right) > 0, node, 'right of')
    } else if (ts.isCaseOrDefaultClause(node)) {
      // An empty one falls through into the next.
      const [first] = node.statements
      if (first !== undefined) branch(counted(first) > 0, node, 'case')
    } else if (ts.isCatchClause(node)) {
      branch(counted(node.block) > 0, node, 'catch')
    } else if (ts.isIterationStatement(node, false)) {
      branch(counted(node.statement) > 0, node, 'loop')
    }
  }

  visit(source, !generated)
  return { total, missed }
}

function isConstant(node: ts.Node): boolean {
  return /^(-?\d+|''|""|true|false|\[\]|\{\}|void 0|undefined|SUCCESS|'unknown')$/.test(node.getText())
}

function nameOf(node: ts.SignatureDeclaration): string {
  if (node.name !== undefined) return node.name.getText()
  const { parent } = node
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left))
    return parent.left.name.text
  return ts.isVariableDeclaration(parent) ? parent.name.getText() : ''
}

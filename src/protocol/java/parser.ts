import { ProtocolError } from '../../errors'
import { ByteReader } from '../byte-reader'
import { decodeModifiedUtf8 } from './modified-utf8'
import { type JavaObjectPart, type JavaValue } from './values'

const STREAM_MAGIC = 0xaced
const STREAM_VERSION = 5
const BASE_HANDLE = 0x7e0000

const TC = {
  NULL: 0x70,
  REFERENCE: 0x71,
  CLASSDESC: 0x72,
  OBJECT: 0x73,
  STRING: 0x74,
  ARRAY: 0x75,
  CLASS: 0x76,
  BLOCKDATA: 0x77,
  ENDBLOCKDATA: 0x78,
  RESET: 0x79,
  BLOCKDATALONG: 0x7a,
  EXCEPTION: 0x7b,
  LONGSTRING: 0x7c,
  PROXYCLASSDESC: 0x7d,
  ENUM: 0x7e,
} as const

const SC_WRITE_METHOD = 0x01
const SC_SERIALIZABLE = 0x02
const SC_EXTERNALIZABLE = 0x04
const SC_BLOCK_DATA = 0x08

interface FieldDesc {
  readonly typeCode: string
  readonly name: string
}

interface ClassDesc {
  readonly className: string
  flags: number
  fields: FieldDesc[]
  superClass: ClassDesc | null
  /** False while its own description is being read: nothing may refer to it as a superclass or type yet. */
  complete: boolean
}

export interface JavaParserLimits {
  /** Values nested in each other. */
  readonly maxDepth: number
  /** Values, class descriptions, their fields, and array elements in the whole stream. */
  readonly maxValues: number
}

// A Throwable nests a few values per cause, and its stack trace is about ten values per line. Within these
// limits the largest graph that small bytes can describe stays in the tens of megabytes.
const DEFAULT_LIMITS: JavaParserLimits = { maxDepth: 200, maxValues: 100_000 }

/**
 * Reads the first value of a Java serialisation stream. Classes are only names here: nothing is looked up,
 * loaded or run, and an object of an unknown class is its fields. Every size is checked against the bytes
 * that are there before anything is made of it. Throws a ProtocolError for anything malformed or too deep.
 */
export function parseJava(bytes: Uint8Array, limits: JavaParserLimits = DEFAULT_LIMITS): JavaValue {
  return new JavaParser(bytes, limits).parse()
}

class JavaParser {
  private readonly reader: ByteReader
  private readonly limits: JavaParserLimits
  private handles: (JavaValue | ClassDesc)[] = []
  private readonly classes = new WeakSet<object>()
  private depth = 0
  private values = 0

  constructor(bytes: Uint8Array, limits: JavaParserLimits) {
    this.reader = new ByteReader(bytes, 'Java stream')
    this.limits = limits
  }

  parse(): JavaValue {
    const magic = this.reader.uint16('magic')
    const version = this.reader.uint16('version')
    if (magic !== STREAM_MAGIC || version !== STREAM_VERSION) {
      throw new ProtocolError(`not a Java stream: it begins with ${hex(magic)} ${hex(version)}`)
    }
    return this.content(this.reader.uint8('content'))
  }

  /** One object of the grammar; its type code has been read. */
  private content(code: number): JavaValue {
    this.enter()
    try {
      switch (code) {
        case TC.NULL:
          return null
        case TC.REFERENCE:
          return this.valueReference()
        case TC.STRING:
        case TC.LONGSTRING:
          return this.string(code)
        case TC.OBJECT:
          return this.object()
        case TC.ARRAY:
          return this.array()
        case TC.ENUM:
          return this.enumConstant()
        case TC.CLASS: {
          const value: JavaValue = { kind: 'class', className: this.requiredClassDesc().className }
          this.handles.push(value)
          return value
        }
        case TC.RESET:
          this.handles = []
          return this.content(this.reader.uint8('content'))
        default:
          throw new ProtocolError(`Java stream: type code ${hex(code)} at offset ${this.reader.offset - 1}`)
      }
    } finally {
      this.depth -= 1
    }
  }

  private enter(): void {
    this.depth += 1
    if (this.depth > this.limits.maxDepth) {
      throw new ProtocolError(`Java stream: values nested deeper than ${this.limits.maxDepth}`)
    }
    this.countValues(1)
  }

  private countValues(count: number): void {
    this.values += count
    if (this.values > this.limits.maxValues) {
      throw new ProtocolError(`Java stream: more than ${this.limits.maxValues} values`)
    }
  }

  private reference(): JavaValue | ClassDesc {
    const handle = this.reader.int32('handle')
    const value = this.handles[handle - BASE_HANDLE]
    if (value === undefined)
      throw new ProtocolError(`Java stream: reference to unknown handle ${hex(handle)}`)
    return value
  }

  private valueReference(): JavaValue {
    const value = this.reference()
    if (this.isClassDesc(value))
      throw new ProtocolError('Java stream: a class description where a value should be')
    return value
  }

  private isClassDesc(value: JavaValue | ClassDesc): value is ClassDesc {
    return typeof value === 'object' && value !== null && this.classes.has(value)
  }

  private string(code: number): string {
    const length = code === TC.STRING ? this.reader.uint16('string length') : this.longLength()
    const text = decodeModifiedUtf8(this.reader.bytes(length, 'string'))
    this.handles.push(text)
    return text
  }

  private longLength(): number {
    const length = this.reader.int64('string length')
    if (typeof length !== 'number') throw new ProtocolError('Java stream: a string longer than the stream')
    return length
  }

  private stringContent(field: string): string {
    const value = this.content(this.reader.uint8(field))
    if (typeof value !== 'string') throw new ProtocolError(`Java stream: ${field} is no string`)
    return value
  }

  private requiredClassDesc(): ClassDesc {
    const desc = this.classDesc()
    if (desc === null) throw new ProtocolError('Java stream: a value without a class')
    return desc
  }

  private classDesc(): ClassDesc | null {
    this.enter()
    try {
      const code = this.reader.uint8('class description')
      switch (code) {
        case TC.NULL:
          return null
        case TC.REFERENCE: {
          const value = this.reference()
          // A class that is its own superclass would have endless instances.
          if (!this.isClassDesc(value) || !value.complete) {
            throw new ProtocolError('Java stream: a reference to something else than a class')
          }
          return value
        }
        case TC.CLASSDESC:
          return this.newClassDesc()
        case TC.PROXYCLASSDESC:
          return this.proxyClassDesc()
        default:
          throw new ProtocolError(`Java stream: type code ${hex(code)} where a class should be`)
      }
    } finally {
      this.depth -= 1
    }
  }

  private newClassDesc(): ClassDesc {
    const { reader } = this
    const className = this.utf('class name')
    reader.bytes(8, 'serialVersionUID')
    const desc = this.addClass(className)
    desc.flags = reader.uint8('class flags')
    const fields: FieldDesc[] = []
    for (let left = reader.uint16('field count'); left > 0; left--) {
      const typeCode = String.fromCharCode(reader.uint8('field type'))
      const name = this.utf('field name')
      if (typeCode === 'L' || typeCode === '[') this.stringContent('field type')
      this.countValues(1)
      fields.push({ typeCode, name })
    }
    desc.fields = fields
    this.annotations()
    desc.superClass = this.classDesc()
    desc.complete = true
    return desc
  }

  private proxyClassDesc(): ClassDesc {
    const desc = this.addClass('(proxy)')
    desc.flags = SC_SERIALIZABLE
    for (let left = this.reader.count('interface count', 2); left > 0; left--) this.utf('interface name')
    this.annotations()
    desc.superClass = this.classDesc()
    desc.complete = true
    return desc
  }

  private addClass(className: string): ClassDesc {
    const desc: ClassDesc = { className, flags: 0, fields: [], superClass: null, complete: false }
    this.classes.add(desc)
    this.handles.push(desc)
    return desc
  }

  private utf(field: string): string {
    return decodeModifiedUtf8(this.reader.bytes(this.reader.uint16(field), field))
  }

  /** Values up to the end mark. */
  private annotations(): JavaValue[] {
    const result: JavaValue[] = []
    for (;;) {
      const code = this.reader.uint8('annotation')
      if (code === TC.ENDBLOCKDATA) return result
      if (code === TC.BLOCKDATA || code === TC.BLOCKDATALONG) {
        const length = code === TC.BLOCKDATA ? this.reader.uint8('block') : this.reader.int32('block')
        this.countValues(1)
        result.push(this.reader.bytes(length, 'block'))
      } else {
        result.push(this.content(code))
      }
    }
  }

  private object(): JavaValue {
    const desc = this.requiredClassDesc()
    const parts: JavaObjectPart[] = []
    const object: JavaValue = { kind: 'object', className: desc.className, parts }
    this.handles.push(object)
    const hierarchy: ClassDesc[] = []
    for (let part: ClassDesc | null = desc; part !== null; part = part.superClass) hierarchy.unshift(part)
    this.countValues(hierarchy.length)
    for (const part of hierarchy) parts.push(this.objectPart(part))
    return object
  }

  private objectPart({ className, flags, fields }: ClassDesc): JavaObjectPart {
    const values = new Map<string, JavaValue>()
    if ((flags & SC_SERIALIZABLE) !== 0) {
      for (const { typeCode, name } of fields) values.set(name, this.value(typeCode))
      const annotations = (flags & SC_WRITE_METHOD) === 0 ? [] : this.annotations()
      return { className, fields: values, annotations }
    }
    if ((flags & SC_EXTERNALIZABLE) !== 0) {
      // Without block data only the class itself knows where its own data ends.
      if ((flags & SC_BLOCK_DATA) === 0)
        throw new ProtocolError(`Java stream: ${className} cannot be read without its class`)
      return { className, fields: values, annotations: this.annotations() }
    }
    return { className, fields: values, annotations: [] }
  }

  private array(): JavaValue {
    const { className } = this.requiredClassDesc()
    const typeCode = className.charAt(1)
    const handle = this.handles.push(null) - 1
    const size = this.reader.count('array size', sizeOf(typeCode))
    if (typeCode === 'B') {
      const bytes = this.reader.bytes(size, 'array')
      this.handles[handle] = bytes
      return bytes
    }
    this.countValues(size)
    const elements: JavaValue[] = []
    const array: JavaValue = { kind: 'array', className, elements }
    this.handles[handle] = array
    for (let left = size; left > 0; left--) elements.push(this.value(typeCode))
    return array
  }

  private enumConstant(): JavaValue {
    const { className } = this.requiredClassDesc()
    const handle = this.handles.push(null) - 1
    const value: JavaValue = { kind: 'enum', className, constant: this.stringContent('enum constant') }
    this.handles[handle] = value
    return value
  }

  /** A field or array element of the given type. */
  private value(typeCode: string): JavaValue {
    const { reader } = this
    switch (typeCode) {
      case 'B':
        return (reader.uint8('byte') << 24) >> 24
      case 'C':
        return reader.uint16('char')
      case 'D':
        return reader.float64('double')
      case 'F':
        return reader.float32('float')
      case 'I':
        return reader.int32('int')
      case 'J':
        return reader.int64('long')
      case 'S':
        return (reader.uint16('short') << 16) >> 16
      case 'Z':
        return reader.uint8('boolean') !== 0
      case 'L':
      case '[':
        return this.content(reader.uint8('value'))
      default:
        throw new ProtocolError(`Java stream: a field of type ${JSON.stringify(typeCode)}`)
    }
  }
}

/** The least number of bytes that a value of a type takes in the stream. */
function sizeOf(typeCode: string): number {
  switch (typeCode) {
    case 'D':
    case 'J':
      return 8
    case 'F':
    case 'I':
      return 4
    case 'C':
    case 'S':
      return 2
    default:
      return 1
  }
}

function hex(value: number): string {
  return `0x${value.toString(16)}`
}

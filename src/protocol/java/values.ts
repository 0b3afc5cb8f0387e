import { type WireId } from '../int64'

/** What a Java serialisation stream contains. References may form cycles, as Throwables do by default. */
export type JavaValue =
  | null
  | boolean
  | number
  | string
  /** A `long` outside of the exact range of numbers. */
  | Exclude<WireId, number>
  /** A `byte[]`: a view of the stream. */
  | Uint8Array
  | JavaObject
  | JavaArray
  | JavaEnum
  | JavaClass

/** An instance, by its class and its superclasses; never more than data. */
export interface JavaObject {
  readonly kind: 'object'
  readonly className: string
  /** Fields of each class, the most general class first. */
  readonly parts: readonly JavaObjectPart[]
}

export interface JavaObjectPart {
  readonly className: string
  readonly fields: ReadonlyMap<string, JavaValue>
  /** What the class's own writeObject added: blocks of bytes and values. */
  readonly annotations: readonly JavaValue[]
}

export interface JavaArray {
  readonly kind: 'array'
  /** E.g. `[Ljava.lang.StackTraceElement;`. */
  readonly className: string
  readonly elements: readonly JavaValue[]
}

export interface JavaEnum {
  readonly kind: 'enum'
  readonly className: string
  readonly constant: string
}

export interface JavaClass {
  readonly kind: 'class'
  readonly className: string
}

export function isJavaObject(value: JavaValue | undefined): value is JavaObject {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object'
}

/** The value of a field, looked for from the most special class on; undefined when no class has it. */
export function javaField(object: JavaObject, name: string): JavaValue | undefined {
  for (let i = object.parts.length - 1; i >= 0; i--) {
    const value = object.parts[i]?.fields.get(name)
    if (value !== undefined) return value
  }
  return undefined
}

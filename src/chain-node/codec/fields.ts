import { ArgumentError } from '../rpc/rpc-error.ts'
import { nameKind } from './parameters.ts'

/** The fields of an object by their names in lower case. */
export type Fields = ReadonlyMap<string, unknown>

/**
 * Names are taken in any case, the last of two that are the same, as Go's JSON does for geth.
 *
 * @param type - Go's, for the text of the error
 */
export function readFields(value: unknown, type: string): Fields {
  const entries = Object.entries(readObject(value, type))
  return new Map(entries.map(([name, field]) => [name.toLowerCase(), field]))
}

/**
 * Reads a field; null where it is missing. Says in which one the fault is, in Go's words where it has some.
 *
 * @param owner - Go's struct, without its package
 */
export function readField<T>(
  fields: Fields,
  owner: string,
  name: string,
  read: (value: unknown) => T,
): T | null {
  const value = fields.get(name.toLowerCase()) ?? null
  if (value === null) return null
  try {
    return read(value)
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    const place = `into Go struct field ${owner}.${name} of type`
    const text = error.message.replace('into Go value of type', place)
    throw new ArgumentError(text === error.message ? `field ${name}: ${text}` : text)
  }
}

export function readObject(value: unknown, type: string): { readonly [name: string]: unknown } {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as { readonly [name: string]: unknown }
  }
  throw new ArgumentError(`json: cannot unmarshal ${nameKind(value)} into Go value of type ${type}`)
}

export function readArray(value: unknown, type: string): readonly unknown[] {
  if (Array.isArray(value)) return value
  throw new ArgumentError(`json: cannot unmarshal ${nameKind(value)} into Go value of type ${type}`)
}

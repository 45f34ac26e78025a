import type { Answer } from './http.ts'

/** A value whose bigints are integers in JSON, whatever their size, as ord writes the amounts of runes. */
export type ExactJson =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly ExactJson[]
  | { readonly [key: string]: ExactJson }

export function exactJson(value: ExactJson): Answer {
  return { status: 200, type: 'application/json', body: writeExact(value) }
}

export function writeExact(value: ExactJson): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isList(value)) return `[${value.map(writeExact).join(',')}]`
  const fields = Object.entries(value).map(
    ([key, field]) => `${JSON.stringify(key)}:${writeExact(field)}`,
  )
  return `{${fields.join(',')}}`
}

function isList(value: ExactJson): value is readonly ExactJson[] {
  return Array.isArray(value)
}

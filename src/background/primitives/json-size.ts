import { toUtf8 } from '../../bitcoin/bytes.ts'

const sizes = new WeakMap<object, number>()

/**
 * Bytes of a value's JSON; 0 of what has none. What is measured is never changed in place, so each object is measured once.
 */
export function jsonSize(value: unknown): number {
  if (typeof value !== 'object' || value === null) return measure(value)
  const known = sizes.get(value)
  if (known !== undefined) return known
  const size = measure(value)
  sizes.set(value, size)
  return size
}

/** Letters beyond ASCII are looked for first: nearly all that is large has none, and is not encoded to be counted. */
function measure(value: unknown): number {
  const json = JSON.stringify(value) as string | undefined
  if (json === undefined) return 0
  return /[^\0-\x7f]/.test(json) ? toUtf8(json).length : json.length
}

import { hasOwn, isArray, keys, stringify } from './primordials.ts'
import { invalidArgument } from './provider-error.ts'

/** Chromium refuses an extension message over 64 MiB; UTF-8 takes at most 3 bytes for each of these. */
export const MAX_PARAMS_LENGTH = 20_000_000

const MAX_DEPTH = 32

type Ancestor = { value: object; depth: number; parent: Ancestor | null }

/**
 * The JSON text of the arguments of a call, as they are at this moment: each getter runs once, a
 * bigint becomes a decimal string, an undefined member is left out, an undefined element is null and
 * undefined arguments at the end are dropped. `toJSON` is not called: a page could have put it on a
 * prototype. Throws -32602 for what JSON cannot say.
 */
export function encodeParams(params: readonly unknown[]): string {
  let message = 'params: expected JSON values, got one that cannot be read'

  function refuse(got: string, expected = 'JSON values'): never {
    message = `params: expected ${expected}, got ${got}`
    throw message
  }

  function encode(value: unknown, parent: Ancestor | null): string | undefined {
    switch (typeof value) {
      case 'undefined':
        return undefined
      case 'string':
        return stringify(value)
      case 'bigint':
        return `"${value}"`
      case 'boolean':
        return `${value}`
      case 'number':
        // Only NaN and the infinities differ from themselves.
        return value - value === 0 ? `${value}` : refuse(`${value}`)
      case 'object':
        return value === null ? 'null' : encodeObject(value, parent)
      default:
        return refuse(`a ${typeof value}`)
    }
  }

  function encodeObject(value: object, parent: Ancestor | null): string {
    for (let ancestor = parent; ancestor; ancestor = ancestor.parent) {
      if (ancestor.value === value) refuse('a cyclic value')
    }
    const depth = parent ? parent.depth + 1 : 0
    if (depth > MAX_DEPTH) refuse(`a value nested deeper than ${MAX_DEPTH} levels`)
    const here = { value, depth, parent }
    return isArray(value) ? encodeArray(value, here) : encodeRecord(value, here)
  }

  function encodeArray(list: readonly unknown[], here: Ancestor): string {
    const { length } = list
    let text = ''
    for (let i = 0; i < length; i++) {
      // A hole must not read what a page put on Array.prototype.
      const item = hasOwn(list, i) ? encode(list[i], here) : undefined
      text += `${i ? ',' : ''}${item ?? 'null'}`
    }
    return `[${text}]`
  }

  function encodeRecord(record: object, here: Ancestor): string {
    const names = keys(record)
    let text = ''
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as keyof typeof record
      const item = encode(record[name], here)
      if (item !== undefined) text += `${text && ','}${stringify(name)}:${item}`
    }
    return `{${text}}`
  }

  let count = params.length
  while (count > 0 && params[count - 1] === undefined) count--
  let text = ''
  try {
    for (let i = 0; i < count; i++) text += `${i ? ',' : ''}${encode(params[i], null) ?? 'null'}`
    if (text.length > MAX_PARAMS_LENGTH) {
      refuse(`${text.length}`, `at most ${MAX_PARAMS_LENGTH} characters of JSON`)
    }
  } catch {
    throw invalidArgument(message)
  }
  return `[${text}]`
}

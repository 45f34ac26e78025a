import { hasOwn, isArray, keys, stringify } from './primordials.ts'
import { invalidArgument } from './provider-error.ts'
import { withoutPrototype } from './tables.ts'

/**
 * The JSON text of the arguments of a call, as they are at this moment: each getter runs once, a
 * bigint becomes a decimal string, an undefined member is left out, an undefined element is null and
 * undefined arguments at the end are dropped. `toJSON` is not called: a page could have put it on a
 * prototype. Throws -32602 for what JSON cannot say. How long it may be, the content script says.
 */
export function encodeParams(params: readonly unknown[]): string {
  let got = 'one that cannot be read'
  /** The values in which the one at a depth is. */
  const ancestors: unknown[] = withoutPrototype([])

  function refuse(kind: string): never {
    got = kind
    throw kind
  }

  function encode(value: unknown, depth: number): string | undefined {
    switch (typeof value) {
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
        return value ? encodeObject(value, depth) : 'null'
      case 'undefined':
        return undefined
      default:
        return refuse(`a ${typeof value}`)
    }
  }

  function encodeObject(value: object, depth: number): string {
    for (let i = 0; i < depth; i++) if (ancestors[i] === value) refuse('a cyclic value')
    if (depth > 32) refuse('a value nested deeper than 32 levels')
    ancestors[depth] = value
    if (isArray(value)) return encodeList(value, value.length, depth + 1)
    const names = keys(value)
    let text = ''
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as keyof typeof value
      const item = encode(value[name], depth + 1)
      if (item !== undefined) text += `${text && ','}${stringify(name)}:${item}`
    }
    return `{${text}}`
  }

  function encodeList(list: readonly unknown[], length: number, depth: number): string {
    let text = ''
    for (let i = 0; i < length; i++) {
      // A hole must not read what a page put on Array.prototype.
      const item = hasOwn(list, i) ? encode(list[i], depth) : undefined
      text += `${i ? ',' : ''}${item ?? 'null'}`
    }
    return `[${text}]`
  }

  let { length } = params
  while (length && params[length - 1] === undefined) length--
  try {
    return encodeList(params, length, 0)
  } catch {
    throw invalidArgument(`params: expected JSON values, got ${got}`)
  }
}

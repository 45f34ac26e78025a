/** Parsers of JSON that somebody else may have written: each gives the value with exactly the members it names, or throws. */

export type Shape<T> = (value: unknown) => T

export type Of<S> = S extends Shape<infer T> ? T : never

/** A value is not of the shape; the message says where, and quotes nothing. */
export class ShapeError extends Error {
  override name = 'ShapeError'
}

/** An object with these members and no others. */
export function object<M extends { [member: string]: Shape<unknown> }>(
  members: M,
): Shape<{ [K in keyof M]: Of<M[K]> }> {
  return value => {
    const entries = entriesOf(value)
    const unknown = entries.find(([key]) => !Object.hasOwn(members, key))
    if (unknown) throw new ShapeError('a member that is not known')
    const own = new Map(entries)
    return Object.fromEntries(
      Object.entries(members).map(([key, parse]) => [key, within(key, () => parse(own.get(key)))]),
    ) as { [K in keyof M]: Of<M[K]> }
  }
}

/** An object by keys of a shape. */
export function record<T>(
  isKey: (key: string) => boolean,
  most: number,
  parse: Shape<T>,
): Shape<{ [key: string]: T }> {
  return value => {
    const entries = entriesOf(value)
    if (entries.length > most) throw new ShapeError(`more than ${most} members`)
    return Object.fromEntries(
      entries.map(([key, member]) => {
        if (!isKey(key)) throw new ShapeError('a key of another kind')
        return [key, parse(member)]
      }),
    )
  }
}

export function list<T>(most: number, parse: Shape<T>): Shape<T[]> {
  return value => {
    if (!Array.isArray(value)) throw new ShapeError('no list')
    if (value.length > most) throw new ShapeError(`a list of more than ${most}`)
    return value.map((entry, at) => within(String(at), () => parse(entry)))
  }
}

/** A text that is as `accepts` wants it. */
export function text(
  accepts: (value: string) => boolean,
  expected = 'another text',
): Shape<string> {
  return value => {
    if (typeof value !== 'string' || !accepts(value)) throw new ShapeError(expected)
    return value
  }
}

/** A whole number within bounds, both counted. */
export function whole(least: number, most: number): Shape<number> {
  return value => {
    if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > most)
      throw new ShapeError(`no whole number from ${least} to ${most}`)
    return Number(value)
  }
}

export function oneOf<const T>(values: readonly T[]): Shape<T> {
  return value => {
    const found = values.find(one => one === value)
    if (found === undefined) throw new ShapeError('none of the values that it may have')
    return found
  }
}

export function orNull<T>(parse: Shape<T>): Shape<T | null> {
  return value => (value === null ? null : parse(value))
}

/** Any JSON; whoever uses it looks at it more closely. */
export const json: Shape<unknown> = value => {
  if (value === undefined) throw new ShapeError('missing')
  return value
}

function entriesOf(value: unknown): [string, unknown][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShapeError('no object')
  return Object.entries(value)
}

function within<T>(place: string, parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error
    throw new ShapeError(`${place}: ${error.message}`)
  }
}

import { Ajv } from 'ajv'
import type { Description } from '../description.ts'
import type { Schema, Total } from '../json-schema.ts'

/**
 * Validates values against the document with an independent validator. The keywords of our own are read from their
 * description, not from the wallet's parsers.
 */
export function createArgumentValidator() {
  const ajv = new Ajv({
    strict: true,
    strictTuples: false,
    strictTypes: false,
    strictRequired: false,
    // Lengths in UTF-16 code units, as the document has them; the validator warns of that.
    unicode: false,
    logger: false,
  })
  const add = <S, V>(
    keyword: string,
    type: 'string' | 'number' | 'array' | 'object',
    isValid: (schema: S, value: V) => boolean,
  ) =>
    ajv.addKeyword({
      keyword,
      type,
      validate: (schema: unknown, value: unknown) => isValid(schema as S, value as V),
    })
  add('x-range', 'string', ({ least, most }: { least: number; most: number }, text: string) => {
    const number = Number(text.replaceAll(',', ''))
    return number >= least && number <= most
  })
  add(
    'x-max-decimals',
    'number',
    (most: number, value: number) => Number(value.toFixed(most)) === value,
  )
  add('x-plain-decimal', 'number', (_: true, value: number) => !/e/.test(JSON.stringify(value)))
  add('x-well-formed', 'string', (_: true, text: string) => Buffer.from(text).toString() === text)
  add('x-max-utf8-bytes', 'string', (most: number, text: string) => Buffer.byteLength(text) <= most)
  add('x-max-bytes', 'string', (most: number, text: string) => countBytes(text) <= most)
  add('x-max-total', 'array', ({ member, measure, most }: Total, list: unknown[]) => {
    const sizes = list.map(item =>
      measureOne(measure, member === null ? item : Object(item)[member]),
    )
    return sizes.reduce((sum, size) => sum + size, 0) <= most
  })
  add('x-unique-by', 'array', (member: string, list: unknown[]) =>
    isUnique(list.map(item => JSON.stringify(Object(item)[member]))),
  )
  add('x-unique-ids', 'array', (_: true, list: unknown[]) =>
    isUnique(list.map(id => String(id).replace(/-Ordinals$/, ''))),
  )
  add(
    'x-refers-to',
    'array',
    ({ member, names }: { member: string; names: string }, list: unknown[]) => {
      const known = list.map(item => Object(item)[names])
      return list.every(item =>
        [Object(item)[member] ?? []].flat().every(name => known.includes(name)),
      )
    },
  )
  add(
    'x-as-long-as',
    'object',
    ([first, second]: [string, string], value: { [name: string]: unknown }) => {
      const [list, other] = [value[first], value[second]]
      return !Array.isArray(list) || list.length === [other].flat().length
    },
  )
  add('x-no-longer-than', 'array', ([first, second]: [number, number], args: unknown[]) => {
    const [list, other] = [args[first], args[second]]
    return !Array.isArray(list) || (Array.isArray(other) && list.length <= other.length)
  })
  const compiled = new WeakMap<object, (value: unknown) => boolean>()
  return function isValid(schema: Schema | object, value: unknown): boolean {
    const validate = compiled.get(schema) ?? ajv.compile(schema)
    compiled.set(schema, validate)
    return validate(value)
  }
}

const wholes = new WeakMap<Description, object>()

/** One schema for all arguments of an operation. */
export function describeArguments(description: Description): object {
  const known = wholes.get(description)
  if (known) return known
  const { args, 'x-no-longer-than': pair } = description
  const place = (name: string) => args.findIndex(arg => arg.name === name)
  const whole = {
    type: 'array',
    ...(args.length > 0 && { items: args.map(({ schema }) => schema) }),
    minItems: args.filter(({ required }) => required).length,
    ...(pair && { 'x-no-longer-than': pair.map(place) }),
  }
  wholes.set(description, whole)
  return whole
}

function measureOne(measure: Total['measure'], value: unknown): number {
  if (measure === 'value') return Number(value)
  const text = typeof value === 'string' ? value : ''
  return measure === 'length' ? text.length : countBytes(text)
}

/** Hex has nothing but digits; base64 of a PSBT begins with `cHNidP`, which is none. */
function countBytes(text: string): number {
  return /^[0-9a-f]*$/i.test(text) ? text.length / 2 : Buffer.from(text, 'base64').length
}

function isUnique(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length
}

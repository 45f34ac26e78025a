import fc, { type Arbitrary } from 'fast-check'
import type { Description } from '../description.ts'
import type { Schema } from '../json-schema.ts'
import { type createArgumentValidator, describeArguments } from './argument-validator.ts'

/** Lists and texts of more than that are left to the tests of limits. */
const MANY = 4
const LONG = 200

/** Argument lists that the description takes: optional ones may be absent, null or there, and more may follow. */
export function generateArguments(
  description: Description,
  isValid: ReturnType<typeof createArgumentValidator>,
): Arbitrary<unknown[]> {
  const { args } = description
  const required = args.filter(arg => arg.required).length
  const whole = describeArguments(description)
  const more = fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    fc.array(fc.jsonValue(), { maxLength: 2 }),
  )
  return fc
    .tuple(
      fc.tuple(...args.map(({ schema }) => generateValue(schema))),
      fc.integer({ min: required, max: args.length }),
      more,
    )
    .map(([values, count, rest]) =>
      count === args.length ? [...values, ...rest] : values.slice(0, count),
    )
    .filter(values => isValid(whole, values))
}

/** Values of a schema's own keywords, edges more often; what only our keywords say is for the caller to filter. */
export function generateValue(schema: Schema): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === 'object') return generateObject(schema)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(generateValue))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? Number.MIN_SAFE_INTEGER,
        max: schema.maximum ?? Number.MAX_SAFE_INTEGER,
      })
    case 'number':
      return generateNumber(schema)
    case 'string':
      return generateText(schema)
    case 'array':
      return generateList(schema)
    default:
      return fc.jsonValue()
  }
}

function generateNumber(schema: Schema): Arbitrary<number> {
  const { minimum: min = -1e300, maximum: max = 1e300, 'x-max-decimals': decimals } = schema
  if (decimals !== undefined) {
    const scale = 10 ** decimals
    const whole = fc.integer({ min: Math.ceil(min * scale), max: Math.floor(max * scale) })
    return whole.map(value => value / scale)
  }
  const upper = schema.exclusiveMaximum === undefined ? max : schema.exclusiveMaximum / 2
  return fc.oneof(
    fc.double({ min, max: upper, noNaN: true }).map(value => value + 0),
    fc.integer({ min: Math.ceil(min), max: Math.min(upper, 1_000_000) }),
  )
}

function generateText(schema: Schema): Arbitrary<string> {
  const { pattern, minLength = 0, maxLength = LONG } = schema
  const isLong = (text: string) => text.length >= minLength && text.length <= maxLength
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern)).filter(isLong)
  const most = Math.min(maxLength, LONG)
  const wild = fc.array(fc.constantFrom('a', '\ud800', '\u{1f600}', '\u202e'), { maxLength: 4 })
  return fc
    .oneof(
      fc.string({ minLength, maxLength: Math.floor(most / 2), unit: 'binary' }),
      fc.string({ minLength, maxLength: most, unit: 'grapheme-ascii' }),
      wild.map(parts => parts.join('')),
    )
    .filter(isLong)
}

function generateList(schema: Schema): Arbitrary<unknown[]> {
  const { items = {}, minItems = 0, maxItems = MANY } = schema
  const { 'x-unique-by': unique, 'x-refers-to': refers } = schema
  const bounds = { minLength: minItems, maxLength: Math.min(maxItems, Math.max(MANY, minItems)) }
  const item = generateValue(items)
  const list: Arbitrary<unknown[]> =
    unique === undefined
      ? fc.array(item, bounds)
      : fc.uniqueArray(item, { ...bounds, selector: value => Object(value)[unique] })
  if (!refers) return list
  const { member, names } = refers
  return fc.tuple(list, fc.nat(), fc.boolean()).map(([values, pick, isNone]) =>
    values.map((value, at) => {
      if (!Array.isArray(Object(value)[member])) return value
      const known = Object(values[(at + pick) % values.length])[names]
      return { ...Object(value), [member]: isNone ? [] : [known] }
    }),
  )
}

/** Optional members are present or absent, and so is an unknown one. */
function generateObject(schema: Schema): Arbitrary<unknown> {
  const { properties = {}, required = [], anyOf, 'x-as-long-as': pair } = schema
  if (anyOf)
    return fc.oneof(
      ...anyOf.map(branch =>
        generateObject({
          type: 'object',
          properties: { ...properties, ...branch.properties },
          required: [...required, ...(branch.required ?? [])],
        }),
      ),
    )
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, generateValue(member)]),
  )
  const all: { [name: string]: Arbitrary<unknown> } = { ...members, unknown: fc.jsonValue() }
  const record = fc.record(all, { requiredKeys: [...required] })
  return pair ? record.map(value => ({ ...value, ...matchLength(value, pair) })) : record
}

/** The first of two members, with as many items as the other. */
function matchLength(
  value: { [name: string]: unknown },
  [first, second]: readonly [string, string],
) {
  const list = value[first]
  if (!Array.isArray(list)) return {}
  return { [first]: [value[second]].flat().map((_, at) => list[at % list.length]) }
}

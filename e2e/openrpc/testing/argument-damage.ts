import type { Schema } from '../json-schema.ts'

export type Path = readonly (string | number)[]

/** A change in one place of an argument list; the place, and what stands there afterwards. */
export type Damage = { path: Path; value: unknown; how: string }

type Accepts = (schema: Schema, value: unknown) => boolean

/** What is no JSON of any description, and what is near to it. */
const STRANGERS: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  1.5,
  1e21,
  '',
  ' ',
  '0x00',
  '-1',
  '01',
  '1e3',
  'other',
  'x'.repeat(256),
  '\ud800',
  [],
  [null],
  [[]],
  {},
  { length: 1 },
]

/** Every damage of the value at every place that the schema describes; values of `large` may have millions of characters. */
export function listDamages(
  args: readonly Schema[],
  values: readonly unknown[],
  accepts: Accepts,
  large: boolean,
): Damage[] {
  return args.flatMap((schema, at) => [
    { path: [at], value: undefined, how: 'left out' },
    ...(at < values.length ? damagesAt(schema, values[at], [at], accepts, large) : []),
  ])
}

function damagesAt(
  schema: Schema,
  value: unknown,
  path: Path,
  accepts: Accepts,
  large: boolean,
): Damage[] {
  const here = [
    ...STRANGERS.map(stranger => ({
      path,
      value: stranger,
      how: `as ${JSON.stringify(stranger).slice(0, 40)}`,
    })),
    ...branchesOf(schema).flatMap(branch => beyondLimits(branch, value, path, large)),
  ]
  const branch = branchesOf(schema).find(
    one => accepts(one, value) && (one.properties || one.items),
  )
  if (!branch) return here
  if (Array.isArray(value)) {
    const { items = {} } = branch
    return [
      ...here,
      ...value.flatMap((item, at) => damagesAt(items, item, [...path, at], accepts, large)),
    ]
  }
  const members = Object.entries(branch.properties ?? {}).filter(([name]) =>
    Object.hasOwn(Object(value), name),
  )
  return [
    ...here,
    ...members.flatMap(([name, member]) => [
      { path: [...path, name], value: undefined, how: 'left out' },
      ...damagesAt(member, Object(value)[name], [...path, name], accepts, large),
    ]),
  ]
}

/** An object's own alternatives are not those of the value. */
function branchesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf && schema.type === undefined ? schema.anyOf.flatMap(branchesOf) : [schema]
}

/** At each limit of a schema, and one beyond it. */
function beyondLimits(schema: Schema, value: unknown, path: Path, large: boolean): Damage[] {
  const damages: Damage[] = []
  const add = (how: string, ...values: unknown[]) => {
    for (const one of values) damages.push({ path, value: one, how })
  }
  const { minimum, maximum, exclusiveMaximum, maxLength, maxItems, pattern } = schema
  const step = schema.type === 'integer' ? 1 : 0.001
  if (minimum !== undefined) add('minimum', minimum, minimum - step)
  if (maximum !== undefined) add('maximum', maximum, maximum + step, maximum * 2)
  if (exclusiveMaximum !== undefined) add('exclusiveMaximum', exclusiveMaximum)
  const range = schema['x-range']
  if (range)
    for (const bound of [range.least, range.most])
      add('x-range', ...[bound, bound - 1, bound + 1].map(String), bound.toFixed(8))
  if (schema['x-max-decimals'] !== undefined) add('x-max-decimals', 0.1 + 0.2, 1e-9, 1.000000001)
  if (schema['x-plain-decimal']) add('x-plain-decimal', 1e-7, 1.5e-6, 123456.789)
  if (maxLength !== undefined && (large || maxLength < 1000))
    add('maxLength', ...lengthen(schema, maxLength))
  const bytes = schema['x-max-utf8-bytes']
  if (bytes !== undefined)
    add('x-max-utf8-bytes', 'é'.repeat(bytes / 2), 'é'.repeat(bytes / 2 + 1), 'a'.repeat(bytes + 1))
  if (schema['x-max-bytes'] !== undefined && large)
    for (const more of [0, 1]) add('x-max-bytes', base64Psbt(schema['x-max-bytes'] + more))
  if (pattern !== undefined && typeof value === 'string')
    add(
      'pattern',
      `${value}0`,
      `${value}zz`,
      ` ${value}`,
      `${value}\n`,
      value.slice(1),
      value.toUpperCase(),
    )
  if (
    maxItems !== undefined &&
    Array.isArray(value) &&
    value.length > 0 &&
    (large || maxItems < 1000)
  )
    add('maxItems', ...[0, 1].map(more => repeatItems(value, maxItems + more)))
  if (Array.isArray(value) && value.length > 0) {
    add('twice the same', [...value, value[0]])
    const [first] = value
    if (typeof first === 'string' && /^[0-9a-f]{64}i/.test(first))
      add('twice under two names', [`${first.slice(0, 66)}`, `${first.slice(0, 66)}-Ordinals`])
  }
  const refers = schema['x-refers-to']
  if (refers && Array.isArray(value))
    add(
      'x-refers-to',
      value.map(item => ({ ...item, [refers.member]: ['nobody'] })),
    )
  const total = schema['x-max-total']
  if (total && Array.isArray(value) && value.length > 0 && (large || total.measure === 'value'))
    for (const more of [0, 2]) add('x-max-total', exhaust(total, value[0], more))
  return damages
}

function lengthen({ pattern }: Schema, most: number): string[] {
  if (pattern === undefined) return [0, 1].map(more => 'a'.repeat(most + more))
  if (pattern.includes('70736274'))
    return [0, 2].map(more => `70736274ff${'0'.repeat(most - 10 + more)}`)
  if (pattern.includes('fA-F')) return [0, 2].map(more => '0'.repeat(most + more))
  if (pattern.includes('cHNidP')) return []
  return [0, 1].map(more => '1'.repeat(most + more))
}

function base64Psbt(length: number): string {
  return Buffer.from(`70736274ff${'00'.repeat(length - 5)}`, 'hex').toString('base64')
}

/** Different ones where items are objects with a name or an index. */
function repeatItems(list: readonly unknown[], count: number): unknown[] {
  return Array.from({ length: count }, (_, at) => {
    const item = list[at % list.length]
    if (typeof item === 'string' && /^[0-9a-f]{64}i/.test(item)) return `${item.slice(0, 64)}i${at}`
    if (typeof item !== 'object' || item === null) return item
    const renamed = Object.hasOwn(item, 'itemId') ? { itemId: `item ${at}`, dependItemId: [] } : {}
    return { ...item, ...renamed, ...(Object.hasOwn(item, 'index') && { index: at }) }
  })
}

/** Two items that together have all that the limit allows, or a little more. */
function exhaust(
  { member, measure, most }: NonNullable<Schema['x-max-total']>,
  item: unknown,
  more: number,
): unknown[] {
  const halves = [Math.floor(most / 2), most - Math.floor(most / 2) + more]
  return halves.map((size, at) => {
    const part =
      measure === 'value'
        ? size
        : measure === 'length'
          ? 'a'.repeat(size)
          : `70736274ff${'00'.repeat(size - 5)}`
    const name = Object.hasOwn(Object(item), 'itemId')
      ? { itemId: `half ${at}`, dependItemId: [] }
      : {}
    return member === null ? part : { ...Object(item), ...name, [member]: part }
  })
}

/** The list with the damage done; what is left out at the end is absent, in between it is null, as it crosses to the wallet. */
export function applyDamage(values: readonly unknown[], { path, value }: Damage): unknown[] {
  const damaged = change([...values], path, value) as unknown[]
  return JSON.parse(JSON.stringify(damaged))
}

function change(target: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (Array.isArray(target)) {
    const at = Number(step)
    const next = change(target[at], rest, value)
    if (next === undefined && at >= target.length - 1) return target.slice(0, at)
    return target.with(at, next)
  }
  return { ...Object(target), [step]: change(Object(target)[step], rest, value) }
}

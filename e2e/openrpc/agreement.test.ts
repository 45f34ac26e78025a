import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderError } from '../../src/provider/errors.ts'
import { METHOD_NAMES, type MethodName } from '../../src/provider/method-names.ts'
import { parsers } from '../../src/provider/methods.ts'
import type { Argument, Description } from './description.ts'
import { DESCRIPTIONS } from './descriptions.ts'
import { applyDamage, type Damage, listDamages, type Path } from './testing/argument-damage.ts'
import { createArgumentValidator, describeArguments } from './testing/argument-validator.ts'
import { generateArguments } from './testing/schema-values.ts'

const isValid = createArgumentValidator()

const NAMES_WITH_ARGUMENTS = METHOD_NAMES.filter(name => DESCRIPTIONS[name].args.length > 0)

/** What the parser says: null where it takes the arguments. Anything but -32602 is a fault of the parser. */
function refusalOf(name: MethodName, values: readonly unknown[]): string | null {
  try {
    parsers[name](values)
    return null
  } catch (error) {
    if (error instanceof ProviderError && error.code === -32602) return error.message
    throw error
  }
}

/** The arguments of which the parser takes more than the document says, because it does not read what is wrong. */
const UNREAD: { readonly [M in MethodName]?: (argument: Record<string, unknown>) => string[] } = {
  // A memo without its place, and a place without a memo.
  send: ({ memo, memoPos }) => [
    ...(isThere(memoPos) ? [] : ['memo']),
    ...(isThere(memo) && memo !== '' ? [] : ['memoPos']),
  ],
  // The second of two names, where the first is there.
  inscribe: ({ amt, feeRate }) => [
    ...(isThere(amt) ? ['amount'] : []),
    ...(isThere(feeRate) ? ['satBytes'] : []),
  ],
  mint: ({ feeRate }) => (isThere(feeRate) ? ['satBytes'] : []),
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isUnread(name: MethodName, values: readonly unknown[], path: Path): boolean {
  const [argument] = values
  const unread = UNREAD[name]?.(Object(argument)) ?? []
  return path.length >= 2 && unread.includes(String(path[1]))
}

/** Numbers that the parser rounds up to three decimals before it looks at the least fee rate. */
function isRoundedRate({ value }: Damage): boolean {
  return typeof value === 'number' && value > 0.099 && value < 0.1
}

/** Members whose messages name what holds them, and what they are called there. */
const CALLED: { readonly [field: string]: string } = {
  'type.type': 'type',
  'rawTx.rawtx': 'rawTx',
}

/** Rules of a list or an object that one member breaks: the message names the whole. */
const OF_THE_WHOLE =
  / together, | (?:bytes|characters) in all, |names input \d+ more than once|address or publicKey is required|expected an amount or units|each inscription once|an id that no other item has|the itemId of an item/

/** Whether a message begins with the name of what is at the path, or of a part or member of it. */
function names(message: string, args: readonly Argument[], { path, value }: Damage): boolean {
  const [first = 0, ...rest] = path
  // It is the receivers that are too many or too few, whichever of both lists changed.
  if (path[1] === 'data' && message.includes('one for each of the')) return true
  // Nothing and an empty object read the same: what is missed is one of the members.
  if (rest.length === 0 && (!isThere(value) || typeof value === 'object')) return true
  const root = args[Number(first)]?.name ?? ''
  const inside = rest.map(step => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
  const full = `${root}${inside}`
  const field = message.split(':')[0] ?? ''
  const candidates = [CALLED[full] ?? full, ...(inside ? [inside.replace(/^\./, '')] : [])]
  return candidates.some(
    one =>
      field === one ||
      isPartOf(field, one) ||
      (OF_THE_WHOLE.test(message) && isPartOf(one, field.replace(/\[\d+\].*$/, ''))),
  )
}

function isPartOf(part: string, whole: string): boolean {
  return part.startsWith(whole) && /^[.[]/.test(part.slice(whole.length))
}

/** Compares what the document and the parser say of one damage; a text where they differ. */
function compare(name: MethodName, values: readonly unknown[], damage: Damage): string | null {
  const description: Description = DESCRIPTIONS[name]
  const damaged = applyDamage(values, damage)
  const said = refusalOf(name, damaged)
  const isRight = isValid(describeArguments(description), damaged)
  const about = `${name}: ${damage.path.join('.')} ${damage.how}`
  if (isRight && said !== null) return `${about}: the document takes it, the parser says ${said}`
  if (!isRight && said === null)
    return isUnread(name, damaged, damage.path) || isRoundedRate(damage)
      ? null
      : `${about}: the document refuses it, the parser does not`
  if (said !== null && !names(said, description.args, damage))
    return `${about}: the message names something else: ${said}`
  return null
}

function damagesOf(name: MethodName, values: readonly unknown[], large: boolean): Damage[] {
  const { args }: Description = DESCRIPTIONS[name]
  return listDamages(
    args.map(({ schema }) => schema),
    values,
    isValid,
    large,
  )
}

describe.each(NAMES_WITH_ARGUMENTS)('%s', name => {
  const description: Description = DESCRIPTIONS[name]
  const generated = generateArguments(description, isValid)

  it('takes all that its description says', () => {
    fc.assert(
      fc.property(generated, values => {
        expect(refusalOf(name, values)).toBeNull()
      }),
      { numRuns: 100 },
    )
  })

  it('refuses by name what its description refuses, and nothing else', () => {
    fc.assert(
      fc.property(generated, fc.nat(), (values, pick) => {
        const damages = damagesOf(name, values, false)
        const damage = damages[pick % damages.length]
        expect(damage && compare(name, values, damage)).toBeNull()
      }),
      { numRuns: 400 },
    )
  })

  it('has an example that works, and every damage of which is judged alike, the largest too', () => {
    const { args, result } = description.example
    expect(refusalOf(name, args)).toBeNull()
    expect(isValid(describeArguments(description), args)).toBe(true)
    expect(isValid(description.result.schema, result)).toBe(true)
    const damages = damagesOf(name, args, true)
    expect(damages.length).toBeGreaterThan(20)
    expect(damages.flatMap(damage => compare(name, args, damage) ?? [])).toEqual([])
  })

  it('reads absent, undefined and null alike where an argument is not required', () => {
    fc.assert(
      fc.property(generated, values => {
        const known = values.slice(0, description.args.length)
        const absent = description.args.slice(known.length)
        const read = parsers[name](known)
        for (const nothing of [undefined, null])
          expect(parsers[name]([...known, ...absent.map(() => nothing)])).toEqual(read)
      }),
      { numRuns: 30 },
    )
  })

  it('has the defaults that its description says', () => {
    for (const [at, { schema, required }] of description.args.entries()) {
      if (required || schema.default === undefined) continue
      const before = description.example.args.slice(0, at)
      expect(parsers[name]([...before, schema.default])).toEqual(parsers[name](before))
    }
    const [first] = description.args
    for (const [member, { default: value }] of Object.entries(first?.schema.properties ?? {})) {
      if (value === undefined) continue
      const { [member]: _, ...rest } = Object(description.example.args[0])
      expect(parsers[name]([{ ...rest, [member]: value }])).toEqual(parsers[name]([rest]))
    }
  })
})

describe('operations without arguments', () => {
  it.each(METHOD_NAMES.filter(name => DESCRIPTIONS[name].args.length === 0))(
    '%s ignores whatever it is given, and has an example of its result',
    name => {
      const { example, result }: Description = DESCRIPTIONS[name]
      expect(example.args).toEqual([])
      expect(isValid(result.schema, example.result)).toBe(true)
      fc.assert(
        fc.property(fc.array(fc.anything()), values => {
          expect(parsers[name](values)).toBeNull()
        }),
      )
    },
  )
})

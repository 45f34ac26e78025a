import type { Network } from '../../bitcoin/network.ts'
import {
  assertEtching,
  type EtchingFault,
  InvalidEtchingError,
  type NewEtching,
  type NewTerms,
  supplyOf,
} from '../../ordinals/runes/etching.ts'
import {
  formatRuneAmount,
  InvalidRuneAmountError,
  parseRuneAmount,
  type RuneAmountFault,
} from '../../ordinals/runes/rune-amount.ts'
import { formatRuneName, parseRuneName } from '../../ordinals/runes/rune-name.ts'
import { unlockHeightOf } from '../../ordinals/runes/rune-unlock.ts'
import { invalidParams } from '../../provider/errors.ts'
import { parseIndex, parseOptions, parseString, parseSwitch } from '../../provider/params.ts'
import type { BlockRange, EtchingTermsDraft, EtchingView } from '../views/etching-views.ts'
import type { EtchingDraft } from '../views/inscribe-views.ts'

/** Characters of a decimal amount of 128 bits, and of a name with its spacers, at most. */
const LONGEST_AMOUNT = 80
const LONGEST_NAME = 55

const MAX_DIVISIBILITY = 38

/** The rune of our own form. Throws -32602 that names the field; what depends on the chain's height is {@link assertEtchable}'s. */
export function parseEtchingDraft(draft: Omit<EtchingDraft, 'inscription'>): NewEtching {
  const written = parseString('name', draft.name, LONGEST_NAME)
  const name = parseRuneName(written)
  if (name === null)
    throw invalidParams('name', written, 'letters from A to Z, with • between some of them')
  const divisibility = parseIndex('divisibility', draft.divisibility, MAX_DIVISIBILITY)
  return {
    name,
    divisibility,
    symbol: parseString('symbol', draft.symbol, 8),
    premine: parseAmount('premine', draft.premine, divisibility),
    terms: draft.terms === null ? null : parseTerms(draft.terms, divisibility),
    turbo: parseSwitch('turbo', draft.turbo) ?? false,
  }
}

/** Throws -32602 that names the field for what indexes would not take in a block of this height. */
export function assertEtchable(etching: NewEtching, network: Network, height: number): void {
  try {
    assertEtching(etching, { network, height })
  } catch (cause) {
    if (!(cause instanceof InvalidEtchingError)) throw cause
    const { field, fault } = cause
    const unlocked = unlockHeightOf(network, etching.name.rune)
    const expected =
      fault === 'locked'
        ? `a longer name: this one is unlocked at block ${unlocked}`
        : FAULT_WORDS[fault]
    const data = { fault, ...(fault === 'locked' && { unlocked }) }
    throw Object.assign(invalidParams(field, describeField(etching, field), expected, data), {
      cause,
    })
  }
}

/** The rune as it is shown. */
export function viewEtching(etching: NewEtching, isInscribed: boolean): EtchingView {
  const { name, divisibility, symbol, premine, terms, turbo } = etching
  const format = (amount: bigint) => formatRuneAmount(amount, divisibility)
  return {
    name: formatRuneName(name),
    symbol,
    divisibility,
    premine: format(premine),
    terms: terms && {
      amount: format(terms.amount),
      cap: String(terms.cap),
      height: viewRange(terms.height),
      offset: viewRange(terms.offset),
    },
    supply: format(supplyOf(etching)),
    turbo,
    isInscribed,
  }
}

/** What was to be etched, from how it is shown. */
export function parseEtchingView({ terms, ...shown }: EtchingView): NewEtching {
  return parseEtchingDraft({ ...shown, terms, postage: 0, feeRate: 0, label: '' })
}

const FAULT_WORDS: { [fault in Exclude<EtchingFault, 'locked'>]: string } = {
  reserved: 'a name of at most 26 letters: longer ones belong to runes that have none of their own',
  'out-of-range': 'a number within its bounds',
  'not-one-character': 'one visible character',
  nothing: 'more than nothing: somebody has to be able to have some of it',
  'too-large': 'premine and mints that fit 128 bits together',
  'ends-before-start': 'an end behind the start',
  'too-early': 'a block behind the etching, which takes six at least',
  'too-long': 'fewer or smaller terms: this runestone is longer than what all nodes relay',
}

function describeField(etching: NewEtching, field: InvalidEtchingError['field']): unknown {
  if (field === 'name') return formatRuneName(etching.name)
  if (field === 'supply') return String(supplyOf(etching))
  return field === 'symbol' || field === 'divisibility' ? etching[field] : undefined
}

function parseTerms(terms: EtchingTermsDraft, divisibility: number): NewTerms {
  const { amount, cap, height, offset } = parseOptions('terms', terms) as EtchingTermsDraft
  return {
    amount: parseAmount('terms.amount', amount, divisibility),
    cap: parseAmount('terms.cap', cap, 0),
    height: parseRange('terms.height', height),
    offset: parseRange('terms.offset', offset),
  }
}

const AMOUNT_WORDS: { [fault in RuneAmountFault]: string } = {
  malformed: 'a decimal amount as a text, such as 12.5',
  zero: 'an amount above 0',
  'too-precise': 'no more digits behind the point than the rune has decimals',
  'too-large': 'an amount that fits 128 bits',
}

/** Nothing where the text is empty or zero. */
function parseAmount(field: string, value: unknown, divisibility: number): bigint {
  const text = parseString(field, value, LONGEST_AMOUNT)
  if (/^0*(?:\.0*)?$/.test(text)) return 0n
  try {
    return parseRuneAmount(text, divisibility)
  } catch (cause) {
    if (!(cause instanceof InvalidRuneAmountError)) throw cause
    throw Object.assign(invalidParams(field, text, AMOUNT_WORDS[cause.reason]), { cause })
  }
}

function parseRange(field: string, value: unknown): NewTerms['height'] {
  const { start, end } = parseOptions(field, value)
  const read = (name: string, block: unknown) =>
    block === null || block === undefined
      ? null
      : BigInt(parseIndex(`${field}.${name}`, block, Number.MAX_SAFE_INTEGER))
  return { start: read('start', start), end: read('end', end) }
}

function viewRange({ start, end }: NewTerms['height']): BlockRange {
  return { start: start === null ? null : Number(start), end: end === null ? null : Number(end) }
}

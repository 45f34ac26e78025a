import { invalidParams } from './errors.ts'
import { MAX_CONTENT, MAX_CONTENT_TYPE } from './inscribe-params.ts'
import {
  isGiven,
  parseFeeRateParam,
  parseIndex,
  parseOptions,
  parseString,
  parseSwitch,
} from './params.ts'
import { MAX_RUNE_AMOUNT_LENGTH } from './rune-params.ts'

/** What a page wants etched. Amounts are decimal text, in whole runes; what the rune may be is the wallet's to say. */
export type EtchRuneParams = {
  /** With its spacers. */
  name: string
  symbol: string
  divisibility: number
  /** Empty for none. */
  premine: string
  terms: EtchTerms | null
  turbo: boolean
  /** What the same transaction inscribes; null for nothing. */
  inscription: { contentType: string; base64: string } | null
  feeRate: number | null
}

/** Who may mint how much. Blocks by their height and counted from the etching's; an end is the first block without mints. */
export type EtchTerms = {
  amount: string
  cap: string
  height: BlockSpan
  offset: BlockSpan
}

export type BlockSpan = { start: number | null; end: number | null }

/** The reveal etches: it goes out once the commit has six confirmations. */
export type EtchRuneResult = {
  commitTx: string
  revealTx: string
  /** Where the commit pays to. */
  commitAddr: string
}

/** Letters with `•` between some of them. */
export const MAX_ETCHED_NAME = 55

export const MAX_DIVISIBILITY = 38

/** The generic currency sign, as runes without a symbol have. */
export const DEFAULT_SYMBOL = '¤'

export const MAX_SYMBOL = 8

export const BASE64_PATTERN = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$'
const BASE64 = new RegExp(BASE64_PATTERN)

export function parseEtchRune([etching]: readonly unknown[]): EtchRuneParams {
  const given = parseOptions('etching', etching)
  const { symbol, divisibility, premine, terms, turbo, inscription } = given
  return {
    name: parseString('name', given.name, MAX_ETCHED_NAME),
    symbol: parseString('symbol', symbol ?? DEFAULT_SYMBOL, MAX_SYMBOL),
    divisibility: parseIndex('divisibility', divisibility ?? 0, MAX_DIVISIBILITY),
    premine: parseString('premine', premine ?? '', MAX_RUNE_AMOUNT_LENGTH),
    terms: isGiven(terms) ? parseTerms(terms) : null,
    turbo: parseSwitch('turbo', turbo) ?? false,
    inscription: isGiven(inscription) ? parseInscription(inscription) : null,
    feeRate: parseFeeRateParam('feeRate', given.feeRate),
  }
}

function parseTerms(terms: unknown): EtchTerms {
  const { amount, cap, height, offset } = parseOptions('terms', terms)
  return {
    amount: parseString('terms.amount', amount, MAX_RUNE_AMOUNT_LENGTH),
    cap: parseString('terms.cap', cap, MAX_RUNE_AMOUNT_LENGTH),
    height: parseSpan('terms.height', height),
    offset: parseSpan('terms.offset', offset),
  }
}

function parseSpan(field: string, span: unknown): BlockSpan {
  const { start, end } = isGiven(span) ? parseOptions(field, span) : {}
  const read = (name: string, block: unknown) =>
    isGiven(block) ? parseIndex(`${field}.${name}`, block, Number.MAX_SAFE_INTEGER) : null
  return { start: read('start', start), end: read('end', end) }
}

function parseInscription(inscription: unknown): { contentType: string; base64: string } {
  const { contentType, base64 } = parseOptions('inscription', inscription)
  const text = parseString('inscription.base64', base64, MAX_CONTENT)
  if (!BASE64.test(text)) throw invalidParams('inscription.base64', base64, 'bytes in base64')
  return {
    contentType: parseString('inscription.contentType', contentType, MAX_CONTENT_TYPE),
    base64: text,
  }
}

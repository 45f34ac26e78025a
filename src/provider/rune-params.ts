import { invalidParams } from './errors.ts'
import { DEFAULT_PAGE, MAX_PAGE } from './inscription-params.ts'
import { isGiven, parseFeeRateParam, parseIndex, parseOptions, parseString } from './params.ts'

/** What the connected account has of a rune, as pages get it; amounts are decimal text, in whole runes. */
export type SiteRune = {
  /** `block:tx` of its etching; null where no index tells it now. */
  id: string | null
  /** With its spacers. */
  name: string
  /** One character; null for none. */
  symbol: string | null
  /** Digits behind the point that an amount can have. */
  divisibility: number
  amount: string
  /** What `sendRunes` could send now: on coins that are not locked, carry no Atomicals, and are in no payment under way. */
  spendable: string
  /** The outputs that it is on. */
  coins: SiteRuneCoin[]
}

export type SiteRuneCoin = {
  /** `txid:vout`. */
  output: string
  /** Sats of the output. */
  outputValue: number
  amount: string
}

/** What something with runes would cost by the coins that there are; in sats, and virtual bytes. */
export type RuneEstimate = {
  /** Of all transactions. */
  fee: number
  /** Stays with the account, on outputs with runes or an inscription. */
  postage: number
  /** Both: what the account can spend less afterwards. */
  total: number
  vsize: number
}

/** So much of a rune, by its name or id, to an address: a text is whole runes, a bigint the smallest unit. */
export type RuneRecipient = {
  address: string
  rune: string
  amount: string | bigint
  /** The parameter that has the amount. */
  amountField: string
}

/** Recipients of one transfer of runes: more never fit into a runestone that all nodes relay. */
export const MAX_RUNE_RECIPIENTS = 20

/** Mints of one request: nodes relay chains of 25 transactions. */
export const MAX_MINTS = 24

/** 39 digits before the point and 38 behind it at most. */
export const MAX_RUNE_AMOUNT_LENGTH = 80

const MAX_RUNE_LENGTH = 55
const U128 = 2n ** 128n - 1n

/** Letters with `•` or `.` between some of them, or `block:tx`. */
export const RUNE_PATTERN =
  '^(?:[A-Z](?:[•.]?[A-Z]){0,27}|(?:0|[1-9]\\d{0,19}):(?:0|[1-9]\\d{0,9}))$'
const RUNE = new RegExp(RUNE_PATTERN)

/** 20 runes unless told, at most 100. */
export function parseGetRunes([offset, limit]: readonly unknown[]) {
  return {
    offset: parseIndex('offset', offset ?? 0, Number.MAX_SAFE_INTEGER),
    limit: parseIndex('limit', limit ?? DEFAULT_PAGE, MAX_PAGE),
  }
}

/** An address may be named more than once, also with the same rune: it gets one output with all of it. */
export function parseSendRunes([transfer]: readonly unknown[]) {
  const { recipients: given, feeRate } = parseOptions('transfer', transfer)
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_RUNE_RECIPIENTS)
    throw invalidParams('recipients', given, `a list of 1 to ${MAX_RUNE_RECIPIENTS} recipients`)
  return {
    recipients: Array.from(given, (one: unknown, at) => parseRecipient(`recipients[${at}]`, one)),
    feeRate: parseFeeRateParam('feeRate', feeRate),
  }
}

/** Once unless told. */
export function parseMintRune([order]: readonly unknown[]) {
  const { rune, count, feeRate } = parseOptions('mint', order)
  return {
    rune: parseRuneName('rune', rune),
    count: parseMintCount(count),
    feeRate: parseFeeRateParam('feeRate', feeRate),
  }
}

function parseMintCount(value: unknown): number {
  const count = parseIndex('count', value ?? 1, MAX_MINTS)
  if (count === 0) throw invalidParams('count', value, `1 to ${MAX_MINTS} mints`)
  return count
}

function parseRecipient(field: string, recipient: unknown): RuneRecipient {
  const { address, rune, amount, units } = parseOptions(field, recipient)
  const to = parseString(`${field}.address`, address, 100)
  const name = parseRuneName(`${field}.rune`, rune)
  const asks = { address: to, rune: name }
  if (isGiven(amount) === isGiven(units))
    throw invalidParams(field, recipient, 'an amount or units, one of them')
  if (isGiven(amount)) {
    const amountField = `${field}.amount`
    return { ...asks, amount: parseAmount(amountField, amount), amountField }
  }
  const amountField = `${field}.units`
  return { ...asks, amount: parseUnits(amountField, units), amountField }
}

function parseRuneName(field: string, value: unknown): string {
  const rune = parseString(field, value, MAX_RUNE_LENGTH)
  if (RUNE.test(rune)) return rune
  throw invalidParams(
    field,
    value,
    'the name of a rune, such as UNCOMMON•GOODS, or its id, such as 1:0',
  )
}

/** How many digits it may have is known with the rune. */
function parseAmount(field: string, value: unknown): string {
  const text = parseString(field, value, MAX_RUNE_AMOUNT_LENGTH)
  if (/^\d+(?:\.\d+)?$/.test(text)) return text
  throw invalidParams(field, value, 'a decimal amount as a text, such as 12.5')
}

/** The smallest unit, as decimal text or a number, above 0 and up to 128 bits. */
export function parseUnits(field: string, value: unknown): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const units = typeof text === 'string' && /^\d{1,39}$/.test(text) ? BigInt(text) : 0n
  if (units > 0n && units <= U128) return units
  throw invalidParams(field, value, 'a whole number above 0, of 128 bits at most, as decimal text')
}

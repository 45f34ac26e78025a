import { invalidParams } from './errors.ts'
import { isGiven, parseFeeRateParam, parseOptions, parseString } from './params.ts'

/** What a page may have inscribed: 60 deploy, 50 mint, 51 transfer of BRC-20, 61 text, 62 image. */
export type MintType = 60 | 50 | 51 | 61 | 62

/** As a page names them; a content type that is left out is null. */
export type MintItem = { contentType: string | null; body: string }

export type MintResult = {
  commitTx: string
  revealTxs: string[]
  /** Fees in sats. */
  commitTxFee: number
  revealTxFees: number[]
  /** Where the commit pays to, an address an item. */
  commitAddrs: string[]
  /** sat/vB. */
  feeRate: number
  /** Sats of each inscription's output. */
  size: number
}

export const MINT_TYPES: readonly MintType[] = [60, 50, 51, 61, 62]

/** An inscription of a BRC-20 transfer. */
export const TRANSFER = 51

/** Every reveal of an unconfirmed commit is its descendant: nodes take so many. */
export const MAX_ITEMS = 24

/** Characters of all items: what nodes relay together, 101 kvB, has no room for more bytes in hex. */
export const MAX_CONTENT = 808_000

export const MAX_CONTENT_TYPE = 255

/** Longer than any ticker or amount. */
export const MAX_WORD = 64

/** The fee rate goes by the name that the caller's other operations use; other members are ignored. */
export function parseMint([request]: readonly unknown[]) {
  const { type, from, inscriptions, feeRate, satBytes } = parseOptions('mint', request)
  const known = MINT_TYPES.find(one => one === type)
  if (!known) throw invalidParams('type', type, `one of ${MINT_TYPES.join(', ')}`)
  return {
    type: known,
    from: parseString('from', from, 100),
    inscriptions: readItems(inscriptions),
    feeRate: readRate(feeRate, satBytes),
  }
}

/** The amount is the person's to say; one that the page names is a proposal. `tid` and other members are ignored. */
export function parseInscribe([request]: readonly unknown[]) {
  const { type, from, tick, amt, amount, feeRate, satBytes } = parseOptions('inscribe', request)
  if ((type ?? TRANSFER) !== TRANSFER) throw invalidParams('type', type, `${TRANSFER}, or nothing`)
  return {
    from: parseString('from', from, 100),
    tick: parseString('tick', tick, MAX_WORD),
    proposed: isGiven(amt) ? readProposal('amt', amt) : readProposal('amount', amount),
    feeRate: readRate(feeRate, satBytes),
  }
}

function readRate(feeRate: unknown, satBytes: unknown): number | null {
  return isGiven(feeRate)
    ? parseFeeRateParam('feeRate', feeRate)
    : parseFeeRateParam('satBytes', satBytes)
}

function readItems(value: unknown): MintItem[] {
  if (!Array.isArray(value) || value.length < 1 || value.length > MAX_ITEMS)
    throw invalidParams('inscriptions', value, `a list of 1 to ${MAX_ITEMS} items`)
  const items = Array.from(value, (item: unknown, at) => {
    const field = `inscriptions[${at}]`
    const { contentType, body } = parseOptions(field, item)
    return {
      contentType: isGiven(contentType)
        ? parseString(`${field}.contentType`, contentType, MAX_CONTENT_TYPE)
        : null,
      body: parseString(`${field}.body`, body, MAX_CONTENT),
    }
  })
  if (items.reduce((total, { body }) => total + body.length, 0) > MAX_CONTENT)
    throw invalidParams('inscriptions', value, `at most ${MAX_CONTENT} characters together`)
  return items
}

/** Decimal text; null where the page proposes nothing. A number is taken where it reads back as such text. */
function readProposal(field: string, value: unknown): string | null {
  if (!isGiven(value) || value === '') return null
  const text = typeof value === 'number' ? String(value) : parseString(field, value, MAX_WORD)
  if (!/^\d+(\.\d+)?$/.test(text)) throw invalidParams(field, value, 'a decimal amount, or nothing')
  return text
}

import { toHex } from '../bitcoin/bytes.ts'
import { parsePsbtText } from '../bitcoin/psbt/psbt.ts'
import { invalidParams } from './errors.ts'
import { parseHex, parseList, parseOptions, parseString } from './params.ts'
import { MAX_PSBT_LENGTH, parsePsbtParam } from './psbt-params.ts'

/** What a site wants broadcast: a raw transaction or a PSBT, in hex. */
export type SignedParam = { rawTx: string } | { psbt: string }

export type BatchItemParam = {
  itemId: string
  signedTx: SignedParam
  /** What the site says it is: 52 sends BRC-20, 20 an inscription. */
  type: number
  /** Ids of items of the same batch. */
  dependItemId: string[]
  /** Id of the inscription that is sent, in the site's words. */
  inscription: string | null
}

/** A transaction of the largest standard weight, in hex. */
export const MAX_TRANSACTION_LENGTH = 800_000

export const MAX_ITEMS = 100
export const MAX_ID_LENGTH = 100

/** Hex, or `{ rawtx }` as some clients send it. */
export function parsePushTx([rawTx]: readonly unknown[]) {
  const value =
    typeof rawTx === 'object' && rawTx !== null && 'rawtx' in rawTx ? rawTx.rawtx : rawTx
  return { rawTx: parseHex('rawTx', value, MAX_TRANSACTION_LENGTH) }
}

export function parsePushPsbt([psbt]: readonly unknown[]) {
  return { psbt: parsePsbtParam('psbt', psbt) }
}

/** 1 to 100 signed transactions, together at most as large as one PSBT may be; ids are unique and every parent is there. */
export function parseSendPsbt([txs, from]: readonly unknown[]) {
  const items = parseList('txs', txs, MAX_ITEMS).map((item, at) => readItem(`txs[${at}]`, item))
  if (items.length === 0) throw invalidParams('txs', txs, `1 to ${MAX_ITEMS} items`)
  const length = items.reduce((sum, { signedTx }) => sum + lengthOf(signedTx), 0)
  if (length > MAX_PSBT_LENGTH) {
    throw invalidParams('txs', txs, `at most ${MAX_PSBT_LENGTH / 2} bytes in all`)
  }
  assertIds(items)
  return { items, from: parseString('from', from, 100) }
}

function readItem(field: string, value: unknown): BatchItemParam {
  if (value === null) throw invalidParams(field, value, 'an object')
  const { itemId, signedTx, type, dependItemId, extJson } = parseOptions(field, value)
  const { inscription } = parseOptions(`${field}.extJson`, extJson)
  const named = `${field}.dependItemId`
  return {
    itemId: readId(`${field}.itemId`, itemId),
    signedTx: readSigned(`${field}.signedTx`, signedTx),
    type: readType(`${field}.type`, type),
    dependItemId: parseList(named, dependItemId, MAX_ITEMS).map((id, at) =>
      readId(`${named}[${at}]`, id),
    ),
    inscription:
      inscription === undefined || inscription === null
        ? null
        : parseString(`${field}.extJson.inscription`, inscription, MAX_ID_LENGTH),
  }
}

/** Each of its own, and none that only a dependency names. */
function assertIds(items: readonly BatchItemParam[]): void {
  const ids = items.map(({ itemId }) => itemId)
  for (const [at, { itemId, dependItemId }] of items.entries()) {
    if (ids.indexOf(itemId) !== at) {
      throw invalidParams(`txs[${at}].itemId`, itemId, 'an id that no other item has')
    }
    for (const [place, id] of dependItemId.entries()) {
      if (!ids.includes(id)) {
        throw invalidParams(`txs[${at}].dependItemId[${place}]`, id, 'the itemId of an item')
      }
    }
  }
}

function readId(field: string, value: unknown): string {
  const id = parseString(field, value, MAX_ID_LENGTH)
  if (id === '') throw invalidParams(field, value, 'a text that is not empty')
  return id
}

function readType(field: string, value: unknown): number {
  if (typeof value !== 'number') throw invalidParams(field, value, 'a number such as 52 or 20')
  return value
}

function readSigned(field: string, value: unknown): SignedParam {
  const text = parseString(field, value, MAX_PSBT_LENGTH)
  const psbt = parsePsbtText(text)
  if (psbt) return { psbt: toHex(psbt) }
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) {
    throw invalidParams(field, value, 'a signed transaction in hex, or a PSBT in hex or base64')
  }
  return { rawTx: parseHex(field, text, MAX_TRANSACTION_LENGTH) }
}

function lengthOf(signed: SignedParam): number {
  return 'psbt' in signed ? signed.psbt.length : signed.rawTx.length
}

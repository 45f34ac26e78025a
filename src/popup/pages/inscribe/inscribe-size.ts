import type { SigningAccountView } from '../../../background/views/account-views.ts'
import type { CoinView } from '../../../background/views/payment-views.ts'
import { parseAddress } from '../../../bitcoin/address.ts'
import { toUtf8 } from '../../../bitcoin/bytes.ts'
import { feeForVsize } from '../../../bitcoin/fee-rate.ts'
import type { Network } from '../../../bitcoin/network.ts'
import {
  sizeOfLeafInput,
  transactionVsize,
  weighMixedTransaction,
  weightOfInput,
} from '../../../bitcoin/transaction-size.ts'
import { parseInscriptionId } from '../../../ordinals/inscription-id.ts'
import {
  buildInscriptionLeaf,
  type EnvelopeContent,
} from '../../../ordinals/inscriptions/envelope-script.ts'
import { countNeeded } from '../../forms/estimate-fee.ts'
import type { InscribeForm, ItemForm } from './inscribe-form.ts'

const TEXT_TYPE = 'text/plain;charset=utf-8'

/** The content of a reveal's envelope, without metadata. */
function contentOf(item: ItemForm, { isPacked }: Pick<InscribeForm, 'isPacked'>): EnvelopeContent {
  if (item.kind === 'text')
    return { contentType: TEXT_TYPE, body: toUtf8(item.text.toWellFormed()) }
  if (item.kind === 'file') {
    const { contentType, bytes, packed } = item
    return isPacked && packed
      ? { contentType, contentEncoding: 'gzip', body: packed }
      : { contentType, body: bytes }
  }
  const id = item.id.trim()
  return parseInscriptionId(id) ? { delegate: id } : {}
}

/** Length of a P2TR scriptPubKey, the longest of an own address. */
const LONGEST_SCRIPT = new Uint8Array(34)
/** With a parent: its coin and a coin for the fee go in, the parent comes out again, and the envelope names it. */
const PARENT_WEIGHT = 2 * weightOfInput('p2tr') + 4 * 43 + 36

/** Lengths of leaves by body, so that a file's envelope is not built again at each key press. */
const lengths = new WeakMap<Uint8Array, number>()

type Extras = Pick<InscribeForm, 'isPacked' | 'metadata'>

/** Weight of the reveal of one inscription without a parent; metadata is estimated from the length of its JSON. */
export function weighItem(item: ItemForm, extras: Extras): number {
  const content = contentOf(item, extras)
  const body = content.body ?? new Uint8Array()
  const known = lengths.get(body)
  const leaf = known ?? buildInscriptionLeaf(new Uint8Array(32), [content]).length
  lengths.set(body, leaf)
  const length =
    leaf + Math.ceil(toUtf8(extras.metadata.trim().toWellFormed()).length * METADATA_SHARE)
  return weighMixedTransaction([sizeOfLeafInput(length)], [LONGEST_SCRIPT])
}

/** CBOR is a little shorter than JSON; the tags and pushes around it add five bytes to each 520. */
const METADATA_SHARE = 1.01

type EstimateContext = {
  account: SigningAccountView
  network: Network
  coins: readonly CoinView[] | null
  feeRate: number | null
}

/** About how many sats all fees come to, with the largest coins; the review has them exactly. Null while coins or rate are not known. */
export function estimateInscribing(
  form: InscribeForm,
  { account, network, coins, feeRate }: EstimateContext,
): bigint | null {
  const { items, postage, parent } = form
  if (feeRate === null || coins === null) return null
  const hasParent = parent.trim() !== ''
  const reveals = items.reduce((sum, item) => {
    const weight = weighItem(item, form) + (hasParent ? PARENT_WEIGHT : 0)
    return sum + feeForVsize(Math.ceil(weight / 4), feeRate)
  }, 0n)
  const leaves = items.length * (hasParent ? 2 : 1)
  const own = parseAddress(account.address, network).scriptPubKey
  const scripts = [...Array<Uint8Array>(leaves).fill(LONGEST_SCRIPT), own]
  const feeOf = (count: number) =>
    feeForVsize(transactionVsize(account.addressType, count, scripts), feeRate)
  const usable = coins.filter(({ held }) => held === null)
  const paid = reveals + BigInt(postage) * BigInt(items.length)
  const count = countNeeded(usable, count => paid + feeOf(count))
  return reveals + feeOf(Math.max(count, 1))
}

import type { AddressType } from '../../bitcoin/address.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import {
  FeeBumpError,
  leastReplacementFeeRate,
  replacementFee,
} from '../../bitcoin/payments/fee-bump.ts'
import { assetScriptOf, changeScriptOf, type Payer } from '../../bitcoin/payments/payment.ts'
import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import { inputSizeOf, weighMixedTransaction, weightOf } from '../../bitcoin/transaction-size.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { buildDelivery, type Delivery, heldForDelivery, layOutDelivery } from './delivery.ts'
import { assertWithin, type Inscribing, leastRebuildFeeRate } from './inscribing.ts'
import {
  type AccountKeys,
  keysOf,
  type RevealInput,
  type RevealTransaction,
  type SignedReveal,
  signReveals,
  sizeOfRevealInput,
} from './reveal.ts'
import { layOutReveal, PARENT_VOUT } from './reveal-layout.ts'

/** Fee (sats) and size (vB) of a transaction that the mempool holds. */
export type SentFee = { fee: bigint; vsize: number }

/** Reveals that pay more than those they take the place of, in the order of their items; `feeRate` as asked (sat/vB). */
export type FeeBumpedReveals = {
  nonce: Uint8Array
  addressType: AddressType
  feeRate: number
  reveals: FeeBumpedReveal[]
  /** Of the only reveal, signed anew for it. */
  delivery: Delivery | null
}

/**
 * Where the change of reveals goes: back to where that of the one before it went (`kept`, in the order of the reveals), or to the next
 * of `fresh`, of which the last is for all that are left. To the account's own address where there are none.
 */
export type ChangeScripts = {
  kept: readonly (Uint8Array | null)[]
  fresh: readonly Uint8Array[]
}

export type FeeBumpedReveal = RevealTransaction & { item: number; changeIndex: number | null }

/** The least fee rate (sat/vB) that {@link bumpReveals} takes. */
export function leastBumpFeeRate(
  inscribing: { commit: { feeRate: number } },
  replaced: readonly (SentFee | null)[],
): number {
  const rates = replaced.map(sent => (sent ? leastReplacementFeeRate(sent) : 0))
  return Math.max(leastRebuildFeeRate(inscribing), ...rates)
}

/**
 * Builds the reveals of the items `waiting` (ascending) again with a higher fee, on the same commit. Coins of the account
 * pay for it, and their change pays for the next reveal. `replaced` is what the mempool holds of each, null for nothing. A
 * reveal that replaces one gets confirmed coins of its own, as long as there are any, since a replacement may add no
 * unconfirmed coin (BIP-125 rule 2); without them it has to wait until the one before it is in a block. With a parent, `waiting` goes to the last item, and `parentCoin` is where the parent lies before the first of them.
 * Throws FeeBumpError, InsufficientFundsError, InscribingLimitError.
 */
export function bumpReveals({
  inscribing: given,
  commitTxid,
  waiting,
  replaced,
  deliveryFee = 0n,
  parentCoin,
  utxos,
  own,
  feeRate,
  changeScripts = { kept: [], fresh: [] },
}: {
  inscribing: Inscribing
  commitTxid: string
  waiting: readonly number[]
  replaced: readonly (SentFee | null)[]
  /** Sats that the mempool holds of its delivery, which goes with the reveal. */
  deliveryFee?: bigint
  parentCoin: Utxo | null
  /** Clean coins of the account. */
  utxos: readonly Utxo[]
  own: Payer
  /** sat/vB. */
  feeRate: number
  changeScripts?: ChangeScripts
}): FeeBumpedReveals {
  const leastFeeRate = leastBumpFeeRate(given, replaced)
  if (feeRate < leastFeeRate) throw new FeeBumpError(leastFeeRate)
  const delivery = given.delivery && buildDelivery(given.delivery, own, feeRate)
  const inscribing = delivery ? { ...given, postage: heldForDelivery(delivery) } : given
  const { nonce, parent } = inscribing
  if (parent && !parentCoin)
    throw new Error('fee-bumped reveals: the coin of the parent is missing')
  const receiver = assetScriptOf(own)
  const fresh = [...changeScripts.fresh]
  const evicted = feesEvicted(replaced, parent !== null)
  evicted[0] = (evicted[0] ?? 0n) + deliveryFee
  let coins = listWorthwhile(utxos, feeRate)
  const reveals: FeeBumpedReveal[] = []
  let rest: RevealInput | null = null
  for (const [i, item] of waiting.entries()) {
    const returned = { of: i - 1, vout: PARENT_VOUT, scriptPubKey: receiver }
    const parentAt = parentCoin && i === 0 ? toInput(parentCoin) : returned
    const fixed = layOutReveal(inscribing, item, { commitTxid, receiver, parentAt })
    const kept = changeScripts.kept[i]
    const changeScript = kept ?? fresh[0] ?? changeScriptOf(own)
    const terms = { ...fixed, changeScript, evictedFee: evicted[i] ?? 0n, feeRate }
    const apart: Taking | null = evicted[i] ? take(coins.filter(isConfirmed), [], terms) : null
    const { bumped, taken }: Taking = apart ?? takeAny(coins, rest, terms)
    reveals.push({ ...bumped, item })
    if (!kept && bumped.changeIndex !== null && fresh.length > 1) fresh.shift()
    coins = coins.filter(coin => !taken.includes(coin))
    rest = changeOf(bumped, i) ?? (apart ? rest : null)
  }
  assertWithin(
    'size',
    reveals.reduce((size, { vsize }) => size + vsize, delivery?.vsize ?? 0),
  )
  return { nonce, addressType: own.addressType, feeRate, reveals, delivery }
}

/** Signs all of them with the account's keys, and the delivery last; throws where anything is not of these keys. */
export function signFeeBumpedReveals(
  bumped: FeeBumpedReveals,
  account: AccountKeys,
): SignedReveal[] {
  return signReveals(listBumped(bumped, account.own), keysOf(account, bumped.nonce))
}

/** The reveals in their order, and the delivery last. */
export function listBumped(
  { reveals, delivery }: FeeBumpedReveals,
  own: Payer,
): RevealTransaction[] {
  return delivery ? [...reveals, layOutDelivery(delivery, own, reveals.length - 1)] : reveals
}

/** Sats that go from the mempool with the earlier form of each; with a parent they hang on each other, and all go with the first. */
function feesEvicted(replaced: readonly (SentFee | null)[], chained: boolean): bigint[] {
  const fees = replaced.map(sent => sent?.fee ?? 0n)
  if (!chained) return fees
  const total = fees.reduce((sum, fee) => sum + fee, 0n)
  return fees.map((_, i) => (i === 0 ? total : 0n))
}

type RaiseTerms = {
  inputs: RevealInput[]
  outputs: TransactionOutput[]
  changeScript: Uint8Array
  evictedFee: bigint
  feeRate: number
}

type Taking = { bumped: Omit<FeeBumpedReveal, 'item'>; taken: Utxo[] }

/** Coins of any kind, and first of all what the reveals before left over. Throws {@link InsufficientFundsError}. */
function takeAny(coins: readonly Utxo[], rest: RevealInput | null, terms: RaiseTerms): Taking {
  const before = rest ? [rest] : []
  const taking = take(coins, before, terms)
  if (taking) return taking
  const all = [...before, ...coins.map(toInput)]
  throw new InsufficientFundsError(settle(all, terms).least, sumOf([...terms.inputs, ...all]))
}

/** As few coins as suffice, the first of them; null when all do not. */
function take(
  coins: readonly Utxo[],
  rest: readonly RevealInput[],
  terms: RaiseTerms,
): Taking | null {
  for (let count = 0; count <= coins.length; count++) {
    const taken = coins.slice(0, count)
    const { bumped } = settle([...rest, ...taken.map(toInput)], terms)
    if (bumped) return { bumped, taken }
  }
  return null
}

/** The transaction with these coins added, null when they do not suffice; and what its inputs must hold at least. */
function settle(
  added: readonly RevealInput[],
  { inputs: fixed, outputs, changeScript, evictedFee, feeRate }: RaiseTerms,
): { bumped: Taking['bumped'] | null; least: bigint } {
  const inputs = [...fixed, ...added]
  const sizes = inputs.map(({ unlocking, scriptPubKey }) =>
    sizeOfRevealInput(unlocking, scriptPubKey),
  )
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  const costOf = (outputScripts: readonly Uint8Array[]) => {
    const weight = weighMixedTransaction(sizes, outputScripts)
    assertWithin('weight', weight)
    const vsize = Math.ceil(weight / 4)
    return { vsize, fee: replacementFee(vsize, { feeRate, evictedFee }) }
  }
  const [without, withChange] = [costOf(scripts), costOf([...scripts, changeScript])]
  const least = sumOf(outputs) + without.fee
  const left = sumOf(inputs) - sumOf(outputs)
  const amount = left - withChange.fee
  if (amount >= dustLimit(changeScript)) {
    const change = { scriptPubKey: changeScript, amount }
    const bumped = { ...withChange, inputs, outputs: [...outputs, change] }
    return { bumped: { ...bumped, changeIndex: outputs.length }, least }
  }
  if (left < without.fee) return { bumped: null, least }
  return { bumped: { ...without, inputs, outputs, fee: left, changeIndex: null }, least }
}

/** What the reveal at this place of the list leaves over. */
function changeOf({ outputs, changeIndex }: Taking['bumped'], of: number): RevealInput | null {
  const change = changeIndex === null ? undefined : outputs[changeIndex]
  if (!change || changeIndex === null) return null
  return { ...change, of, vout: changeIndex, unlocking: { kind: 'account' } }
}

function isConfirmed({ height }: Utxo): boolean {
  return height !== null
}

function toInput({ txid, vout, amount, scriptPubKey }: Utxo): RevealInput {
  return { of: txid, vout, amount, scriptPubKey, unlocking: { kind: 'account' } }
}

/** Those that hold more than their own fee, what holds most beyond that first. */
function listWorthwhile(utxos: readonly Utxo[], feeRate: number): Utxo[] {
  return utxos
    .map(coin => {
      const vsize = Math.ceil(weightOf(inputSizeOf(coin.scriptPubKey)) / 4)
      return { coin, worth: coin.amount - feeForVsize(vsize, feeRate) }
    })
    .filter(({ worth }) => worth > 0n)
    .sort((a, b) => (a.worth === b.worth ? 0 : a.worth > b.worth ? -1 : 1))
    .map(({ coin }) => coin)
}

function sumOf(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((total, { amount }) => total + amount, 0n)
}

import type { Coin, Owner } from './coins.ts'
import { type DraftInput, draft, feeOf, futureCoin, placeholder, spend, totalOf } from './draft.ts'

/** SINGLE|ANYONECANPAY: this input, and the output at its index. */
export const FOR_SALE = 0x83
/** Where a seller's input stands in a listing, and his price in the sale. */
export const SELLER_INDEX = 2
/** What marketplaces keep small coins of, so that a bought coin keeps its sats to itself. */
const DUMMY_SATS = 600n

/** A payment with change back to the account. */
export function draftPayment(coins: readonly Coin[], to: string, sats: bigint): string {
  const [{ owner } = { owner: null }] = coins
  if (!owner) throw new Error('There is no coin to pay with')
  const change = totalOf(coins) - sats - feeOf(coins.length, 2)
  if (change <= DUMMY_SATS) throw new Error('The coins do not suffice')
  return draft(
    coins.map(coin => spend(coin)),
    [
      { address: to, sats },
      { address: owner.address, sats: change },
    ],
  )
}

/** Two payments, the second from the change of the first. */
export function draftChain(coin: Coin, to: string, sats: bigint): [string, string] {
  const first = draftPayment([coin], to, sats)
  return [first, draftPayment([futureCoin(first, 1, coin.owner)], to, sats)]
}

/** A coin for sale: whoever pays the price may have it. The two placeholders are the buyer's to fill. */
export function draftListing(coin: Coin, price: bigint): string {
  return draftSale(coin, price, [placeholder(0), placeholder(1)], 0n)
}

/**
 * The same as other marketplaces write it: the placeholders say that they are empty coins of the seller, and the coin
 * for sale is drawn as if it came back to him. His signature holds the buyer to neither.
 */
export function draftFlatteringListing(coin: Coin, price: bigint): string {
  const { owner, sats } = coin
  return draftSale(coin, price, [placeholder(0, owner), placeholder(1, owner)], sats)
}

function draftSale(coin: Coin, price: bigint, placeholders: DraftInput[], drawnBack: bigint) {
  const { address } = coin.owner
  return draft(
    [...placeholders, spend(coin, { sighashType: FOR_SALE })],
    [
      { address, sats: 0n },
      { address, sats: drawnBack },
      { address, sats: price },
    ],
  )
}

export type Sale = {
  /** The seller's input, signed or not yet. */
  listed: DraftInput
  sold: bigint
  seller: Owner
  price: bigint
  dummies: readonly [Coin, Coin]
  payment: Coin
}

/** The buyer's half of a listing: dummies first, the coin bought to the buyer, two dummies for the next time, change. */
export function draftPurchase({ listed, sold, seller, price, dummies, payment }: Sale): string {
  const { address } = payment.owner
  const outputs = [
    { address, sats: totalOf(dummies) },
    { address, sats: sold },
    { address: seller.address, sats: price },
    { address, sats: DUMMY_SATS },
    { address, sats: DUMMY_SATS },
  ]
  const spent = price + 2n * DUMMY_SATS + feeOf(4, 6)
  return draft(
    [spend(dummies[0]), spend(dummies[1]), listed, spend(payment)],
    [...outputs, { address, sats: payment.sats - spent }],
  )
}

/** A coin for a coin; the owner of the first pays the fee. */
export function draftSwap(mine: Coin, theirs: Coin): string {
  // Without previous transactions: a wallet that wants proof of what it spends fetches them.
  return draft(
    [spend(mine, { proof: 'output' }), spend(theirs, { proof: 'output' })],
    [
      { address: mine.owner.address, sats: theirs.sats - feeOf(2, 2) },
      { address: theirs.owner.address, sats: mine.sats },
    ],
  )
}

/** A payment to which the payee adds a coin of his own (as of BIP-78): what he gets is his coin and the sum. */
export function draftJointPayment(payer: Coin, payee: Coin, sats: bigint): string {
  return draft(
    [spend(payer), spend(payee)],
    [
      { address: payee.owner.address, sats: payee.sats + sats },
      { address: payer.owner.address, sats: payer.sats - sats - feeOf(2, 2) },
    ],
  )
}

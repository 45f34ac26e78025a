import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import {
  addInput,
  createInputSizes,
  MAX_STANDARD_WEIGHT,
  NO_INPUTS,
  weighTransaction,
  weightOf,
} from '../../bitcoin/transaction-size.ts'
import { invalidParams } from '../../provider/errors.ts'
import { takeCoins } from './coin-shortage.ts'
import type { Coin, Coins } from './coins.ts'

/**
 * Whether a coin may be merged with others: a block has it, an index said that nothing sits on it and told of no rare sats, of whatever
 * rarity, and neither a rule nor the person has decided anything about it. One that was unlocked is left alone, as what sits on it would move.
 */
export function isMergeable({ held, height, assets, choice }: Omit<Coin, 'outpoint'>): boolean {
  return (
    held === null &&
    choice === null &&
    height !== null &&
    assets.known &&
    assets.assets.length === 0 &&
    !assets.rareSats?.length
  )
}

/**
 * The coins at these outpoints that fit into one transaction that nodes relay, the smallest first; `script` is where they go, and
 * `feeRate` is in sat/vB. Throws -32602 for fewer than two, for one that may not be merged, and for one that holds no more than its input costs; COINS_HELD.
 */
export function takeMergeable(
  coins: Coins,
  outpoints: readonly string[],
  { type, script, feeRate }: { type: SpendType; script: Uint8Array; feeRate: number },
): Coin[] {
  const taken = takeCoins(coins, outpoints)
  if (taken.length < 2) throw invalidParams('coins', taken.length, 'at least two coins')
  const sizeOf = createInputSizes(type)
  for (const coin of taken) {
    if (!isMergeable(coin))
      throw invalidParams('coins', coin.outpoint, 'confirmed coins with nothing on them')
    const cost = feeForVsize(Math.ceil(weightOf(sizeOf(coin.scriptPubKey)) / 4), feeRate)
    if (coin.amount <= cost)
      throw invalidParams(
        'coins',
        coin.outpoint,
        `coins of more than ${cost} sats at this fee rate`,
      )
  }
  const weigh = weighTransaction([script])
  let inputs = NO_INPUTS
  const sorted = taken.toSorted((a, b) => (a.amount < b.amount ? -1 : a.amount > b.amount ? 1 : 0))
  const tooMany = sorted.findIndex(({ scriptPubKey }) => {
    inputs = addInput(inputs, sizeOf(scriptPubKey))
    return weigh(inputs) > MAX_STANDARD_WEIGHT
  })
  return tooMany === -1 ? sorted : sorted.slice(0, tooMany)
}

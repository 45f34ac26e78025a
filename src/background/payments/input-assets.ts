import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { CoinParts, Coins } from '../coins/coins.ts'

/** What sits on the inputs of a payment, in their order, and the numbers of inscriptions among it. */
export type InputAssets = {
  held: readonly CoinAssets[]
  numbers: ReadonlyMap<InscriptionId, number>
}

/** Of inputs that are spent already, as those of what a bump replaces, it is asked here. */
export async function loadInputAssets(
  { wallet, network, account }: PaymentContext<CoinParts>,
  inputs: readonly Utxo[],
  coins: Coins,
): Promise<InputAssets> {
  const known = new Map(coins.all.map(({ outpoint, assets }) => [outpoint, assets]))
  const others = inputs.filter(input => !known.has(formatOutpoint(input)))
  const asked =
    others.length === 0
      ? null
      : await wallet.coinAssets.classify(wallet, network, account.id, others)
  const spent = inputs.map(input => {
    const outpoint = formatOutpoint(input)
    const assets = known.get(outpoint) ?? asked?.get(outpoint) ?? UNANSWERED
    return { outpoint, amount: input.amount, assets }
  })
  const { assets, numbers } = await wallet.coinAssets.offsetsOf(wallet, network, spent)
  return { held: spent.map(coin => assets.get(coin.outpoint) ?? coin.assets), numbers }
}

const UNANSWERED: CoinAssets = { known: false, why: 'unanswered' }

import { loadCoins } from '../coins/coins.ts'
import { describeAsset } from '../review/asset-moves.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getCoins: UiMethod<'getCoins'> = async ({ wallet }) => {
  const { network, account } = await loadSelected(wallet)
  const { all } = await loadCoins(wallet, account, network)
  const { labels } = await wallet.activity.load(network, account.id)
  const outpoints = new Set(all.map(({ outpoint }) => outpoint))
  await wallet.coinChoices.tidy(network, account.id, outpoints)
  await wallet.coinAssets.tidy(network, account.id, outpoints)
  const carried = all.flatMap(({ assets }) => (assets.known ? assets.assets : []))
  const ids = carried.flatMap(asset => (asset.kind === 'inscription' ? [asset.id] : []))
  const numbers = await wallet.coinAssets.numbersOf(wallet, network, ids)
  return [...all]
    .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1))
    .map(({ outpoint, txid, amount, height, held, assets, choice }) => ({
      outpoint,
      sats: String(amount),
      height,
      held,
      assets: assets.known ? assets.assets.map(asset => describeAsset(asset, numbers)) : [],
      unchecked: assets.known ? null : assets.why,
      choice,
      label: labels[txid] ?? '',
    }))
}

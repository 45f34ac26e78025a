import { loadCoins } from '../coins.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const getCoins: UiMethod<'getCoins'> = async ({ wallet }) => {
  const { network, account } = await loadSelected(wallet)
  const { all } = await loadCoins(wallet, account, network)
  const { labels } = await wallet.activity.load(network, account.id)
  await wallet.coinChoices.tidy(network, account.id, new Set(all.map(({ outpoint }) => outpoint)))
  return [...all]
    .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1))
    .map(({ outpoint, txid, amount, height, held, choice }) => ({
      outpoint,
      sats: String(amount),
      height,
      held,
      choice,
      label: labels[txid] ?? '',
    }))
}

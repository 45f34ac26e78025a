import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Activity } from '../activity/activity.ts'
import type { CoinChoices, KnownThen } from '../coins/coin-choices.ts'
import { type CoinParts, loadCoins } from '../coins/coins.ts'
import { isMergeable } from '../coins/mergeable-coins.ts'
import { describeAsset, describeRareSats } from '../review/asset-moves.ts'
import type { UiMethods } from '../views/ui-methods.ts'
import { parseOutpointParam } from './params.ts'
import { loadSelected, type SelectionParts, type UiMethodsOf } from './ui-context.ts'

export type CoinMethodParts = CoinParts &
  SelectionParts & {
    activity: Pick<Activity, 'load'>
    coinChoices: Pick<CoinChoices, 'set' | 'tidy'>
  }

/**
 * The UTXOs of the account in use, what sits on them, and what the person decides about each. An unlocked coin stays unlocked
 * only for what the person was shown on it. Nothing is spent here.
 */
export const coinMethods = {
  async getCoins({ wallet }) {
    const { network, account } = await loadSelected(wallet)
    const { all } = await loadCoins(wallet, account, network)
    const { labels } = await wallet.activity.load(network, account.id)
    const outpoints = new Set(all.map(({ outpoint }) => outpoint))
    await wallet.coinChoices.tidy(network, account.id, outpoints)
    await wallet.coinAssets.tidy(network, account.id, outpoints)
    const onCoins = all.flatMap(({ assets }) => (assets.known ? assets.assets : []))
    const ids = onCoins.flatMap(asset => (asset.kind === 'inscription' ? [asset.id] : []))
    const numbers = await wallet.coinAssets.numbersOf(wallet, network, ids)
    return [...all]
      .sort((a, b) => (a.amount === b.amount ? 0 : a.amount > b.amount ? -1 : 1))
      .map(coin => {
        const { outpoint, amount, height, held, assets, choice } = coin
        return {
          outpoint,
          sats: String(amount),
          height,
          held,
          assets: assets.known ? assets.assets.map(asset => describeAsset(asset, numbers)) : [],
          unchecked: assets.known ? null : assets.why,
          choice,
          rareSats: describeRareSats(assets),
          mergeable: isMergeable(coin),
          label: labels[coin.txid] ?? '',
        }
      })
  },

  async setCoinChoice({ wallet }, params) {
    const { choice } = params
    if (choice !== 'locked' && choice !== 'unlocked' && choice !== null)
      throw invalidParams('choice', choice, 'locked, unlocked or nothing')
    const { network, account } = await loadSelected(wallet)
    const decision = choice && { choice, knew: contentShown(params.shown) }
    const outpoint = parseOutpointParam('outpoint', params.outpoint)
    await wallet.coinChoices.set(network, account.id, outpoint, decision)
    return null
  },

  async forgetSeenAssets({ wallet }) {
    const { network, account } = await loadSelected(wallet)
    await wallet.coinAssets.forgetSeen(network, account.id)
    return null
  },
} satisfies UiMethodsOf<CoinMethodParts>

/** What the person saw of a coin when deciding; without `shown`, a coin of unknown content. */
function contentShown(shown: Parameters<UiMethods['setCoinChoice']>[0]['shown']): KnownThen {
  if (!shown) return { why: 'unanswered' }
  if (shown.unchecked !== null) return { why: shown.unchecked }
  const sats = (shown.rareSats ?? []).map(({ sat }) => sat)
  return { assets: shown.assets.map(keyOfAsset), ...(sats.length > 0 && { sats }) }
}

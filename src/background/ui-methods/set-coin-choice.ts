import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { KnownThen } from '../coins/coin-choices.ts'
import type { CoinView } from '../views/payment-views.ts'
import { parseOutpointParam } from './read-outpoint.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod } from './ui-context.ts'

export const setCoinChoice: UiMethod<'setCoinChoice'> = async (
  { wallet },
  { outpoint, choice, shown },
) => {
  if (choice !== 'locked' && choice !== 'unlocked' && choice !== null)
    throw invalidParams('choice', choice, 'locked, unlocked or nothing')
  const { network, account } = await loadSelected(wallet)
  const decision = choice && { choice, knew: readShown(shown) }
  await wallet.coinChoices.set(
    network,
    account.id,
    parseOutpointParam('outpoint', outpoint),
    decision,
  )
  return null
}

function readShown(shown: Pick<CoinView, 'assets' | 'unchecked'> | undefined): KnownThen {
  if (!shown) return { why: 'unanswered' }
  if (shown.unchecked !== null) return { why: shown.unchecked }
  return { assets: shown.assets.map(keyOfAsset) }
}

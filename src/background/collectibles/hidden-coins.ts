import type { Network } from '../../bitcoin/network.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import type { CoinChoices, CoinDecision } from '../coins/coin-choices.ts'
import type { Sources } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { InscriptionSortingStore } from './inscription-sorting.ts'

/** The parts of the wallet that know which coins payments may spend although something is on them. */
export type HidingParts = Pick<Sources, 'assets'> & {
  coinChoices: Pick<CoinChoices, 'load' | 'set'>
  inscriptionSorting: Pick<InscriptionSortingStore, 'loadTraits'>
}

/**
 * Holds the coins of what is about to be hidden: a coin that payments were allowed to spend for what was on it is no longer, where that
 * is one of these, or a child of one, or nobody says now whose child it is.
 */
export async function holdHidden(
  wallet: HidingParts,
  account: AccountView,
  network: Network,
  { ids, children }: { ids: readonly InscriptionId[]; children: boolean },
): Promise<void> {
  const decisions = await wallet.coinChoices.load(network)
  const released = [...decisions].flatMap(([outpoint, decision]) => {
    const known = decision.choice === 'unlocked' ? inscriptionsOf(decision) : []
    return known.length > 0 ? [{ outpoint, known }] : []
  })
  const asked = children ? released.flatMap(({ known }) => known) : []
  const traits = await wallet.inscriptionSorting.loadTraits(wallet, network, asked)
  const isMeant = (id: InscriptionId) =>
    children
      ? (traits.get(id)?.parents.some(parent => ids.includes(parent)) ?? true)
      : ids.includes(id)
  for (const { outpoint, known } of released)
    if (known.some(isMeant)) await wallet.coinChoices.set(network, account.id, outpoint, null)
}

function inscriptionsOf({ knew }: CoinDecision): InscriptionId[] {
  return 'assets' in knew ? knew.assets.filter(key => parseInscriptionId(key) !== null) : []
}

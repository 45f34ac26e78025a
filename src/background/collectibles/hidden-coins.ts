import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import type { CoinChoices, CoinDecision } from '../coins/coin-choices.ts'
import type { Sources } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import { type OwnChoice, subjectsOf } from './inscription-choices.ts'
import type { InscriptionSortingStore } from './inscription-sorting.ts'
import type { InscriptionTraits } from './inscription-traits.ts'

/** The parts of the wallet that know which coins payments may spend although something is on them. */
export type HidingParts = Pick<Sources, 'assets'> & {
  coinChoices: Pick<CoinChoices, 'load' | 'set'>
  inscriptionSorting: Pick<InscriptionSortingStore, 'loadTraits'>
}

/** These inscriptions, or all children of these. */
type Hidden = { ids: readonly InscriptionId[]; children: boolean }

/**
 * Holds the coins of what is about to be hidden: a coin that payments were allowed to spend for what was on it is no longer, where that
 * is one of these, or a child of one, or nobody says now whose child it is.
 */
export async function holdHidden(
  wallet: HidingParts,
  account: AccountView,
  network: Network,
  hidden: Hidden,
): Promise<void> {
  const decisions = await wallet.coinChoices.load(network)
  const released = [...decisions.values()].filter(isRelease)
  const asked = hidden.children ? released.flatMap(inscriptionsOf) : []
  const traits = await wallet.inscriptionSorting.loadTraits(wallet, network, asked)
  for (const outpoint of listReleased(decisions, hidden, traits))
    await wallet.coinChoices.set(network, account.id, outpoint, null)
}

/** Coins that payments may spend for what was on them, where choices that come along hide that: hidden, they are held as they are without one. */
export async function listHeldAgain(
  {
    coinChoices,
    inscriptionSorting,
  }: {
    coinChoices: Pick<CoinChoices, 'load'>
    inscriptionSorting: Pick<InscriptionSortingStore, 'recallTraits'>
  },
  choices: readonly Omit<OwnChoice, 'accountId'>[],
): Promise<{ network: Network; outpoint: string }[]> {
  const held: { network: Network; outpoint: string }[] = []
  for (const network of NETWORKS) {
    const hidden = choices.filter(one => one.network === network && one.choice === 'hidden')
    if (hidden.length === 0) continue
    const { ids, parents } = subjectsOf(hidden)
    const decisions = await coinChoices.load(network)
    const traits = await inscriptionSorting.recallTraits(network)
    const outpoints = new Set([
      ...listReleased(decisions, { ids, children: false }, traits),
      ...(parents.length > 0
        ? listReleased(decisions, { ids: parents, children: true }, traits)
        : []),
    ])
    for (const outpoint of outpoints) held.push({ network, outpoint })
  }
  return held
}

/** Coins that payments may spend and that carry one of what is hidden, as far as its parents are known, or may carry one. */
function listReleased(
  decisions: ReadonlyMap<string, CoinDecision>,
  { ids, children }: Hidden,
  traits: ReadonlyMap<InscriptionId, InscriptionTraits>,
): string[] {
  const isMeant = (id: InscriptionId) =>
    children
      ? (traits.get(id)?.parents.some(parent => ids.includes(parent)) ?? true)
      : ids.includes(id)
  return [...decisions].flatMap(([outpoint, decision]) =>
    isRelease(decision) && inscriptionsOf(decision).some(isMeant) ? outpoint : [],
  )
}

function isRelease({ choice }: CoinDecision): boolean {
  return choice === 'unlocked'
}

function inscriptionsOf({ knew }: CoinDecision): InscriptionId[] {
  return 'assets' in knew ? knew.assets.filter(key => parseInscriptionId(key) !== null) : []
}

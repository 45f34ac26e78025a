import type { Network } from '../../bitcoin/network.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { Activity } from '../activity/activity.ts'
import type { Sources } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { AccountView } from '../views/account-views.ts'
import type { InscriptionGroup, InscriptionSorting, SpamReason } from '../views/asset-views.ts'
import { collectionOf, type InscriptionChoiceMap } from './inscription-choices.ts'
import type { InscriptionSortingStore } from './inscription-sorting.ts'
import type { InscriptionTraits } from './inscription-traits.ts'
import { findSpam } from './spam-rule.ts'

/** The parts of the wallet that tell which inscriptions the person wants to see. */
export type GroupingParts = Pick<Sources, 'assets'> & {
  inscriptionSorting: Pick<InscriptionSortingStore, 'load' | 'loadTraits'>
  activity: Pick<Activity, 'listUnasked'>
  settings: Pick<SettingsStore, 'load'>
}

/** An inscription of an account, and the transaction that brought it. */
type Sortable = { coin: { txid: string }; asset: { id: InscriptionId } }

/** Inscriptions by where they are listed; each of them in one group, the order kept. */
export type InscriptionGroups<T extends Sortable> = { [group in InscriptionGroup]: readonly T[] }

/** Where an account's inscriptions are listed, and why. Asks the index about those alone on which a choice or a rule hangs. */
export async function sortInscriptions(
  wallet: GroupingParts,
  account: AccountView,
  network: Network,
  held: readonly Sortable[],
): Promise<ReadonlyMap<InscriptionId, InscriptionSorting>> {
  const choices = await wallet.inscriptionSorting.load(network, account.id)
  const { sortSpam } = await wallet.settings.load()
  const unasked = sortSpam ? await wallet.activity.listUnasked(network, account.id) : new Map()
  const hasCollections = [...choices.keys()].some(subject => subject.startsWith('collection:'))
  // A copy that the person keeps or hides counts for what the others are.
  const isSorted = ({ coin, asset }: Sortable) =>
    unasked.has(coin.txid) || (hasCollections && !choices.has(asset.id))
  const asked = held.filter(isSorted).map(({ asset: { id } }) => id)
  const traits = await wallet.inscriptionSorting.loadTraits(wallet, network, asked)
  const arrivals = held.flatMap(({ coin, asset: { id } }) => {
    const recipients = unasked.get(coin.txid)
    return recipients === undefined ? [] : { id, recipients, traits: traits.get(id) }
  })
  const spam = findSpam(arrivals)
  return new Map(
    held.map(({ asset: { id } }) => [
      id,
      sortInscription(id, { choices, traits: traits.get(id), spam: spam.get(id) ?? null }),
    ]),
  )
}

/** What the person said of an inscription counts before what was said of its collection, and that before the rule for spam. */
function sortInscription(
  id: InscriptionId,
  facts: {
    choices: InscriptionChoiceMap
    traits: InscriptionTraits | undefined
    spam: SpamReason | null
  },
): InscriptionSorting {
  const { choices, traits, spam } = facts
  const own = choices.get(id)
  if (own !== undefined)
    return own === 'hidden' ? { group: 'hidden', why: 'chosen' } : { group: 'shown', why: null }
  const isOfHidden = traits?.parents.some(parent => choices.get(collectionOf(parent)) === 'hidden')
  if (isOfHidden) return { group: 'hidden', why: 'collection' }
  return spam === null ? { group: 'shown', why: null } : { group: 'spam', why: spam }
}

/** Puts inscriptions where they belong. */
export function groupInscriptions<T extends Sortable>(
  held: readonly T[],
  sortings: ReadonlyMap<InscriptionId, InscriptionSorting>,
): InscriptionGroups<T> {
  const of = (group: InscriptionGroup) =>
    held.filter(({ asset: { id } }) => (sortings.get(id)?.group ?? 'shown') === group)
  return { shown: of('shown'), hidden: of('hidden'), spam: of('spam') }
}

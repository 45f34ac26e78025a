import { NETWORKS, type Network } from '../../bitcoin/network.ts'
import { listReleased } from '../collectibles/hidden-coins.ts'
import { subjectsOf } from '../collectibles/inscription-choices.ts'
import type { BackupContents } from './backup-contents.ts'
import type { BackupParts } from './collect-contents.ts'

/** Coins that payments may spend for what was on them, where a restore hides that: hidden, they are held as they are without one. */
export async function listHeldAgain(
  { coinChoices, inscriptionSorting }: Pick<BackupParts, 'coinChoices' | 'inscriptionSorting'>,
  restored: BackupContents['inscriptions'],
): Promise<{ network: Network; outpoint: string }[]> {
  const held: { network: Network; outpoint: string }[] = []
  for (const network of NETWORKS) {
    const hidden = restored.filter(one => one.network === network && one.choice === 'hidden')
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

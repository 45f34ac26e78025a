import type { AssetView, InscriptionView } from '../../../background/ui-methods/asset-views.ts'

/** What is chosen to be sent, by id, in the order in which it was chosen. */
export type Chosen = ReadonlyMap<string, InscriptionView>

/** Why an inscription cannot be sent now; null when it can. */
export function obstacleOf({
  proof,
  held,
}: Pick<InscriptionView, 'proof' | 'held'>): 'contradicted' | 'reserved' | 'locked' | null {
  return proof === 'contradicted' ? 'contradicted' : held
}

export function toggleChosen(chosen: Chosen, inscription: InscriptionView): Chosen {
  const next = new Map(chosen)
  if (!next.delete(inscription.id) && obstacleOf(inscription) === null)
    next.set(inscription.id, inscription)
  return next
}

/** The chosen with what is known of them now; those that cannot be sent any more are chosen no more. */
export function refreshChosen(chosen: Chosen, known: Iterable<InscriptionView>): Chosen {
  const next = new Map(chosen)
  for (const inscription of known) {
    if (!next.has(inscription.id)) continue
    if (obstacleOf(inscription) === null) next.set(inscription.id, inscription)
    else next.delete(inscription.id)
  }
  return next
}

/** What else sits on the coins of these and so goes where they go; each once. */
export function listCompanions(inscriptions: readonly InscriptionView[]): AssetView[] {
  const ids = new Set(inscriptions.map(({ id }) => id))
  const coins = new Map(inscriptions.map(inscription => [inscription.outpoint, inscription]))
  return [...coins.values()].flatMap(({ companions }) =>
    companions.filter(companion => companion.kind === 'rune' || !ids.has(companion.id)),
  )
}

/** A coin of these on which an inscription sits that is not among them; null when there is none. */
export function findShared(inscriptions: readonly InscriptionView[]): string | null {
  const ids = new Set(inscriptions.map(({ id }) => id))
  const shared = inscriptions.find(({ companions }) =>
    companions.some(companion => companion.kind === 'inscription' && !ids.has(companion.id)),
  )
  return shared?.outpoint ?? null
}

/** Sats of the coins that these sit on, each coin once. */
export function sumPostage(inscriptions: readonly InscriptionView[]): bigint {
  const coins = new Map(inscriptions.map(({ outpoint, sats }) => [outpoint, BigInt(sats)]))
  return [...coins.values()].reduce((sum, sats) => sum + sats, 0n)
}

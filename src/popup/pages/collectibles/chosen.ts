import type {
  AssetView,
  AtomicalView,
  InscriptionDetail,
  InscriptionProof,
  InscriptionView,
} from '../../../background/views/asset-views.ts'
import { type AssetKey, keyOfAsset } from '../../../ordinals/asset-key.ts'

/** What is chosen to be sent, by id, in the order in which it was chosen. */
export type Chosen<T = InscriptionView> = ReadonlyMap<string, T>

type Choosable = {
  id: string
  held: InscriptionView['held']
  /** Atomicals have none. */
  proof?: InscriptionProof | undefined
}

/** Why it cannot be sent now; null when it can. */
export function obstacleOf({
  proof,
  held,
}: Pick<Choosable, 'proof' | 'held'>): 'contradicted' | 'reserved' | 'locked' | null {
  return proof === 'contradicted' ? 'contradicted' : held
}

/** What to say of the sats that a burn destroys; null where it cannot be burned as it is. */
export function burnNoteOf(
  one: Pick<InscriptionDetail, 'proof' | 'held' | 'companions' | 'rareSats' | 'offset'>,
): 'burnSatsOne' | 'burnSatsNote' | null {
  if (obstacleOf(one) !== null || one.companions.length > 0 || one.rareSats.length > 0) return null
  return one.offset === '0' ? 'burnSatsOne' : 'burnSatsNote'
}

/** Whether it can be sent now. */
export function isSendable(one: Choosable): boolean {
  return obstacleOf(one) === null
}

/** Adds it, or takes it off; what cannot be chosen is never added. */
export function toggleChosen<T extends Choosable>(
  chosen: Chosen<T>,
  one: T,
  { isChoosable = isSendable }: { isChoosable?: (one: T) => boolean } = {},
): Chosen<T> {
  const next = new Map(chosen)
  if (!next.delete(one.id) && isChoosable(one)) next.set(one.id, one)
  return next
}

/** The chosen with what is known of them now; those that cannot be chosen any more are not. */
export function refreshChosen<T extends Choosable>(
  chosen: Chosen<T>,
  known: Iterable<T>,
  isChoosable: (one: T) => boolean = isSendable,
): Chosen<T> {
  const next = new Map(chosen)
  for (const one of known) {
    if (!next.has(one.id)) continue
    if (isChoosable(one)) next.set(one.id, one)
    else next.delete(one.id)
  }
  return next
}

/** Something that is sent as a whole, and the coin that it is on. */
export type Movable = {
  asset: Extract<AssetView, { kind: 'inscription' | 'atomical' }>
  outpoint: string
  sats: string
  /** Other assets on the same coin. */
  companions: AssetView[]
}

export function movableInscription(inscription: InscriptionView): Movable {
  const { id, number, outpoint, sats, companions } = inscription
  return { asset: { kind: 'inscription', id, number }, outpoint, sats, companions }
}

export function movableAtomical(atomical: AtomicalView): Movable {
  const { id, number, name, outpoint, sats, companions } = atomical
  const asset = { kind: 'atomical', type: 'nft', id, number, name, amount: '1' } as const
  return { asset, outpoint, sats, companions }
}

/** What else sits on the coins of these and so goes where they go; each once. */
export function listCompanions(movables: readonly Movable[]): AssetView[] {
  const keys = keysOf(movables)
  const coins = new Map(movables.map(movable => [movable.outpoint, movable]))
  return [...coins.values()].flatMap(({ companions }) =>
    companions.filter(companion => !keys.has(keyOfAsset(companion))),
  )
}

/** A coin of inscriptions among these on which another sits that is not among them; null when there is none. */
export function findShared(movables: readonly Movable[]): string | null {
  const keys = keysOf(movables)
  const shared = movables.find(
    ({ asset, companions }) =>
      asset.kind === 'inscription' &&
      companions.some(
        companion => companion.kind === 'inscription' && !keys.has(keyOfAsset(companion)),
      ),
  )
  return shared?.outpoint ?? null
}

function keysOf(movables: readonly Movable[]): ReadonlySet<AssetKey> {
  return new Set(movables.map(({ asset }) => keyOfAsset(asset)))
}

/** Sats of the coins that these sit on, each coin once. */
export function sumPostage(movables: readonly Movable[]): bigint {
  const coins = new Map(movables.map(({ outpoint, sats }) => [outpoint, BigInt(sats)]))
  return [...coins.values()].reduce((sum, sats) => sum + sats, 0n)
}

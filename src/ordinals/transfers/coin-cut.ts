import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import { inputSizeOf, weightOf } from '../../bitcoin/transaction-size.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { Asset, InscriptionAsset } from '../asset.ts'
import type { AssetKey } from '../asset-key.ts'
import type { AtomicalId } from '../atomical-id.ts'
import type { InscriptionId } from '../inscription-id.ts'

/** A coin and all that sits on it. */
export type AssetCoin = Utxo & { assets: readonly Asset[] }

/** Where a sat lies is not known, so that no cut is safe. */
export class UnplacedInscriptionError extends Error {
  override name = 'UnplacedInscriptionError'
  readonly id: InscriptionId
  constructor(id: InscriptionId) {
    super(`Nobody has said on which sat inscription ${id} is`)
    this.id = id
  }
}

/** Atomicals do not follow sats: a coin that holds one moves as a whole. */
export class UncutAtomicalError extends Error {
  override name = 'UncutAtomicalError'
  readonly id: AtomicalId
  constructor(id: AtomicalId) {
    super(`A coin that holds Atomical ${id} is not cut`)
    this.id = id
  }
}

/** What must not be cut apart, everything from the first of these sats to the last; `leaves` when it goes to another owner. */
type Parcel = { first: bigint; last: bigint; leaves: boolean }

/** Consecutive sats for one output, and the inscribed ones among them; null for none. */
export type Segment = { sats: bigint; holds: Parcel | null }

/** How a coin is cut: `front` is the clean coin before it, if one is needed. */
export type Cut = { front: Utxo | null; segments: Segment[] }

/**
 * Cuts a coin so that inscriptions that leave and ones that stay lie in segments of their own, or with `apart` every
 * inscribed sat does, as far as no segment gets less than `least` sats. What cannot be cut apart leaves together. Clean
 * stretches that are worth an output become segments that stay, except the last, which is the change. The last segment may
 * reach behind the coin. A clean coin in front is used when it gives more room, or keeps runes, which all go to the first
 * output. Throws {@link UnplacedInscriptionError}, {@link UncutAtomicalError}.
 */
export function cutCoin(params: {
  coin: AssetCoin
  leaving: ReadonlySet<AssetKey>
  apart: boolean
  least: bigint
  /** Clean coins, of which one may be put in front. */
  clean: readonly Utxo[]
  feeRate: number
}): Cut {
  const { coin, apart, least, clean, feeRate } = params
  const atomical = coin.assets.find(asset => asset.kind === 'atomical')
  if (atomical) throw new UncutAtomicalError(atomical.id)
  const marks = listMarks(params)
  const worth = least + costOfOutput(coin.scriptPubKey, feeRate)
  const terms = { amount: coin.amount, apart, least, worth }
  const plain: Cut = { front: null, segments: layAll(marks, 0n, terms) }
  const front = clean
    .filter(({ amount }) => amount >= worth)
    .reduce<Utxo | null>((best, one) => (best && best.amount <= one.amount ? best : one), null)
  if (!front) return plain
  const padded: Cut = { front, segments: layAll(marks, front.amount, terms) }
  const isBetter = countParcels(padded) > countParcels(plain) || (mixes(plain) && !mixes(padded))
  return isBetter ? padded : plain

  /** Whether runes, which go to the first output, come to where they should not. */
  function mixes({ segments: [first] }: Cut): boolean {
    return isRunic(coin) && !!first?.holds && (apart || first.holds.leaves)
  }
}

export function isRunic({ assets }: AssetCoin): boolean {
  return assets.some(({ kind }) => kind === 'rune')
}

export function countParcels({ segments }: Cut): number {
  return segments.filter(({ holds }) => holds).length
}

/** The inscribed sats in their order, each with all that is on it. */
function listMarks({
  coin,
  leaving,
}: {
  coin: AssetCoin
  leaving: ReadonlySet<AssetKey>
}): Parcel[] {
  const marks = coin.assets
    .filter((asset): asset is InscriptionAsset => asset.kind === 'inscription')
    .map(({ id, offset }): Parcel => {
      if (offset === null) throw new UnplacedInscriptionError(id)
      return { first: offset, last: offset, leaves: leaving.has(id) }
    })
    .sort((a, b) => (a.first < b.first ? -1 : Number(a.first > b.first)))
  const places: Parcel[] = []
  for (const mark of marks) {
    const before = places.at(-1)
    const isSame = before?.first === mark.first
    places.splice(isSame ? -1 : places.length, 1, isSame ? join(before, mark) : mark)
  }
  return places
}

type Terms = { amount: bigint; apart: boolean; least: bigint; worth: bigint }

/** Lays the marks out behind `front` clean sats, tying two together wherever there is no room between them, until all have room. */
function layAll(marks: readonly Parcel[], front: bigint, terms: Terms): Segment[] {
  let rest = [...marks]
  for (;;) {
    const groups = groupMarks(rest, terms)
    const laid = lay(
      groups.map(group => group.reduce(join)),
      front,
      terms,
    )
    if (Array.isArray(laid)) return laid
    const at = groups.slice(0, laid.at + 1).flat().length - 1
    const [tight, next] = rest.slice(at)
    if (!tight || !next) throw new Error('coin cut: the last parcel always has room')
    rest = rest.toSpliced(at, 2, join(tight, next))
  }
}

/** Neighbours that may be in one segment: those that stay, and those that leave with little between them. */
function groupMarks(marks: readonly Parcel[], { apart, least, worth }: Terms): Parcel[][] {
  const groups: Parcel[][] = []
  for (const mark of marks) {
    const group = groups.at(-1)
    const before = group?.at(-1)
    const isWithin =
      before?.leaves === mark.leaves && (!mark.leaves || mark.first - before.last < least + worth)
    if (group && isWithin && !apart) group.push(mark)
    else groups.push([mark])
  }
  return groups
}

/** The segments from the first sat to the end of the last parcel; or which parcel has no room before the next one. */
function lay(
  parcels: readonly Parcel[],
  front: bigint,
  { amount, least, worth }: Terms,
): Segment[] | { at: number } {
  const segments: Segment[] = []
  let place = -front
  for (const [at, holds] of parcels.entries()) {
    const { first, last } = holds
    const next = parcels[at + 1]?.first
    // As late as this parcel and the one behind it allow; what is between stays, in an output of its own where that is worth it.
    const latest = smaller(first, (next ?? amount) - least)
    const gap = latest - place
    const before = segments.at(-1)
    if (gap >= worth) {
      segments.push({ sats: gap, holds: null })
      place = latest
    } else if (gap > 0n && before && !before.holds?.leaves) {
      before.sats += gap
      place = latest
    }
    const end = larger(last + 1n, place + least)
    if (next !== undefined && end > next) return { at }
    segments.push({ sats: end - place, holds })
    place = end
  }
  return segments
}

function join(a: Parcel, b: Parcel): Parcel {
  return { first: a.first, last: b.last, leaves: a.leaves || b.leaves }
}

/** Sats that one more output of the account takes: its bytes now, and those of the input that spends it one day. */
export function costOfOutput(script: Uint8Array, feeRate: number): bigint {
  const inputVsize = Math.ceil(weightOf(inputSizeOf(script)) / 4)
  return feeForVsize(8 + 1 + script.length + inputVsize, feeRate)
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

import type { Asset, CoinAssets } from '../ordinals/asset.ts'
import type { AssetMove } from '../ordinals/asset-flow.ts'
import type { InscriptionId } from '../ordinals/inscription-id.ts'
import type { RuneId } from '../ordinals/runestone.ts'

/** An asset as JSON: sats and amounts as decimal strings. */
export type StoredAsset =
  | { kind: 'inscription'; id: InscriptionId; offset: string | null }
  | {
      kind: 'rune'
      name: string
      rune: RuneId | null
      amount: string
      divisibility: number
      symbol: string | null
    }

/** What lands on the outputs of a transaction, by their index; the others are clean. */
export type Carried = { [output: string]: StoredAsset[] }

export function encodeAsset(asset: Asset): StoredAsset {
  if (asset.kind === 'rune') return { ...asset, amount: String(asset.amount) }
  return { ...asset, offset: asset.offset === null ? null : String(asset.offset) }
}

export function decodeAsset(stored: StoredAsset): Asset {
  if (stored.kind === 'rune') return { ...stored, amount: BigInt(stored.amount) }
  return { ...stored, offset: stored.offset === null ? null : BigInt(stored.offset) }
}

/** What an asset is known by, in what is shown too: the id of an inscription, the name of a rune. */
export function keyOfAsset(
  asset: { kind: 'inscription'; id: InscriptionId } | { kind: 'rune'; name: string },
): string {
  return asset.kind === 'inscription' ? asset.id : asset.name
}

/** Each asset once, with its offset where one of the two lists has it. */
export function mergeAssets(assets: readonly Asset[], others: readonly Asset[]): Asset[] {
  const merged = new Map(assets.map(asset => [keyOfAsset(asset), asset]))
  for (const asset of others) {
    const known = merged.get(keyOfAsset(asset))
    if (!known || (known.kind === 'inscription' && known.offset === null))
      merged.set(keyOfAsset(asset), asset)
  }
  return [...merged.values()]
}

/**
 * What the outputs of a transaction carry. Null where something of that is not known, so that nothing is taken for clean,
 * and where some of it is lost: with nothing carried, nothing was on the inputs.
 */
export function describeCarried(
  inputs: readonly CoinAssets[],
  moves: readonly AssetMove[],
): Carried | null {
  if (inputs.some(({ known }) => !known)) return null
  const carried: { [output: string]: Asset[] } = {}
  for (const { asset, to } of moves) {
    if (to.kind !== 'output') return null
    const placed = asset.kind === 'rune' ? asset : { ...asset, offset: to.offset }
    carried[to.output] = mergeAssets(carried[to.output] ?? [], [placed])
  }
  return Object.fromEntries(
    Object.entries(carried).map(([output, assets]) => [output, assets.map(encodeAsset)]),
  )
}

/** The same by outpoint, once the transaction has its id. */
export function placeCarried(
  txid: string,
  carried: Carried,
): { [outpoint: string]: StoredAsset[] } {
  return Object.fromEntries(
    Object.entries(carried).map(([output, assets]) => [`${txid}:${output}`, assets]),
  )
}

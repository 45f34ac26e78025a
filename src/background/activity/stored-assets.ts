import type { Asset, AtomicalAsset, CoinAssets } from '../../ordinals/asset.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import type { AssetMove } from '../../ordinals/flow/asset-flow.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { RuneId } from '../../ordinals/rune-id.ts'

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
  | (Omit<AtomicalAsset, 'amount'> & { amount: string })

/** What lands on the outputs of a transaction, by their index; the others are clean. */
export type OutputAssets = { [output: string]: StoredAsset[] }

/** The asset as JSON: amounts and offsets as decimal strings. */
export function encodeAsset(asset: Asset): StoredAsset {
  if (asset.kind !== 'inscription') return { ...asset, amount: String(asset.amount) }
  return { ...asset, offset: asset.offset === null ? null : String(asset.offset) }
}

export function decodeAsset(stored: StoredAsset): Asset {
  if (stored.kind !== 'inscription') return { ...stored, amount: BigInt(stored.amount) }
  return { ...stored, offset: stored.offset === null ? null : BigInt(stored.offset) }
}

/** Each asset once, with its offset where one of the two lists has it; of an Atomical what the second says. */
export function mergeAssets(assets: readonly Asset[], others: readonly Asset[]): Asset[] {
  const merged = new Map(assets.map(asset => [keyOfAsset(asset), asset]))
  for (const asset of others) {
    const known = merged.get(keyOfAsset(asset))
    const isUnplaced = known?.kind === 'inscription' && known.offset === null
    if (!known || isUnplaced || asset.kind === 'atomical') merged.set(keyOfAsset(asset), asset)
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
): OutputAssets | null {
  if (inputs.some(({ known }) => !known)) return null
  const carried: { [output: string]: Asset[] } = {}
  for (const { asset, to } of moves) {
    if (to.kind !== 'output') return null
    const placed = asset.kind === 'inscription' ? { ...asset, offset: to.offset } : asset
    carried[to.output] = addAsset(carried[to.output] ?? [], placed)
  }
  return Object.fromEntries(
    Object.entries(carried).map(([output, assets]) => [output, assets.map(encodeAsset)]),
  )
}

/** Amounts of the same rune or token, from different inputs, add up. */
function addAsset(assets: readonly Asset[], added: Asset): Asset[] {
  const key = keyOfAsset(added)
  const known = assets.find(asset => keyOfAsset(asset) === key)
  if (!known || known.kind === 'inscription' || added.kind === 'inscription')
    return mergeAssets(assets, [added])
  const sum = { ...known, amount: known.amount + added.amount }
  return assets.map(asset => (asset === known ? sum : asset))
}

/** The same by outpoint, once the transaction has its id. */
export function assetsByOutpoint(
  txid: string,
  carried: OutputAssets,
): { [outpoint: string]: StoredAsset[] } {
  return Object.fromEntries(
    Object.entries(carried).map(([output, assets]) => [`${txid}:${output}`, assets]),
  )
}

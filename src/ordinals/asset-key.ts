import type { AtomicalId } from './atomical-id.ts'
import type { InscriptionId } from './inscription-id.ts'

/** What an asset is known by: the id of an inscription, the id of an Atomical with `-Atomicals` behind it, the name of a rune. */
export type AssetKey = string

const ATOMICALS = '-Atomicals'

export function keyOfAsset(
  asset:
    | { kind: 'inscription'; id: InscriptionId }
    | { kind: 'atomical'; id: AtomicalId }
    | { kind: 'rune'; name: string },
): AssetKey {
  if (asset.kind === 'rune') return asset.name
  return asset.kind === 'atomical' ? keyOfAtomical(asset.id) : asset.id
}

export function keyOfAtomical(id: AtomicalId): AssetKey {
  return `${id}${ATOMICALS}`
}

/** The id in the key of an Atomical; null for other keys. */
export function atomicalOfKey(key: AssetKey): AtomicalId | null {
  return key.endsWith(ATOMICALS) ? key.slice(0, -ATOMICALS.length) : null
}

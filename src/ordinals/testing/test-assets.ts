import type { Asset } from '../asset.ts'
import type { AssetKey } from '../asset-key.ts'

/** Ids of made-up inscriptions. */
export function idOf(n: number): string {
  return `${n.toString(16).padStart(64, '0')}i0`
}

export function inscription(n: number, offset: bigint | null): Asset & { kind: 'inscription' } {
  return { kind: 'inscription', id: idOf(n), offset }
}

export const RUNES: Asset = {
  kind: 'rune',
  name: 'SOME•RUNE',
  rune: '840000:1',
  amount: 21n,
  divisibility: 0,
  symbol: null,
}

/** All of these to one receiver. */
export function allTo(to: Uint8Array, keys: Iterable<AssetKey>): Map<AssetKey, Uint8Array> {
  return new Map([...keys].map(key => [key, to]))
}

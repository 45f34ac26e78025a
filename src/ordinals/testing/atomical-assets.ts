import type { AtomicalAsset } from '../asset.ts'

/** Ids of made-up Atomicals; by their bytes they are in the order of their numbers up to 255. */
export function atomicalIdOf(n: number): string {
  return `${'00'.repeat(31)}${n.toString(16).padStart(2, '0')}i0`
}

export function nftOf(n: number): AtomicalAsset {
  return { kind: 'atomical', id: atomicalIdOf(n), type: 'nft', number: n, name: null, amount: 1n }
}

export function tokenOf(n: number, amount: bigint): AtomicalAsset {
  return { kind: 'atomical', id: atomicalIdOf(n), type: 'ft', number: n, name: null, amount }
}

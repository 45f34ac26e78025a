import type { Network } from '../../bitcoin/network.ts'
import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import type { Activity } from '../activity/activity.ts'
import { decodeAsset, mergeAssets } from '../activity/stored-assets.ts'

/** What is known of the content of a coin. */
export type CoinEvidence = {
  /** The word of the index. */
  told: CoinAssets
  /** What this wallet itself put on it; null for coins that it did not make, or not of coins that it knew. */
  traced: readonly Asset[] | null
  /** What was once said to be on it; none where the transaction that created it shows that there may be something; null for nothing. */
  seen: readonly Asset[] | null
}

/** What counts as being on a coin: evidence against the word of the index tightens, and never loosens. */
export function reconcileCoinAssets({ told, traced, seen }: CoinEvidence): CoinAssets {
  if (!traced && !seen) return told
  const expected = mergeAssets(traced ?? [], seen ?? [])
  const isSuspect = seen !== null || expected.length > 0
  if (told.known) {
    if (told.assets.length === 0 && isSuspect) return CONTRADICTED
    return { known: true, assets: mergeAssets(expected, told.assets) }
  }
  if (told.why === 'contradicted') return CONTRADICTED
  if (expected.length > 0) return { known: true, assets: expected }
  return isSuspect ? CONTRADICTED : { known: true, assets: [] }
}

const CONTRADICTED: CoinAssets = { known: false, why: 'contradicted' }

/** What this wallet put on the coins that it made for an account, by outpoint; and on those that it spent, if that was nothing. */
export async function loadTraces(
  wallet: { activity: Pick<Activity, 'listOpen'> },
  network: Network,
  accountId: string,
): Promise<ReadonlyMap<string, readonly Asset[]>> {
  const traces = new Map<string, readonly Asset[]>()
  for (const { spends, creates, carries } of await wallet.activity.listOpen(network, accountId)) {
    if (!carries) continue
    const isPlain = Object.keys(carries).length === 0
    for (const outpoint of isPlain ? [...spends, ...creates] : creates) traces.set(outpoint, [])
    for (const [outpoint, assets] of Object.entries(carries))
      traces.set(outpoint, assets.map(decodeAsset))
  }
  return traces
}

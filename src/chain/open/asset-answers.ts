import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import { type AssetKey, keyOfAsset } from '../../ordinals/asset-key.ts'
import type { RareSat } from '../../ordinals/sats/rare-sats.ts'
import { BackendUnavailableError } from '../chain-source.ts'

/** The answers of two servers that are asked of the same coins. */

export const UNANSWERED: CoinAssets = { known: false, why: 'unanswered' }
export const CONTRADICTED: CoinAssets = { known: false, why: 'contradicted' }

/** Both answers, null for one that fails; throws when both do. */
export async function settleBoth<T, U>(
  first: Promise<T>,
  second: Promise<U>,
): Promise<[T | null, U | null]> {
  const [answer, other] = await Promise.allSettled([first, second])
  for (const one of [answer, other]) {
    const isBug = one.status === 'rejected' && !(one.reason instanceof BackendUnavailableError)
    if (isBug) throw one.reason
  }
  if (answer.status === 'rejected' && other.status === 'rejected') throw answer.reason
  return [answerOf(answer), answerOf(other)]
}

/** What two answers name of each coin, each as `join` has it; a coin that one says nothing of is unanswered there. */
export function joinAnswers(
  coins: readonly { outpoint: string }[],
  answers: ReadonlyMap<string, CoinAssets> | null,
  others: ReadonlyMap<string, CoinAssets> | null,
  join: (answer: CoinAssets, other: CoinAssets) => CoinAssets,
): Map<string, CoinAssets> {
  return new Map(
    coins.map(({ outpoint }) => [
      outpoint,
      join(answers?.get(outpoint) ?? UNANSWERED, others?.get(outpoint) ?? UNANSWERED),
    ]),
  )
}

/**
 * What either names; where one gives no answer, what the other names still counts and nothing is clean, and where one is
 * contradicted, so are both.
 */
export function uniteAnswers(answer: CoinAssets, other: CoinAssets): CoinAssets {
  if (answer.known && other.known) {
    return {
      ...{ known: true, assets: uniteAssets(answer.assets, other.assets) },
      ...uniteRareSats(answer.rareSats, other.rareSats),
    }
  }
  if (isContradicted(answer) || isContradicted(other)) return CONTRADICTED
  const [named] = [answer, other].filter(one => one.known && one.assets.length > 0)
  return named ?? (answer.known ? other : answer)
}

/** Those that either tells of. */
function uniteRareSats(
  rare: readonly RareSat[] = [],
  others: readonly RareSat[] = [],
): { rareSats?: readonly RareSat[] } {
  const united = new Map([...others, ...rare].map(one => [one.sat, one]))
  return united.size > 0 ? { rareSats: [...united.values()] } : {}
}

function isContradicted(one: CoinAssets): boolean {
  return !one.known && one.why === 'contradicted'
}

/** All that either names; of units that both name, the larger amount. */
function uniteAssets(assets: readonly Asset[], others: readonly Asset[]): readonly Asset[] {
  const united = new Map<AssetKey, Asset>(assets.map(asset => [keyOfAsset(asset), asset]))
  for (const other of others) {
    const key = keyOfAsset(other)
    const asset = united.get(key)
    if (!asset || amountOf(asset) < amountOf(other)) united.set(key, other)
  }
  return [...united.values()]
}

function amountOf(asset: Asset): bigint {
  return asset.kind === 'inscription' ? 0n : asset.amount
}

function answerOf<T>(outcome: PromiseSettledResult<T>): T | null {
  return outcome.status === 'fulfilled' ? outcome.value : null
}

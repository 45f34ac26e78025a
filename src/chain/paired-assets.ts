import type { Asset, CoinAssets } from '../ordinals/asset.ts'
import type { AssetSource } from './asset-source.ts'
import { BackendUnavailableError } from './chain-source.ts'

/**
 * Two indexes as one that nobody can fool alone.
 * - A coin is clean only if both say so. What either names is there; where the other calls the coin clean, that is `contradicted`.
 * - Where one gives no answer, what the other names still counts, and nothing is clean.
 * - Inscriptions are placed where both place them: one that they place differently is left out. Content, and what only one
 *   of them knows, comes from that one.
 */
export function createPairedAssets(first: AssetSource, second: AssetSource): AssetSource {
  return {
    network: first.network,
    /** The lower one: further than that, they have not both got. */
    async fetchTip() {
      const [tip, other] = await Promise.all([first.fetchTip(), second.fetchTip()])
      return tip.height < other.height ? tip : other
    },
    async fetchAssets(coins) {
      const [told, others] = await askBoth(source => source.fetchAssets(coins))
      return new Map(
        coins.map(({ outpoint }) => [
          outpoint,
          join(told?.get(outpoint) ?? UNANSWERED, others?.get(outpoint) ?? UNANSWERED),
        ]),
      )
    },
    async fetchInscriptions(ids) {
      const [told, others] = await askBoth(source => source.fetchInscriptions(ids))
      const all = new Map([...(others ?? []), ...(told ?? [])])
      for (const [id, { satpoint }] of all) {
        const other = others?.get(id)?.satpoint ?? satpoint
        if (other.outpoint !== satpoint.outpoint || other.offset !== satpoint.offset) all.delete(id)
      }
      return all
    },
    fetchContent: (id, maxBytes) => askInTurn(source => source.fetchContent(id, maxBytes)),
    fetchRuneId: name => askInTurn(source => source.fetchRuneId(name)),
  }

  /** Both answers, null for one that fails; throws when both do. */
  async function askBoth<T>(
    ask: (source: AssetSource) => Promise<T>,
  ): Promise<[T | null, T | null]> {
    const [told, other] = await Promise.allSettled([ask(first), ask(second)])
    for (const one of [told, other]) {
      const isBug = one.status === 'rejected' && !(one.reason instanceof BackendUnavailableError)
      if (isBug) throw one.reason
    }
    if (told.status === 'rejected' && other.status === 'rejected') throw told.reason
    return [answerOf(told), answerOf(other)]
  }

  /** The second one's answer where the first has none. */
  async function askInTurn<T>(ask: (source: AssetSource) => Promise<T | null>): Promise<T | null> {
    const told = await ask(first).catch(cause => {
      if (cause instanceof BackendUnavailableError) return cause
      throw cause
    })
    if (!(told instanceof BackendUnavailableError) && told !== null) return told
    return ask(second).catch(cause => {
      throw told ?? cause
    })
  }
}

const UNANSWERED: CoinAssets = { known: false, why: 'unanswered' }
const CONTRADICTED: CoinAssets = { known: false, why: 'contradicted' }

function join(told: CoinAssets, other: CoinAssets): CoinAssets {
  if (!told.known || !other.known) {
    const [named] = [told, other].filter(one => one.known && one.assets.length > 0)
    if (isContradicted(told) || isContradicted(other)) return CONTRADICTED
    return named ?? (told.known ? other : told)
  }
  const isClean = (one: { assets: readonly Asset[] }) => one.assets.length === 0
  if (isClean(told) !== isClean(other)) return CONTRADICTED
  return { known: true, assets: unite(told.assets, other.assets) }
}

function isContradicted(one: CoinAssets): boolean {
  return !one.known && one.why === 'contradicted'
}

/** All that either names; of a rune that both name, the larger amount. */
function unite(assets: readonly Asset[], others: readonly Asset[]): readonly Asset[] {
  const united = new Map(assets.map(asset => [nameOf(asset), asset]))
  for (const other of others) {
    const name = nameOf(other)
    const asset = united.get(name)
    if (!asset || amountOf(asset) < amountOf(other)) united.set(name, other)
  }
  return [...united.values()]
}

function nameOf(asset: Asset): string {
  return asset.kind === 'rune' ? asset.name : asset.id
}

function amountOf(asset: Asset): bigint {
  return asset.kind === 'rune' ? asset.amount : 0n
}

function answerOf<T>(outcome: PromiseSettledResult<T>): T | null {
  return outcome.status === 'fulfilled' ? outcome.value : null
}

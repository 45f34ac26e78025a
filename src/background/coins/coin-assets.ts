import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { InscriptionFacts } from '../../chain/asset-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { RuneId } from '../../ordinals/rune-id.ts'
import { unauthorized } from '../../provider/errors.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { HasEnded } from '../accounts/ended-accounts.ts'
import type { Activity } from '../activity/activity.ts'
import {
  decodeAsset,
  encodeAsset,
  mergeAssets,
  type StoredAsset,
} from '../activity/stored-assets.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'
import type { Sources } from '../settings/servers.ts'
import { createCoinAssetsCache } from './coin-assets-cache.ts'
import { createOutpointNotes } from './outpoint-notes.ts'
import { createUndeclaredAssets } from './undeclared-assets.ts'

/** What an index once said is on a coin; empty where only its own transaction shows that there may be something. */
type Seen = { assets: StoredAsset[] }

type AssetParts = Pick<Sources, 'assets' | 'chain'> & { activity: Pick<Activity, 'listOpen'> }

/** Of those inscriptions that an index has told the number of. */
export type InscriptionNumbers = ReadonlyMap<InscriptionId, number>

/** Coins of which it is remembered what was on them, of each network, and how much of it. */
const MAX_SEEN = 10_000
const MAX_SEEN_ON_COIN = 50

/** Inscriptions that are asked for at once: of a transfer of a hundred coins with several on each, and for a list. */
const MAX_PLACED = 2_000
const MAX_NUMBERED = 200

/** Runes that are asked for at the same time. */
const CONCURRENCY = 8

/**
 * What sits on the wallet's coins: the word of the index, held against what else is known. Answers of the index are kept in
 * session storage; what it once said to be on a coin is believed for good, and kept in local storage.
 */
export function createCoinAssetStore({
  local,
  session,
  now,
  hasEnded = () => false,
}: {
  local: StorageArea
  session: StorageArea
  now(): number
  hasEnded?: HasEnded
}) {
  const seen = createOutpointNotes<Seen>({
    ...{ local, now, storageKey: 'seenAssets', most: MAX_SEEN },
    // What strangers send later displaces nothing, and nothing is written anew with each look.
    whenFull: 'drop-newest',
  })
  const answers = createCoinAssetsCache({ session, now })
  const numbers = new Map<InscriptionId, number>()
  const undeclared = createUndeclaredAssets()
  /** Rises with each `forget`: an answer to a question from before is not noted. */
  let era = 0

  return {
    /** What sits on coins of an account, by outpoint: each has an answer, whatever the index does. */
    classify: reconciling(answers.ask),

    /**
     * The same, asked anew. Where the index does not answer now, that is the answer: the caller knows what it was when the
     * coin was chosen.
     */
    recheck: reconciling(answers.askAnew),

    /**
     * The assets of these coins with what lists of them leave out, where the index tells it: the sat of each inscription within
     * the coin, its number in `numbers`, and the id of each rune. As given where it does not answer.
     */
    async complete(
      wallet: AssetParts,
      network: Network,
      coins: readonly { outpoint: string; amount: bigint; assets: CoinAssets }[],
    ): Promise<{
      assets: ReadonlyMap<string, CoinAssets>
      numbers: ReadonlyMap<InscriptionId, number>
    }> {
      const isWhole = (asset: Asset) =>
        asset.kind === 'inscription' && asset.offset !== null && numbers.has(asset.id)
      const ids = coins.flatMap(({ assets }) =>
        assets.known
          ? assets.assets.flatMap(one => (isWhole(one) ? [] : idOfInscription(one)))
          : [],
      )
      const [facts, runes] = await Promise.all([
        fetchFacts(wallet, network, ids.slice(0, MAX_PLACED)),
        fetchRuneIds(wallet, network, coins),
      ])
      const placed = coins.map(({ outpoint, amount, assets }) => {
        if (!assets.known) return [outpoint, assets] as const
        const whole = assets.assets.map((asset): Asset => {
          if (asset.kind === 'rune')
            return { ...asset, rune: asset.rune ?? runes.get(asset.name) ?? null }
          if (asset.kind !== 'inscription' || asset.offset !== null) return asset
          const { satpoint } = facts.get(asset.id) ?? {}
          const isHere = satpoint?.outpoint === outpoint && satpoint.offset < amount
          return isHere ? { ...asset, offset: satpoint.offset } : asset
        })
        return [outpoint, { ...assets, assets: whole } as CoinAssets] as const
      })
      return { assets: new Map(placed), numbers }
    },

    /** Numbers of inscriptions, as far as the index tells them. */
    async numbersOf(
      wallet: AssetParts,
      network: Network,
      ids: readonly InscriptionId[],
    ): Promise<ReadonlyMap<InscriptionId, number>> {
      const missing = ids.filter(id => !numbers.has(id))
      await fetchFacts(wallet, network, missing.slice(0, MAX_NUMBERED))
      return numbers
    },

    /**
     * Looks at the transactions that created these coins, and remembers those coins that they may have put an asset on of
     * which the index said nothing. Whether there were any: then the coins have to be chosen anew.
     */
    async findUndeclared(
      wallet: AssetParts,
      network: Network,
      accountId: string,
      coins: readonly (Utxo & { outpoint: string; assets: CoinAssets })[],
    ): Promise<boolean> {
      const noted = await seen.load(network)
      const trusted = coins.filter(
        ({ outpoint, assets }) =>
          !noted.has(outpoint) &&
          (assets.known ? assets.assets.length === 0 : assets.why !== 'contradicted'),
      )
      const found = await undeclared.find(await wallet.chain(network), trusted)
      if (found.length === 0 || hasEnded(accountId)) return false
      const notes = found.map(({ outpoint }): [string, Seen] => [outpoint, { assets: [] }])
      await seen.put(network, accountId, new Map(notes))
      return true
    },

    /** Another index is asked from now on, or by another wallet. */
    forgetAnswers(): Promise<void> {
      era++
      return answers.clear()
    },
    /** What was once said of an account's coins counts no more, and the index is asked anew. */
    async forgetSeen(network: Network, accountId: string): Promise<void> {
      era++
      await answers.clear()
      await seen.forget(network, accountId)
    },
    tidy: seen.tidy,
    hold: seen.hold,
    entriesJoined: seen.entriesJoined,
    forgetAccount(accountId: string): Promise<void> {
      era++
      return seen.forgetAccount(accountId)
    },
  }

  /** What sits on coins, by what the index answers when it is asked so and by all else that is known. */
  function reconciling(ask: typeof answers.ask) {
    return async (
      wallet: AssetParts,
      network: Network,
      accountId: string,
      utxos: readonly Utxo[],
    ): Promise<ReadonlyMap<string, CoinAssets>> => {
      if (hasEnded(accountId)) throw unauthorized('There is no such account any more.')
      const since = era
      const told = await ask(wallet, network, utxos)
      return reconcile(wallet, network, accountId, utxos, { told, since })
    }
  }

  async function reconcile(
    wallet: AssetParts,
    network: Network,
    accountId: string,
    utxos: readonly Utxo[],
    answered: { told: ReadonlyMap<string, CoinAssets>; since: number },
  ): Promise<ReadonlyMap<string, CoinAssets>> {
    const [noted, traced] = await Promise.all([
      seen.load(network),
      loadTraces(wallet, network, accountId),
    ])
    const news = new Map<string, Seen>()
    const disbelieved: string[] = []
    const reconciled = utxos.map(utxo => {
      const outpoint = formatOutpoint(utxo)
      const evidence: CoinEvidence = {
        told: answered.told.get(outpoint) ?? UNANSWERED,
        traced: traced.get(outpoint) ?? null,
        // What was found is believed also where there was no room for a note of it.
        seen:
          noted.get(outpoint)?.assets.map(decodeAsset) ??
          (undeclared.has(network, utxo) ? [] : null),
      }
      const assets = reconcileCoinAssets(evidence)
      if (evidence.told.known && !assets.known) disbelieved.push(outpoint)
      const told = assets.known ? assets.assets.slice(0, MAX_SEEN_ON_COIN) : []
      if (told.length > (evidence.seen?.length ?? 0))
        news.set(outpoint, { assets: told.map(encodeAsset) })
      return [outpoint, assets] as const
    })
    if (news.size > 0 && answered.since === era) await seen.put(network, accountId, news)
    await answers.forget(network, disbelieved)
    return new Map(reconciled)
  }

  async function fetchFacts(
    wallet: AssetParts,
    network: Network,
    ids: readonly InscriptionId[],
  ): Promise<ReadonlyMap<InscriptionId, InscriptionFacts>> {
    if (ids.length === 0) return new Map()
    try {
      const source = await wallet.assets(network)
      const facts = await source.fetchInscriptions(ids)
      for (const [id, { number }] of facts) numbers.set(id, number)
      return facts
    } catch (error) {
      if (!(error instanceof BackendUnavailableError)) throw error
      return new Map()
    }
  }
}

/** The ids of runes of which coins have only the names. */
async function fetchRuneIds(
  wallet: AssetParts,
  network: Network,
  coins: readonly { assets: CoinAssets }[],
): Promise<ReadonlyMap<string, RuneId>> {
  const names = new Set(
    coins.flatMap(({ assets }) =>
      assets.known
        ? assets.assets.flatMap(asset =>
            asset.kind === 'rune' && asset.rune === null ? asset.name : [],
          )
        : [],
    ),
  )
  const ids = new Map<string, RuneId>()
  if (names.size === 0) return ids
  try {
    const source = await wallet.assets(network)
    await forEachConcurrently(names, CONCURRENCY, async name => {
      const rune = await source.fetchRune(name)
      if (rune) ids.set(name, rune.id)
    })
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
  }
  return ids
}

function idOfInscription(asset: Asset): InscriptionId[] {
  return asset.kind === 'inscription' ? [asset.id] : []
}

export type CoinAssetStore = ReturnType<typeof createCoinAssetStore>

/** What is known of the content of a coin. */
export type CoinEvidence = {
  /** The word of the index. */
  told: CoinAssets
  /** What this wallet itself put on it; null for coins that it did not make, or not of coins that it knew. */
  traced: readonly Asset[] | null
  /** What an index once said is on it, empty where only its own transaction shows that there may be something; null for neither. */
  seen: readonly Asset[] | null
}

/** What counts as being on a coin: evidence against the word of the index tightens, and never loosens. */
export function reconcileCoinAssets({ told, traced, seen }: CoinEvidence): CoinAssets {
  if (!traced && !seen) return told
  const expected = mergeAssets(traced ?? [], seen ?? [])
  const isSuspect = seen !== null || expected.length > 0
  if (told.known) {
    if (told.assets.length === 0 && isSuspect) return CONTRADICTED
    return { ...told, assets: mergeAssets(expected, told.assets) }
  }
  if (told.why === 'contradicted') return CONTRADICTED
  if (expected.length > 0) return { known: true, assets: expected }
  return isSuspect ? CONTRADICTED : { known: true, assets: [] }
}

const CONTRADICTED: CoinAssets = { known: false, why: 'contradicted' }

/**
 * What this wallet put on the coins that it made for an account, by outpoint. A transaction that carries nothing tells the
 * same of the coins that it spent.
 */
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

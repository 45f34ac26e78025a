// atomicals: what sits on coins by the proxy of atomicals-electrumx
// (https://github.com/atomicals/atomicals-electrumx). A coin that the server does not list, or lists with another
// amount, is unknown or contradicted, never clean.

import { toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { scriptHashOf } from '../../bitcoin/script-hash.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { AtomicalAsset, UnknownReason } from '../../ordinals/asset.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { AnswerTooLongError, serverFailure } from '../access/http.ts'
import { parseRecord } from '../access/json-reader.ts'
import type { AtomicalFacts, AtomicalsSource, CoinAtomicals } from '../atomicals-source.ts'
import { BackendUnavailableError } from '../chain-source.ts'
import {
  type AtomicalsGlobal,
  type Listing,
  parseBlueprint,
  parseCoins,
  parseFacts,
  parseGlobal,
  parseSummaries,
} from './atomicals-json.ts'
import { type AtomicalsDeps, createAtomicalsReader } from './atomicals-reader.ts'

type Coin = Utxo & { outpoint: string }

/** A list says of each Atomical all that was minted with it, pictures too. */
const MAX_LIST_BYTES = 16_000_000
/** Atomicals whose type and name are remembered where they have to be asked for one by one. */
const MAX_REMEMBERED = 5_000

const OF_ATOMICALS = 'blockchain.atomicals'

/**
 * The HTTP service of atomicals-electrumx at `url`, without a slash at its end. It knows only what is in blocks: what a
 * transaction in the mempool spends it lists as before.
 */
export function createAtomicals(
  network: Network,
  url: string,
  deps: AtomicalsDeps,
): AtomicalsSource {
  const server = createAtomicalsReader(url, deps)
  const remembered = new Map<AtomicalId, AtomicalFacts>()
  /** Lists that nobody has read yet, by script: who asks until then has its coins read with the others'. */
  const unread = new Map<string, { wanted: Set<string>; listing: Promise<Listing> }>()
  let isChecked = false

  return {
    network,
    fetchTip: async () => ({ height: await fetchHeight() }),
    async fetchAtomicals(coins) {
      const answer = new Map<string, CoinAtomicals>(
        coins.map(({ outpoint, height }) => [
          outpoint,
          height === null ? unknown('unconfirmed') : unknown('unanswered'),
        ]),
      )
      const questions = [...groupByScript(coins)].map(async ([scriptHash, group]) => {
        const listing = await shareListing(scriptHash, group)
        for (const coin of group) answer.set(coin.outpoint, classifyCoin(coin, listing))
      })
      await settle(questions)
      return answer
    },
    fetchFacts,
    async foresee(rawTx) {
      // Its answer says of no network.
      if (!isChecked) await fetchHeight()
      const transaction = parseTransaction(rawTx)
      return server.ask(
        {
          method: `${OF_ATOMICALS}.validate_tx_blueprint`,
          params: [toHex(rawTx)],
          by: 'POST',
        },
        response => parseBlueprint(parseRecord('the response', response).result, transaction),
      )
    },
  }

  function fetchHeight(): Promise<number> {
    return server.ask({ method: `${OF_ATOMICALS}.get_global`, params: [] }, response =>
      heightOf(parseGlobal(parseRecord('the response', response).global)),
    )
  }

  function heightOf({ network: named, height }: AtomicalsGlobal): number {
    if (named !== network) {
      throw serverFailure('wrong-network', url, `follows another chain than ${network}`)
    }
    isChecked = true
    return height
  }

  /** The list has all coins of the script, so that reading it for each question of many would take the square of their number. */
  function shareListing(scriptHash: string, coins: readonly Coin[]): Promise<Listing> {
    const outpoints = coins.map(({ outpoint }) => outpoint)
    const shared = unread.get(scriptHash)
    if (shared) {
      for (const outpoint of outpoints) shared.wanted.add(outpoint)
      return shared.listing
    }
    const wanted = new Set(outpoints)
    const close = () => {
      if (unread.get(scriptHash)?.wanted === wanted) unread.delete(scriptHash)
      return wanted
    }
    const listing = fetchListing(scriptHash, close).finally(close)
    unread.set(scriptHash, { wanted, listing })
    return listing
  }

  /** @param close - ends the asking for more coins, and gives those that were asked for */
  async function fetchListing(
    scriptHash: string,
    close: () => ReadonlySet<string>,
  ): Promise<Listing> {
    const question = {
      method: `${OF_ATOMICALS}.listscripthash`,
      params: [scriptHash, true],
      timeoutMs: 30_000,
      maxBytes: MAX_LIST_BYTES,
    }
    try {
      return await server.ask(question, response => {
        const { global, atomicals, utxos } = parseRecord('the response', response)
        const listed = parseCoins(utxos, close())
        return {
          height: heightOf(parseGlobal(global)),
          coins: listed,
          summaries: parseSummaries(atomicals, idsOn(listed)),
        }
      })
    } catch (cause) {
      if (cause instanceof AnswerTooLongError) return fetchShortListing(scriptHash, close)
      throw cause
    }
  }

  /** Without what was minted, and without coins that the mempool spends. */
  async function fetchShortListing(
    scriptHash: string,
    close: () => ReadonlySet<string>,
  ): Promise<Listing> {
    // Fetched before the coins, so that the index has read at least this block when it lists them.
    const height = await fetchHeight()
    const coins = await server.ask(
      {
        method: 'blockchain.scripthash.listunspent',
        params: [scriptHash],
        timeoutMs: 30_000,
        maxBytes: MAX_LIST_BYTES,
      },
      response => parseCoins(response, close()),
    )
    const ids = idsOn(coins)
    const missing = [...ids].filter(id => !remembered.has(id))
    const answer = missing.length > 0 ? await fetchFacts(missing) : new Map()
    if (remembered.size + answer.size > MAX_REMEMBERED) remembered.clear()
    const summaries = new Map<AtomicalId, AtomicalFacts>()
    for (const id of ids) {
      const facts = remembered.get(id) ?? answer.get(id)
      if (!facts) continue
      remembered.set(id, facts)
      summaries.set(id, facts)
    }
    return { height, coins, summaries }
  }

  async function fetchFacts(ids: readonly AtomicalId[]): Promise<Map<AtomicalId, AtomicalFacts>> {
    const answer = await settle(ids.map(fetchOne))
    return new Map(answer.flatMap(facts => (facts ? [[facts.id, facts]] : [])))
  }

  function fetchOne(id: AtomicalId): Promise<AtomicalFacts | null> {
    return server.ask(
      { method: `${OF_ATOMICALS}.get`, params: [id] },
      response => {
        const { global, result } = parseRecord('the response', response)
        heightOf(parseGlobal(global))
        return parseFacts(result, id)
      },
      { id, answer: null },
    )
  }
}

/** The answers of those that succeed. Throws when none does, and when the server follows another chain. */
async function settle<T>(questions: readonly Promise<T>[]): Promise<T[]> {
  const outcomes = await Promise.allSettled(questions)
  const reasons = outcomes.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
  const fatal = reasons.find(
    reason =>
      !(reason instanceof BackendUnavailableError) || reason.problem.kind === 'wrong-network',
  )
  if (fatal) throw fatal
  if (reasons.length > 0 && reasons.length === outcomes.length) throw reasons[0]
  return outcomes.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
}

/** The confirmed ones. */
function groupByScript(coins: readonly Coin[]): ReadonlyMap<string, Coin[]> {
  const groups = new Map<string, Coin[]>()
  for (const coin of coins) {
    if (coin.height === null) continue
    const scriptHash = scriptHashOf(coin.scriptPubKey)
    const group = groups.get(scriptHash) ?? []
    group.push(coin)
    groups.set(scriptHash, group)
  }
  return groups
}

function idsOn(coins: Listing['coins']): ReadonlySet<AtomicalId> {
  return new Set([...coins.values()].flatMap(({ units }) => [...units.keys()]))
}

function classifyCoin({ outpoint, amount, height }: Coin, listing: Listing): CoinAtomicals {
  if (height === null || height > listing.height) return unknown('behind')
  const coin = listing.coins.get(outpoint)
  if (!coin) return unknown('unanswered')
  if (coin.value !== amount) return unknown('contradicted')
  const assets: AtomicalAsset[] = []
  for (const [id, units] of coin.units) {
    const summary = listing.summaries.get(id)
    if (!summary) return unknown('unanswered')
    const { type, name, number } = summary
    // For an NFT the index counts sats, not units.
    const count = type === 'nft' ? 1n : units
    if (count === null) return unknown('unanswered')
    if (count < 1n || count > amount) return unknown('contradicted')
    assets.push({ kind: 'atomical', id, type, number, name, amount: count })
  }
  // In another block it was on another branch of the chain.
  if (assets.length === 0 && coin.height !== height) return unknown('behind')
  return { known: true, assets }
}

function unknown(why: UnknownReason): CoinAtomicals {
  return { known: false, why }
}

// ord: what sits on coins by an ord server (https://docs.ordinals.com/guides/api.html). A coin counts as clean
// only if the index has read its block and keeps both inscriptions and runes; everything else is unknown.

import type { Network } from '../../bitcoin/network.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { CoinAssets, UnknownReason } from '../../ordinals/asset.ts'
import { AnswerTooLongError, serverFailure } from '../access/http.ts'
import { parseExactJson } from '../access/json-reader.ts'
import type { ServerAccess } from '../access/server-access.ts'
import { createServerReader } from '../access/server-reader.ts'
import type { AssetSource, InscriptionContent } from '../asset-source.ts'
import {
  type OrdStatus,
  type OutputFacts,
  parseInscriptionFacts,
  parseOutput,
  parseStatus,
} from './ord-json.ts'
import { ASK_JSON, createOrdList } from './ord-list.ts'
import { parseRune } from './rune-json.ts'

export type OrdDeps = {
  access: ServerAccess
  now(): number
  /** Asks at once, also while the server rests. */
  bypassBackoff?: boolean
}

/** How long a height counts as known: what it was only makes the check stricter. */
const STATUS_MS = 5_000

/** The JSON interface of ord 0.23 and later at `url`, without a slash at its end. */
export function createOrd(network: Network, url: string, deps: OrdDeps): AssetSource {
  const { access, now, bypassBackoff = false } = deps
  const server = createServerReader(url, access, { bypassBackoff })
  const outputs = createOrdList(server, {
    list: '/outputs',
    single: '/output',
    keyOf: entry => Object(entry).outpoint,
    read: parseOutput,
  })
  const inscriptions = createOrdList(server, {
    list: '/inscriptions',
    single: '/inscription',
    keyOf: entry => Object(entry).id,
    read: parseInscriptionFacts,
  })
  let recent: { status: OrdStatus & { height: number }; at: number } | null = null

  return {
    network,
    async fetchTip() {
      const { height, hasInscriptions, hasRunes } = await fetchStatus()
      if (!hasInscriptions) throw serverFailure('nonsense', url, 'keeps no inscriptions')
      if (!hasRunes) throw serverFailure('nonsense', url, 'keeps no runes')
      return { height }
    },
    async fetchAssets(coins) {
      const heights = coins.flatMap(({ height }) => height ?? [])
      if (heights.length === 0) return new Map(coins.map(coin => [coin.outpoint, UNCONFIRMED]))
      // Fetched before the coins, so that the index has read at least this block when it lists them.
      const status = await fetchStatusFor(Math.max(...heights))
      const isWhole = status.hasInscriptions && status.hasRunes
      const known = coins.filter(({ height }) => height !== null && height <= status.height)
      const answers = isWhole ? await outputs.ask(known.map(({ outpoint }) => outpoint)) : null
      return new Map(
        coins.map(coin => {
          const { outpoint, height } = coin
          if (height === null) return [outpoint, UNCONFIRMED]
          if (height > status.height) return [outpoint, unknown('behind')]
          return [
            outpoint,
            answers ? classifyCoin(coin, answers.get(outpoint)) : unknown('not-indexed'),
          ]
        }),
      )
    },
    async fetchInscriptions(ids) {
      await assertNetwork()
      const answers = await inscriptions.ask(ids)
      return new Map([...answers].flatMap(([id, facts]) => (facts ? [[id, facts]] : [])))
    },
    async fetchContent(id, maxBytes) {
      await assertNetwork()
      const request = { maxBytes, timeoutMs: 30_000 }
      return server
        .ask<InscriptionContent | null>(
          `/content/${encodeURIComponent(id)}`,
          request,
          ({ bytes, contentType }) => ({ bytes, contentType }),
          () => null,
        )
        .catch(cause => {
          if (cause instanceof AnswerTooLongError) return null
          throw cause
        })
    },
    async fetchRune(rune) {
      await assertNetwork()
      return server.ask(
        `/rune/${encodeURIComponent(rune)}`,
        ASK_JSON,
        ({ body }) => parseRune(parseExactJson(body), rune),
        () => null,
      )
    },
  }

  async function fetchStatus() {
    const status = await server.ask('/status', ASK_JSON, ({ body }) =>
      parseStatus(parseExactJson(body)),
    )
    const { chain, height } = status
    if (chain !== network) {
      throw serverFailure('wrong-network', url, `follows another chain than ${network}`)
    }
    if (status.isOnLostBranch) {
      throw serverFailure('nonsense', url, 'is on a branch that the chain has left')
    }
    if (height === null) throw serverFailure('nonsense', url, 'has indexed no block yet')
    recent = { status: { ...status, height }, at: now() }
    return recent.status
  }

  async function fetchStatusFor(height: number) {
    const isRecent = recent && now() - recent.at < STATUS_MS && recent.status.height >= height
    return recent && isRecent ? recent.status : fetchStatus()
  }

  /** Once is enough: an index does not change its chain. */
  async function assertNetwork(): Promise<void> {
    if (!recent) await fetchStatus()
  }
}

const UNCONFIRMED = unknown('unconfirmed')

/** `facts` is null for an output that the index does not have, undefined for one of which it said nothing usable. */
function classifyCoin({ amount }: Utxo, facts: OutputFacts | null | undefined): CoinAssets {
  if (facts === undefined) return unknown('unanswered')
  if (facts === null) return unknown('not-indexed')
  const { value, assets, spent, indexed } = facts
  const rare = facts.rareSats && facts.rareSats.length > 0 ? { rareSats: facts.rareSats } : {}
  if (value !== amount) return unknown('contradicted')
  if (assets && assets.length > 0) return { known: true, assets, ...rare }
  // Also when only the mempool spends it, as this wallet's payment that is about to be replaced does.
  if (spent) return unknown('unanswered')
  // In the mempool, and before the first block that is indexed, ord answers with empty lists.
  return indexed && assets ? { known: true, assets, ...rare } : unknown('not-indexed')
}

function unknown(why: UnknownReason): CoinAssets {
  return { known: false, why }
}

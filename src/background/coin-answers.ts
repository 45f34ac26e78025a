import type { Network } from '../bitcoin/network.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import type { Utxo } from '../bitcoin/utxo.ts'
import type { AssetSource } from '../chain/asset-source.ts'
import { BackendUnavailableError } from '../chain/chain-source.ts'
import type { CoinAssets } from '../ordinals/asset.ts'
import type { StorageArea } from '../storage/storage-area.ts'
import { createMutex } from './mutex.ts'
import { decodeAsset, encodeAsset, type StoredAsset } from './stored-assets.ts'
import type { Wallet } from './wallet.ts'

/** What the index said of a coin in a block of this height, and when (0 once the coin is so deep that it stays). */
type Answer = { height: number; at: number; assets: StoredAsset[] }

type Told = ReadonlyMap<string, CoinAssets>
type Asked = Utxo & { outpoint: string }

const STORAGE_KEY = 'coinAnswers'

/** Session storage holds 10 MB for everything: this many answers are one of them. */
const MAX_STORED = 10_000
const MAX_ANSWERS = 100_000

/** With this many blocks an answer counts until the browser closes, before that for so long. */
const DEEP = 6
const FRESH_MS = 60_000

/** What the index of assets said of coins, asked when that is not known or not fresh. */
export function createCoinAnswers({ session, now }: { session: StorageArea; now(): number }) {
  let answers: Map<string, Answer> | null = null
  const underWay = new Map<string, Promise<Told>>()
  const inTurn = createMutex()

  return {
    /**
     * An answer for each coin that is in a block. Where the index does not answer any more, what it said of the coin before
     * stands: the block that has the coin decides what is on it.
     */
    async ask(
      wallet: Pick<Wallet, 'assets'>,
      network: Network,
      utxos: readonly Utxo[],
    ): Promise<Told> {
      const known = await load()
      const told = new Map<string, CoinAssets>()
      const missing: Asked[] = []
      const awaited = new Set<Promise<Told>>()
      for (const utxo of utxos) {
        const outpoint = formatOutpoint(utxo)
        if (utxo.height === null) {
          told.set(outpoint, UNCONFIRMED)
          continue
        }
        const key = keyOf(network, outpoint)
        const answer = known.get(key)
        if (answer?.height === utxo.height) {
          told.set(outpoint, decode(answer))
          if (isFresh(answer)) continue
        }
        const running = underWay.get(key)
        if (running) awaited.add(running)
        else missing.push({ ...utxo, outpoint })
      }
      if (missing.length > 0) awaited.add(fetchShared(wallet, network, missing))
      for (const news of await Promise.all(awaited)) {
        for (const [outpoint, assets] of news)
          if (assets.known || assets.why === 'contradicted' || !told.has(outpoint))
            told.set(outpoint, assets)
      }
      return told
    },
    /** The same, whatever was said before. */
    askAnew(
      wallet: Pick<Wallet, 'assets'>,
      network: Network,
      utxos: readonly Utxo[],
    ): Promise<Told> {
      const coins = utxos.flatMap(utxo =>
        utxo.height === null ? [] : { ...utxo, outpoint: formatOutpoint(utxo) },
      )
      return coins.length === 0 ? Promise.resolve(new Map()) : fetchShared(wallet, network, coins)
    },
    async clear(): Promise<void> {
      answers = new Map()
      await session.remove(STORAGE_KEY)
    },
  }

  /** Shares the question with those who ask meanwhile. */
  function fetchShared(
    wallet: Pick<Wallet, 'assets'>,
    network: Network,
    coins: readonly Asked[],
  ): Promise<Told> {
    const keys = coins.map(({ outpoint }) => keyOf(network, outpoint))
    const asking = fetchAnswers(wallet, network, coins).finally(() => {
      for (const key of keys) if (underWay.get(key) === asking) underWay.delete(key)
    })
    for (const key of keys) underWay.set(key, asking)
    return asking
  }

  async function fetchAnswers(
    wallet: Pick<Wallet, 'assets'>,
    network: Network,
    coins: readonly Asked[],
  ): Promise<Told> {
    try {
      const source = await wallet.assets(network)
      const [told, tip] = await Promise.all([source.fetchAssets(coins), fetchHeight(source)])
      await keep(network, coins, told, tip)
      return told
    } catch (error) {
      if (!(error instanceof BackendUnavailableError)) throw error
      return new Map()
    }
  }

  async function keep(
    network: Network,
    coins: readonly Asked[],
    told: Told,
    tip: number,
  ): Promise<void> {
    const known = await load()
    let changed = false
    for (const { outpoint, height } of coins) {
      const assets = told.get(outpoint)
      const key = keyOf(network, outpoint)
      const before = known.get(key)
      // What is contradicted is asked again each time, until it is not.
      const isOver = assets?.known === false && assets.why === 'contradicted'
      if (isOver) changed = known.delete(key) || changed
      if (!assets?.known || height === null) continue
      const at = tip - height + 1 >= DEEP ? 0 : now()
      const answer = { height, at, assets: assets.assets.map(encodeAsset) }
      if (JSON.stringify(answer) === JSON.stringify(before)) continue
      known.delete(key)
      known.set(key, answer)
      changed = true
    }
    for (const key of [...known.keys()].slice(0, Math.max(known.size - MAX_ANSWERS, 0)))
      known.delete(key)
    if (changed) await inTurn(() => store(known))
  }

  async function load(): Promise<Map<string, Answer>> {
    if (!answers) {
      const stored = Object.entries(Object(await session.get(STORAGE_KEY)))
      answers ??= new Map(stored as [string, Answer][])
    }
    return answers
  }

  /** Where there is no room for it, another worker asks again. */
  async function store(known: ReadonlyMap<string, Answer>): Promise<void> {
    const newest = [...known].slice(-MAX_STORED)
    await session.set({ [STORAGE_KEY]: Object.fromEntries(newest) }).catch(() => {})
  }

  function isFresh({ at }: Answer): boolean {
    return at === 0 || now() - at < FRESH_MS
  }
}

/** 0 when it is not told: then no coin is deep. */
async function fetchHeight(source: AssetSource): Promise<number> {
  try {
    return (await source.fetchTip()).height
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return 0
  }
}

const UNCONFIRMED: CoinAssets = { known: false, why: 'unconfirmed' }
const CLEAN: CoinAssets = { known: true, assets: [] }

function decode({ assets }: Answer): CoinAssets {
  if (assets.length === 0) return CLEAN
  return { known: true, assets: assets.map(decodeAsset) }
}

function keyOf(network: Network, outpoint: string): string {
  return `${network} ${outpoint}`
}

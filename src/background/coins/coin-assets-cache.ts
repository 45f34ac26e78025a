import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import type { AssetSource } from '../../chain/asset-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { DEEP_CONFIRMATIONS } from '../activity/sent-status.ts'
import { decodeAsset, encodeAsset, type StoredAsset } from '../activity/stored-assets.ts'
import { isYounger } from '../primitives/clock.ts'
import { createMutex } from '../primitives/mutex.ts'
import { nullIfUnanswered, withTimeout } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'

/** What the index said of a coin in a block of this height, and when (0 once the coin is so deep that it stays). */
type Answer = { height: number; at: number; assets: StoredAsset[]; rareSats?: StoredSat[] }
/** Number and place in the coin, decimal. */
type StoredSat = [sat: string, offset: string]

type Told = ReadonlyMap<string, CoinAssets>
type Asked = Utxo & { outpoint: string }

const STORAGE_KEY = 'coinAnswers'

/** Session storage holds 10 MB for everything: this many coins and things on them are some 2 MB. */
const MAX_STORED = 20_000
const MAX_ANSWERS = 100_000

/** Coins of one question: what it brought is kept, however long the next one takes. */
const PIECE = 250

/** How long anybody waits. An index that has to be asked for each coin alone needs minutes, and answers for the next time. */
const TIMEOUT_MS = 20_000

const FRESH_MS = 60_000

/**
 * Between two writes while more pieces are under way. Each writes all that is stored, so it also waits until as many answers are
 * new as the last one wrote: all writes together are of no more than a few times the answers.
 */
const PAUSE_MS = 1_000

/** What the index of assets said of coins, asked when that is not known or not fresh. */
export function createCoinAssetsCache({ session, now }: { session: StorageArea; now(): number }) {
  /** Another map once another index is asked: what the one before says is then no longer kept. */
  let answers: Map<string, Answer> | null = null
  let isStored = true
  let storedAt = Number.NEGATIVE_INFINITY
  /** Answers of the last write, and those that came since. */
  let written = 0
  let news = 0
  let pieces = 0
  const underWay = new Map<string, Promise<Told>>()
  const inTurn = createMutex()

  return {
    /**
     * An answer for each coin that is in a block, as far as one comes in time, of the largest coins first. Where the index
     * does not answer any more, what it said of the coin before stands: the block that has the coin decides what is on it.
     */
    async ask(
      wallet: Pick<Sources, 'assets'>,
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
      for (const asking of askInPieces(wallet, network, missing)) awaited.add(asking)
      await listen([...awaited], (outpoint, assets) => {
        if (assets.known || assets.why === 'contradicted' || !told.has(outpoint))
          told.set(outpoint, assets)
      })
      return told
    },
    /** The same past the cache: the index is asked even where an answer is kept. */
    async askAnew(
      wallet: Pick<Sources, 'assets'>,
      network: Network,
      utxos: readonly Utxo[],
    ): Promise<Told> {
      const coins = utxos.flatMap(utxo =>
        utxo.height === null ? [] : { ...utxo, outpoint: formatOutpoint(utxo) },
      )
      const told = new Map<string, CoinAssets>()
      await listen(askInPieces(wallet, network, coins), (outpoint, assets) => {
        told.set(outpoint, assets)
      })
      return told
    },
    /** Drops the answers for these coins, so that the next question goes to the index. */
    async forget(network: Network, outpoints: readonly string[]): Promise<void> {
      const known = await load()
      const forgotten = outpoints.filter(outpoint => known.delete(keyOf(network, outpoint)))
      if (forgotten.length === 0) return
      isStored = false
      await inTurn(store)
    },
    async clear(): Promise<void> {
      answers = new Map()
      written = 0
      news = 0
      underWay.clear()
      await inTurn(() => session.remove(STORAGE_KEY))
    },
  }

  /** The largest coins first. Shares the questions with those who ask meanwhile. */
  function askInPieces(
    wallet: Pick<Sources, 'assets'>,
    network: Network,
    coins: readonly Asked[],
  ): Promise<Told>[] {
    const sorted = coins.toSorted((a, b) =>
      a.amount > b.amount ? -1 : Number(a.amount < b.amount),
    )
    return Array.from({ length: Math.ceil(coins.length / PIECE) }, (_, piece) => {
      const some = sorted.slice(piece * PIECE, (piece + 1) * PIECE)
      const keys = some.map(({ outpoint }) => keyOf(network, outpoint))
      const asking = fetchAnswers(wallet, network, some).finally(() => {
        for (const key of keys) if (underWay.get(key) === asking) underWay.delete(key)
      })
      for (const key of keys) underWay.set(key, asking)
      return asking
    })
  }

  async function fetchAnswers(
    wallet: Pick<Sources, 'assets'>,
    network: Network,
    coins: readonly Asked[],
  ): Promise<Told> {
    const known = await load()
    pieces++
    try {
      const source = await wallet.assets(network)
      const [told, tip] = await Promise.all([source.fetchAssets(coins), fetchHeight(source)])
      if (known === answers) keep(known, network, coins, told, tip)
      return told
    } catch (error) {
      if (!(error instanceof BackendUnavailableError)) throw error
      return new Map()
    } finally {
      pieces--
      const isEarly = isYounger(storedAt, PAUSE_MS, now()) || news < written
      if (!isStored && !(pieces > 0 && isEarly)) await inTurn(store)
    }
  }

  function keep(
    known: Map<string, Answer>,
    network: Network,
    coins: readonly Asked[],
    told: Told,
    tip: number,
  ): void {
    let changed = false
    for (const { outpoint, height } of coins) {
      const assets = told.get(outpoint)
      const key = keyOf(network, outpoint)
      const before = known.get(key)
      // An answer that another server contradicts, or that lacks a ticker, is not kept.
      const isOver =
        (assets?.known === false && assets.why === 'contradicted') || isNameless(assets)
      if (isOver) changed = known.delete(key) || changed
      if (!assets?.known || height === null || isNameless(assets)) continue
      const at = tip - height + 1 >= DEEP_CONFIRMATIONS ? 0 : now()
      const answer: Answer = {
        ...{ height, at, assets: assets.assets.map(encodeAsset) },
        ...(assets.rareSats && {
          rareSats: assets.rareSats.map(({ sat, offset }): StoredSat => [`${sat}`, `${offset}`]),
        }),
      }
      if (JSON.stringify(answer) === JSON.stringify(before)) continue
      known.delete(key)
      known.set(key, answer)
      changed = true
      news++
    }
    for (const key of known.keys()) {
      if (known.size <= MAX_ANSWERS) break
      known.delete(key)
    }
    if (changed) isStored = false
  }

  async function load(): Promise<Map<string, Answer>> {
    if (!answers) {
      const stored = Object.entries(Object(await session.get(STORAGE_KEY)))
      answers ??= new Map(stored as [string, Answer][])
    }
    return answers
  }

  /** One write for all answers that came meanwhile. If storage has no room, the next worker asks the index again. */
  async function store(): Promise<void> {
    if (isStored || !answers) return
    isStored = true
    storedAt = now()
    const newest = pickNewest(answers)
    written = newest.length
    news = 0
    await session.set({ [STORAGE_KEY]: Object.fromEntries(newest) }).catch(() => {})
  }

  function isFresh({ at }: Answer): boolean {
    return at === 0 || isYounger(at, FRESH_MS, now())
  }
}

/** Tells what comes in time. */
async function listen(
  questions: readonly Promise<Told>[],
  tell: (outpoint: string, assets: CoinAssets) => void,
): Promise<void> {
  let isOver = false
  const heard = questions.map(async asking => {
    const told = await asking
    if (!isOver) for (const [outpoint, assets] of told) tell(outpoint, assets)
  })
  await withTimeout(TIMEOUT_MS, Promise.all(heard))
  isOver = true
}

/** As many of the newest as there is room for; anybody can put more on one coin than that. */
function pickNewest(known: ReadonlyMap<string, Answer>): [string, Answer][] {
  let room = MAX_STORED
  const newestFirst = [...known].reverse().filter(([, { assets }]) => {
    const size = 1 + assets.length
    if (size > room) return false
    room -= size
    return true
  })
  return newestFirst.reverse()
}

/** 0 when it is not told: then no coin is deep. */
async function fetchHeight(source: AssetSource): Promise<number> {
  return (await nullIfUnanswered(source.fetchTip()))?.height ?? 0
}

const UNCONFIRMED: CoinAssets = { known: false, why: 'unconfirmed' }
const CLEAN: CoinAssets = { known: true, assets: [] }

function decode({ assets, rareSats }: Answer): CoinAssets {
  if (assets.length === 0 && !rareSats) return CLEAN
  return {
    ...{ known: true, assets: assets.map(decodeAsset) },
    ...(rareSats && {
      rareSats: rareSats.map(([sat, offset]) => ({ sat: BigInt(sat), offset: BigInt(offset) })),
    }),
  }
}

/** A token's ticker is settled some blocks after its mint. */
function isNameless(assets: CoinAssets | undefined): boolean {
  return (
    assets?.known === true &&
    assets.assets.some(one => one.kind === 'atomical' && one.type === 'ft' && one.name === null)
  )
}

function keyOf(network: Network, outpoint: string): string {
  return `${network} ${outpoint}`
}

import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { BackendUnavailableError, type ChainSource } from '../../chain/chain-source.ts'
import { asTold } from '../../chain/confirmation-limit.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { failure, type ProviderError } from '../../provider/errors.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import { forEachConcurrently } from '../primitives/concurrency.ts'
import { nullIfUnanswered, withTimeout } from '../primitives/timeout.ts'
import type { InscriptionNumbers } from './coin-assets.ts'
import type { CoinParts } from './coins.ts'

/** How long the person waits for an index; signing and pushing go on without it. */
const TIMEOUT_MS = 10_000

/** What a transaction spends, of this wallet's (the account) or of others (null). */
export type SpentCoin = {
  outpoint: string
  amount: bigint
  scriptPubKey: Uint8Array
  accountId: string | null
}

/** The parts of the wallet that find out what sits on coins which are about to be spent. */
export type SpentAssetParts = Pick<CoinParts, 'chain' | 'assets' | 'activity' | 'coinAssets'>

export type SpentAssets = {
  /** By outpoint; coins that nobody told of in time are not in it. */
  held: ReadonlyMap<string, CoinAssets>
  numbers: InscriptionNumbers
  own: OwnCoin[]
  /** Outpoints of own coins that the server has in no block. */
  unconfirmed: ReadonlySet<string>
}

/** A coin of this wallet and what was found on it, as JSON: it is asked for again before anything is signed or sent. */
export type OwnCoin = {
  outpoint: string
  accountId: string
  sats: string
  script: string
  height: number | null
  /** Null while that is not known. */
  assets: string[] | null
  /** What is told of it contradicts itself. */
  doubted: boolean
}

/** Finds out what sits on coins that are about to be spent, own ones first. Gives up after a while, and never fails. */
export async function loadSpentAssets(
  { wallet, network, account }: AccountContext<SpentAssetParts>,
  coins: readonly SpentCoin[],
): Promise<SpentAssets> {
  const held = new Map<string, CoinAssets>()
  const heights = new Map<string, number | null>()
  let numbers: InscriptionNumbers = new Map()
  const own = coins.filter(({ accountId }) => accountId !== null)
  const others = coins.filter(({ accountId }) => accountId === null)
  // Without heights no server is asked: what the wallet remembers of its own coins is there even when servers are slow.
  for (const [accountId, some] of groupByAccount(own.map(toUtxo)))
    tell(await wallet.coinAssets.classify(wallet, network, accountId, some))
  await untilTimeout(async () => {
    // What an index says of a coin counts, whether its block does or not.
    const chain = asTold(await wallet.chain(network))
    await fetchListedHeights(chain, own, heights)
    await fetchHeights(chain, own, heights)
    for (const [accountId, some] of groupByAccount(own.map(toUtxo))) await askOwn(accountId, some)
    if (others.length === 0) return
    await fetchHeights(chain, others, heights)
    // Answers about coins of others are not cached: a site could fill the cache with them.
    const source = await wallet.assets(network)
    tell(await source.fetchAssets(others.map(toUtxo)))
    await locate(others)
  })
  return {
    held: new Map(held),
    numbers,
    own: own.map(({ outpoint, amount, scriptPubKey, accountId }) => ({
      outpoint,
      accountId: accountId ?? account.id,
      sats: String(amount),
      script: toHex(scriptPubKey),
      height: heights.get(parseOutpoint(outpoint).txid) ?? null,
      assets: namesOn(held.get(outpoint)),
      doubted: isContradicted(held.get(outpoint)),
    })),
    unconfirmed: new Set(
      own.flatMap(({ outpoint }) =>
        heights.get(parseOutpoint(outpoint).txid) === null ? outpoint : [],
      ),
    ),
  }

  async function askOwn(accountId: string, some: readonly (SpentCoin & Utxo)[]): Promise<void> {
    const { coinAssets } = wallet
    const classify = async () => tell(await coinAssets.classify(wallet, network, accountId, some))
    await classify()
    const told = some.map(coin => ({ ...coin, assets: held.get(coin.outpoint) ?? UNANSWERED }))
    if (await coinAssets.findUndeclared(wallet, network, accountId, told)) await classify()
    await locate(some)
  }

  function tell(told: ReadonlyMap<string, CoinAssets>): void {
    for (const [outpoint, assets] of told) {
      const isPlaced = heights.has(parseOutpoint(outpoint).txid)
      const isUnplaced = !assets.known && assets.why === 'unconfirmed' && !isPlaced
      held.set(outpoint, isUnplaced ? UNANSWERED : assets)
    }
  }

  /** On which sats the inscriptions sit, and which ids the runes have: an index tells only their names at first. */
  async function locate(some: readonly SpentCoin[]): Promise<void> {
    const carrying = some.flatMap(({ outpoint, amount }) => {
      const assets = held.get(outpoint)
      return assets?.known && assets.assets.length > 0 ? { outpoint, amount, assets } : []
    })
    if (carrying.length === 0) return
    const located = await wallet.coinAssets.complete(wallet, network, carrying)
    tell(located.assets)
    numbers = located.numbers
  }

  /** Without a height nothing is clean; what was seen before, or is traced, is known nevertheless. */
  function toUtxo(coin: SpentCoin): SpentCoin & Utxo {
    const { txid, vout } = parseOutpoint(coin.outpoint)
    return { ...coin, txid, vout, height: heights.get(txid) ?? null }
  }
}

/**
 * Asks once more of coins of this wallet, before they are spent as the person saw it. Throws PLAN_OUTDATED when something
 * turns up on one, or what was clean is in doubt; a server that does not answer stops nothing.
 */
export async function assertNothingNew(
  context: AccountContext<SpentAssetParts>,
  coins: readonly OwnCoin[],
): Promise<void> {
  if (await hasNews(context, coins)) throw outdated()
}

/** Whether servers tell of an asset that was not shown, or contradict each other where nothing was. Silence is no news. */
export async function hasNews(
  { wallet, network }: Pick<AccountContext<SpentAssetParts>, 'wallet' | 'network'>,
  coins: readonly OwnCoin[],
): Promise<boolean> {
  const told = new Map<string, CoinAssets>()
  const { coinAssets } = wallet
  const groups = groupByAccount(
    coins.map(({ outpoint, sats, script, height, accountId }) => ({
      ...parseOutpoint(outpoint),
      outpoint,
      accountId,
      amount: BigInt(sats),
      scriptPubKey: fromHex(script),
      height,
    })),
  )
  const tell = (answers: ReadonlyMap<string, CoinAssets>) => {
    for (const [outpoint, assets] of answers) told.set(outpoint, assets)
  }
  for (const [accountId, some] of groups) {
    const unplaced = some.map(coin => ({ ...coin, height: null }))
    tell(await coinAssets.classify(wallet, network, accountId, unplaced))
  }
  await untilTimeout(async () => {
    for (const [accountId, some] of groups)
      tell(await coinAssets.recheck(wallet, network, accountId, some))
  })
  return coins.some(({ outpoint, assets, doubted }) => {
    const now = told.get(outpoint)
    if (isContradicted(now)) return !doubted && (assets?.length ?? 0) === 0
    return namesOn(now)?.some(name => !assets?.includes(name)) ?? false
  })
}

function outdated(): ProviderError {
  return failure(
    'PLAN_OUTDATED',
    'Meanwhile the index of assets says something else of what is spent than what was shown. Nothing was signed or sent; ask again.',
  )
}

function namesOn(assets: CoinAssets | undefined): string[] | null {
  return assets?.known ? assets.assets.map(nameOf) : null
}

function isContradicted(assets: CoinAssets | undefined): boolean {
  return assets?.known === false && assets.why === 'contradicted'
}

function nameOf(asset: Asset): string {
  const key = keyOfAsset(asset)
  return asset.kind === 'inscription' ? key : `${key} ${asset.amount}`
}

function groupByAccount<C extends { accountId: string | null }>(
  coins: readonly C[],
): Map<string, C[]> {
  const groups = new Map<string, C[]>()
  for (const coin of coins) {
    if (coin.accountId === null) continue
    const group = groups.get(coin.accountId)
    if (group) group.push(coin)
    else groups.set(coin.accountId, [coin])
  }
  return groups
}

/** Lets the work go on for a while; what it has found out by then counts, and a server that fails ends it. */
async function untilTimeout(work: () => Promise<void>): Promise<void> {
  const done = work().catch(error => {
    if (!(error instanceof BackendUnavailableError)) throw error
  })
  await withTimeout(TIMEOUT_MS, done)
}

const CONCURRENCY = 8

type PlacedCoin = { outpoint: string; scriptPubKey: Uint8Array }

/** Of many own coins, from the lists of what their addresses have: one question instead of one for each. */
async function fetchListedHeights(
  chain: ChainSource,
  coins: readonly PlacedCoin[],
  heights: Map<string, number | null>,
): Promise<void> {
  if (coins.length <= CONCURRENCY) return
  const scripts = new Map(coins.map(({ scriptPubKey }) => [toHex(scriptPubKey), scriptPubKey]))
  for (const script of scripts.values()) {
    const address = addressOfScript(script, chain.network)
    const utxos = address === null ? [] : await nullIfUnanswered(chain.fetchUtxos(address, script))
    for (const { txid, height } of utxos ?? []) heights.set(txid, height)
  }
}

/** Null for coins in no block; those that the server does not tell are left out. */
async function fetchHeights(
  chain: ChainSource,
  coins: readonly PlacedCoin[],
  heights: Map<string, number | null>,
): Promise<void> {
  const txids = new Set(coins.map(({ outpoint }) => parseOutpoint(outpoint).txid))
  await forEachConcurrently(txids, CONCURRENCY, async txid => {
    if (!heights.has(txid)) heights.set(txid, (await chain.fetchTransactionHeight(txid)) ?? null)
  }).catch(error => {
    if (!(error instanceof BackendUnavailableError)) throw error
  })
}

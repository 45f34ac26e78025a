import type { Network } from '../../bitcoin/network.ts'
import type { RuneFacts } from '../../chain/asset-source.ts'
import type { RuneAsset } from '../../ordinals/asset.ts'
import { formatRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import { findMintWindow } from '../../ordinals/runes/rune-mint.ts'
import type { SiteRune } from '../../provider/rune-params.ts'
import { loadTraces } from '../coins/coin-assets.ts'
import { type Coin, type CoinParts, loadCoins } from '../coins/coins.ts'
import { mapConcurrently } from '../primitives/concurrency.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import { describeAsset } from '../review/asset-moves.ts'
import { explorerUrlOf, type Servers } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { RuneDetail, RunesPage, RuneTermsView, RuneView } from '../views/asset-views.ts'
import { countUnchecked, MAX_COMPANIONS } from './inscriptions.ts'
import { proveRune } from './rune-proofs.ts'

/** An amount of a rune of an account, and the coin that it is on. */
export type HeldRune = {
  coin: Coin
  asset: RuneAsset
  /** A block has the coin, or this wallet itself put the rune on it: what an index said in a block that was undone can come otherwise. */
  isCertain: boolean
}

/** Coins of one rune that are listed. */
const MAX_COINS = 200

/** Runes that an index is asked about at once. */
const CONCURRENCY = 4

/** A page of the runes of an account, by name. Throws BackendUnavailableError. */
export async function listRunes(
  wallet: CoinParts,
  account: AccountView,
  network: Network,
  { offset, limit }: { offset: number; limit: number },
): Promise<RunesPage> {
  const { all } = await loadCoins(wallet, account, network)
  const runes = sumUp(await listHeldRunes(wallet, network, account.id, all))
  return {
    total: runes.length,
    runes: runes.slice(offset, offset + limit),
    unchecked: countUnchecked(all),
  }
}

/** A part of an account's runes as pages get them, by name. Throws BackendUnavailableError. */
export async function listSiteRunes(
  wallet: CoinParts,
  account: AccountView,
  network: Network,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; list: SiteRune[] }> {
  const { all } = await loadCoins(wallet, account, network)
  const groups = groupByName(await listHeldRunes(wallet, network, account.id, all))
  const page = groups.slice(offset, offset + limit)
  const list = await mapConcurrently(page, CONCURRENCY, async ([name, members]) => {
    const { divisibility = 0, symbol = null } = members[0]?.asset ?? {}
    const told = members.find(({ asset }) => asset.rune !== null)?.asset.rune
    return {
      id: told ?? (await fetchFacts(wallet, network, name))?.id ?? null,
      ...{ name, symbol, divisibility },
      amount: formatRuneAmount(sumOf(members), divisibility),
      spendable: formatRuneAmount(sumOf(members.filter(mayGiveRunes)), divisibility),
      coins: members.map(({ coin, asset }) => ({
        output: coin.outpoint,
        outputValue: Number(coin.amount),
        amount: formatRuneAmount(asset.amount, divisibility),
      })),
    }
  })
  return { total: groups.length, list }
}

/** A rune by its name: what the account has of it, and what the index tells, held against its etching. Throws BackendUnavailableError. */
export async function fetchRuneDetail(
  wallet: CoinParts & { servers: Pick<Servers, 'urls'> },
  account: AccountView,
  network: Network,
  asked: string,
): Promise<RuneDetail> {
  const [{ all }, facts] = await Promise.all([
    loadCoins(wallet, account, network),
    fetchFacts(wallet, network, asked),
  ])
  // As the index spells it: it may have been asked for without its spacers.
  const name = facts?.name ?? asked
  const runes = await listHeldRunes(wallet, network, account.id, all)
  const held = runes.filter(({ asset }) => asset.name === name)
  const coins = held.slice(0, MAX_COINS).map(({ coin }) => coin)
  const onCoins = coins.flatMap(({ assets }) => (assets.known ? assets.assets : []))
  const ids = onCoins.flatMap(asset => (asset.kind === 'inscription' ? asset.id : []))
  const numbers = await wallet.coinAssets.numbersOf(wallet, network, ids)
  return {
    name,
    held: sumUp(held)[0] ?? null,
    coins: coins.map(({ outpoint, amount, assets, held }) => ({
      outpoint,
      sats: String(amount),
      assets: assets.known
        ? assets.assets.slice(0, MAX_COMPANIONS).map(asset => describeAsset(asset, numbers))
        : [],
      held,
    })),
    facts: facts && (await describeFacts(wallet, network, facts)),
  }
}

/** What sits on the coins of an account of runes. */
export async function listHeldRunes(
  wallet: Pick<CoinParts, 'activity'>,
  network: Network,
  accountId: string,
  coins: readonly Coin[],
): Promise<HeldRune[]> {
  const traces = await loadTraces(wallet, network, accountId)
  return coins.flatMap(coin => {
    if (!coin.assets.known) return []
    const made = traces.get(coin.outpoint) ?? []
    return coin.assets.assets.flatMap((asset): HeldRune[] => {
      if (asset.kind !== 'rune') return []
      const isMade = made.some(one => one.kind === 'rune' && one.name === asset.name)
      return [{ coin, asset, isCertain: coin.height !== null || isMade }]
    })
  })
}

/** Whether runes can be sent from a coin: they are there for certain, and it is held for nothing but them and inscriptions, which stay. */
export function mayGiveRunes({ coin, isCertain }: HeldRune): boolean {
  const isFree = coin.held === null || coin.held === 'runic' || coin.held === 'inscribed'
  const holdsAtomicals =
    coin.assets.known && coin.assets.assets.some(({ kind }) => kind === 'atomical')
  return isCertain && isFree && !holdsAtomicals
}

/** By name. */
function sumUp(held: readonly HeldRune[]): RuneView[] {
  return groupByName(held).map(([name, members]) => {
    const { divisibility = 0, symbol = null } = members[0]?.asset ?? {}
    const format = (some: readonly HeldRune[]) => formatRuneAmount(sumOf(some), divisibility)
    return {
      name,
      symbol,
      divisibility,
      amount: format(members),
      sendable: format(members.filter(mayGiveRunes)),
      coins: members.length,
      pending: format(members.filter(({ coin }) => coin.height === null)),
    }
  })
}

function groupByName(held: readonly HeldRune[]): [string, HeldRune[]][] {
  const groups = new Map<string, HeldRune[]>()
  for (const one of held) {
    const group = groups.get(one.asset.name)
    if (group) group.push(one)
    else groups.set(one.asset.name, [one])
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function sumOf(held: readonly HeldRune[]): bigint {
  return held.reduce((sum, { asset }) => sum + asset.amount, 0n)
}

/** Null where nobody answers, or knows it. */
async function fetchFacts(wallet: CoinParts, network: Network, name: string) {
  const source = await wallet.assets(network)
  return (await nullIfUnanswered(source.fetchRune(name))) ?? null
}

async function describeFacts(
  wallet: CoinParts & { servers: Pick<Servers, 'urls'> },
  network: Network,
  facts: RuneFacts,
): Promise<NonNullable<RuneDetail['facts']>> {
  const { divisibility, premine, mints, burned, terms } = facts
  const proof = await proveRune(wallet, network, facts)
  const { chain } = await wallet.servers.urls(network)
  const minted = mints * (terms?.amount ?? 0n)
  const format = (amount: bigint) => formatRuneAmount(amount, divisibility)
  return {
    id: facts.id,
    number: facts.number,
    symbol: facts.symbol,
    divisibility,
    supply: format(burned > premine + minted ? 0n : premine + minted - burned),
    premine: format(premine),
    burned: format(burned),
    mints: String(mints),
    terms: terms && describeTerms(facts, terms),
    isMintable: facts.isMintable,
    turbo: facts.turbo,
    etching: facts.etching,
    explorerUrl: explorerUrlOf(chain, network, facts.etching),
    height: facts.height,
    at: facts.at,
    proof,
  }
}

function describeTerms(
  { height, divisibility }: RuneFacts,
  terms: NonNullable<RuneFacts['terms']>,
): RuneTermsView {
  const { start, end } = findMintWindow(terms, height)
  return {
    amount: formatRuneAmount(terms.amount ?? 0n, divisibility),
    cap: String(terms.cap ?? 0n),
    start: start === null ? null : Number(start),
    end: end === null ? null : Number(end),
  }
}

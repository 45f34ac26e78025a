import type { Network } from '../../bitcoin/network.ts'
import type { RuneFacts } from '../../chain/asset-source.ts'
import type { RuneAsset } from '../../ordinals/asset.ts'
import { formatRuneAmount } from '../../ordinals/runes/rune-amount.ts'
import { findMintWindow } from '../../ordinals/runes/rune-mint.ts'
import { type Coin, type CoinParts, loadCoins } from '../coins/coins.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import { describeAsset } from '../review/asset-moves.ts'
import { explorerUrlOf, type Servers } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type { RuneDetail, RunesPage, RuneTermsView, RuneView } from '../views/asset-views.ts'
import { countUnchecked, MAX_COMPANIONS } from './inscriptions.ts'
import { proveRune } from './rune-proofs.ts'

/** An amount of a rune of an account, and the coin that it is on. */
export type HeldRune = { coin: Coin; asset: RuneAsset }

/** Coins of one rune that are listed. */
const MAX_COINS = 200

/** A page of the runes of an account, by name. Throws BackendUnavailableError. */
export async function listRunes(
  wallet: CoinParts,
  account: AccountView,
  network: Network,
  { offset, limit }: { offset: number; limit: number },
): Promise<RunesPage> {
  const { all } = await loadCoins(wallet, account, network)
  const runes = sumUp(listHeldRunes(all))
  return {
    total: runes.length,
    runes: runes.slice(offset, offset + limit),
    unchecked: countUnchecked(all),
  }
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
  const held = listHeldRunes(all).filter(({ asset }) => asset.name === name)
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
export function listHeldRunes(coins: readonly Coin[]): HeldRune[] {
  return coins.flatMap(coin =>
    coin.assets.known
      ? coin.assets.assets.flatMap(asset => (asset.kind === 'rune' ? { coin, asset } : []))
      : [],
  )
}

/** Whether runes can be sent from a coin: it is held for nothing but them and inscriptions, which stay. */
export function mayGiveRunes({ coin }: HeldRune): boolean {
  const isFree = coin.held === null || coin.held === 'runic' || coin.held === 'inscribed'
  const holdsAtomicals =
    coin.assets.known && coin.assets.assets.some(({ kind }) => kind === 'atomical')
  return isFree && !holdsAtomicals
}

/** By name. */
function sumUp(held: readonly HeldRune[]): RuneView[] {
  const groups = new Map<string, HeldRune[]>()
  for (const one of held) {
    const group = groups.get(one.asset.name)
    if (group) group.push(one)
    else groups.set(one.asset.name, [one])
  }
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, members]) => {
      const { divisibility = 0, symbol = null } = members[0]?.asset ?? {}
      const sumOf = (some: readonly HeldRune[]) =>
        formatRuneAmount(
          some.reduce((sum, { asset }) => sum + asset.amount, 0n),
          divisibility,
        )
      return {
        name,
        symbol,
        divisibility,
        amount: sumOf(members),
        sendable: sumOf(members.filter(mayGiveRunes)),
        coins: members.length,
        pending: sumOf(members.filter(({ coin }) => coin.height === null)),
      }
    })
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

import { addressOfScript } from '../../bitcoin/address.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { AtomicalAsset } from '../../ordinals/asset.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import type { AtomicalId } from '../../ordinals/atomical-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import { type Coin, type CoinParts, loadCoins } from '../coins/coins.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import { describeAsset } from '../review/asset-moves.ts'
import { explorerUrlOf, type Servers, type Sources } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type {
  AtomicalDetail,
  AtomicalsPage,
  AtomicalView,
  TokenView,
} from '../views/asset-views.ts'
import { isMintedBy } from './atomical-mint.ts'
import { compareArrival, countUnchecked, MAX_COMPANIONS } from './inscriptions.ts'

/** An Atomical of an account, or units of one, and the coin that it is on. */
export type HeldAtomical = { coin: Coin; asset: AtomicalAsset }

/** Nobody has told their numbers: what shares a coin with an Atomical goes by its id. */
const NO_NUMBERS = new Map<string, number>()

/** The tokens of an account, and a page of its NFTs, newest arrivals first. Throws BackendUnavailableError. */
export async function listAtomicals(
  wallet: CoinParts,
  account: AccountView,
  network: Network,
  { offset, limit }: { offset: number; limit: number },
): Promise<AtomicalsPage> {
  const { all } = await loadCoins(wallet, account, network)
  const held = listHeld(all)
  const nfts = held.filter(({ asset }) => asset.type === 'nft')
  return {
    isChecked: (await wallet.atomicals(network)) !== null,
    total: nfts.length,
    nfts: nfts.slice(offset, offset + limit).map(describeAtomical),
    tokens: sumUp(held.filter(({ asset }) => asset.type === 'ft')),
    unchecked: countUnchecked(all),
  }
}

/** What sits on the coins of an account of Atomicals, newest arrivals first. */
export function listHeld(coins: readonly Coin[]): HeldAtomical[] {
  return coins
    .toSorted(compareArrival)
    .flatMap(coin =>
      coin.assets.known
        ? coin.assets.assets.flatMap(asset => (asset.kind === 'atomical' ? { coin, asset } : []))
        : [],
    )
}

/** As the gallery shows it, with at most 100 of the other assets on its coin. */
export function describeAtomical({ coin, asset }: HeldAtomical): AtomicalView {
  const { id, number, name } = asset
  const others = coin.assets.known
    ? coin.assets.assets.filter(other => keyOfAsset(other) !== keyOfAsset(asset))
    : []
  return {
    id,
    number,
    name,
    outpoint: coin.outpoint,
    sats: String(coin.amount),
    companions: others.slice(0, MAX_COMPANIONS).map(other => describeAsset(other, NO_NUMBERS)),
    held: coin.held === 'reserved' || coin.held === 'locked' ? coin.held : null,
    pending: coin.height === null,
  }
}

/** Whether units of a token can be sent from a coin: nothing else is on it, and it is held for nothing but them. */
export function isSendable({ coin, asset }: HeldAtomical): boolean {
  const isFree = coin.held === 'atomical' || coin.held === null
  const isAlone = coin.assets.known && coin.assets.assets.length === 1
  return asset.type === 'ft' && isFree && isAlone
}

function sumUp(held: readonly HeldAtomical[]): TokenView[] {
  const groups = new Map<AtomicalId, HeldAtomical[]>()
  for (const one of held) groups.set(one.asset.id, [...(groups.get(one.asset.id) ?? []), one])
  return [...groups].map(([id, members]) => {
    const told = members.find(({ asset }) => asset.name !== null) ?? members[0]
    return {
      id,
      number: told?.asset.number ?? null,
      name: told?.asset.name ?? null,
      amount: sumOf(members),
      sendable: sumOf(members.filter(isSendable)),
      coins: members.length,
      pending: sumOf(members.filter(({ coin }) => coin.height === null)),
    }
  })
}

function sumOf(held: readonly HeldAtomical[]): string {
  return String(held.reduce((sum, { asset }) => sum + asset.amount, 0n))
}

/** An Atomicals NFT of an account, its mint held against the chain. Throws -32602 for one that is not there, BackendUnavailableError. */
export async function fetchAtomicalDetail(
  wallet: CoinParts & { servers: Pick<Servers, 'urls'> },
  account: AccountView,
  network: Network,
  id: AtomicalId,
): Promise<AtomicalDetail> {
  const { all } = await loadCoins(wallet, account, network)
  const held = listHeld(all).find(({ asset }) => asset.type === 'nft' && asset.id === id)
  if (!held) throw invalidParams('id', id, 'an Atomical of this account')
  const facts = await fetchFacts(wallet, network, id)
  const { chain } = await wallet.servers.urls(network)
  return {
    ...describeAtomical(held),
    address: addressOfScript(held.coin.scriptPubKey, network) ?? account.address,
    subtype: facts?.subtype ?? null,
    mint: facts && {
      ...facts.reveal,
      explorerUrl: explorerUrlOf(chain, network, facts.reveal.txid),
    },
    isMinted: facts ? await isMintedBy(wallet, network, id, facts.reveal.txid) : null,
  }
}

/** Null where nobody answers. */
async function fetchFacts(wallet: Pick<Sources, 'atomicals'>, network: Network, id: AtomicalId) {
  const source = await wallet.atomicals(network)
  const facts = source && (await nullIfUnanswered(source.fetchFacts([id])))
  return facts?.get(id) ?? null
}

// collectibles: Listing what an account has of inscriptions and Atomicals, and proving it against the chain
// (`inscription-proofs.ts`). It promises to say how far each was checked; it never moves anything, and trusts no
// content further than its reveal shows.

import { addressOfScript } from '../../bitcoin/address.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { InscriptionFacts } from '../../chain/asset-source.ts'
import type { InscriptionAsset } from '../../ordinals/asset.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { kindOfContent } from '../../ordinals/content/content-kind.ts'
import type { SatPoint } from '../../ordinals/flow/sat-flow.ts'
import { type InscriptionId, parseInscriptionId } from '../../ordinals/inscription-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { InscriptionNumbers } from '../coins/coin-assets.ts'
import { type Coin, type CoinParts, loadCoins } from '../coins/coins.ts'
import { isYounger } from '../primitives/clock.ts'
import { describeAsset, describeRareSats } from '../review/asset-moves.ts'
import { explorerUrlOf, type Servers, type Sources } from '../settings/servers.ts'
import type { AccountView } from '../views/account-views.ts'
import type {
  InscriptionDetail,
  InscriptionGroup,
  InscriptionPage,
  InscriptionView,
  UncheckedReason,
} from '../views/asset-views.ts'
import {
  type GroupingParts,
  groupInscriptions,
  type InscriptionGroups,
  sortInscriptions,
} from './inscription-groups.ts'
import {
  type InscriptionProofs,
  type ProofParts,
  type ProvenInscription,
  proveInscription,
} from './inscription-proofs.ts'

type DescriptionParts = Pick<Sources, 'assets'> & {
  inscriptionProofs: Pick<InscriptionProofs, 'recall'>
}

/** The parts of the wallet that list an account's inscriptions. */
export type InscriptionListParts = CoinParts &
  DescriptionParts &
  GroupingParts & { inscriptionListings: InscriptionListings }

/** An inscription of an account, and the coin that it is on. */
export type HeldInscription = { coin: Coin; asset: InscriptionAsset }

/** Anybody can put thousands on one coin of somebody else. */
export const MAX_COMPANIONS = 100

/** Characters of a content type that are shown; no registered one is longer. */
const MAX_TYPE = 127

/** All of an account's inscriptions, in the order of the list, where they are listed, and how many coins may hold more. */
export type Listing = {
  held: readonly HeldInscription[]
  unchecked: InscriptionPage['unchecked']
  runes: number
  groups: InscriptionGroups<HeldInscription>
}

const KEEP_MS = 60_000

/**
 * The list that pages are cut from, in memory: the pages after the first are those of the list as it was then, for a minute.
 * They fit together, and the coins of a large collection, which take hundreds of questions, are not asked for with each.
 */
export function createInscriptionListings({ now }: { now(): number }) {
  let last: { key: string; at: number; listing: Listing } | null = null
  return {
    /** `key` names the account and its network. */
    async load(key: string, offset: number, read: () => Promise<Listing>): Promise<Listing> {
      const isKept = last?.key === key && isYounger(last.at, KEEP_MS, now())
      if (offset > 0 && last && isKept) return last.listing
      const listing = await read()
      last = { key, at: now(), listing }
      return listing
    },
    /** The person sorted them anew. */
    async forget(): Promise<void> {
      last = null
    },
  }
}

export type InscriptionListings = ReturnType<typeof createInscriptionListings>

/**
 * A page of a group of an account's inscriptions, newest arrivals first; those of one coin stand together. The next page begins at
 * `offset + limit` (of the same list, if it is asked for within a minute), also when this one is shorter because the index knows nothing more of some. Throws
 * BackendUnavailableError.
 */
export async function listInscriptions(
  wallet: InscriptionListParts,
  account: AccountView,
  network: Network,
  { group, ...range }: { offset: number; limit: number; group: InscriptionGroup },
): Promise<InscriptionPage> {
  const pick = ({ groups }: Listing) => groups[group]
  const { listing, page } = await loadPage(wallet, account, network, { ...range, pick })
  const { groups, unchecked, runes } = listing
  return {
    total: groups[group].length,
    hidden: groups.hidden.length,
    spam: groups.spam.length,
    inscriptions: page.map(({ view }) => view),
    ...{ unchecked, runes },
  }
}

/** The same of all of them, each with the address that it is on: a site is told what there is, whatever the person hid. */
export async function listAddressedInscriptions(
  wallet: InscriptionListParts,
  account: AccountView,
  network: Network,
  range: { offset: number; limit: number },
): Promise<{ total: number; inscriptions: { view: InscriptionView; address: string }[] }> {
  const pick = ({ held }: Listing) => held
  const { listing, page } = await loadPage(wallet, account, network, { ...range, pick })
  const inscriptions = page.map(({ view, coin }) => {
    const address = addressOfScript(coin.scriptPubKey, network) ?? account.address
    return { view, address }
  })
  return { total: listing.held.length, inscriptions }
}

async function loadPage(
  wallet: InscriptionListParts,
  account: AccountView,
  network: Network,
  range: {
    offset: number
    limit: number
    pick: (listing: Listing) => readonly HeldInscription[]
  },
): Promise<{ listing: Listing; page: Described[] }> {
  const { offset, limit } = range
  // A site sees some of the account's addresses alone: what was read for one is no answer for the other.
  const addresses = account.descriptor === null ? 'fixed' : 'all'
  const listing = await wallet.inscriptionListings.load(
    `${network} ${account.id} ${addresses}`,
    offset,
    async () => {
      const list = await loadHeldInscriptions(wallet, account, network)
      const sortings = await sortInscriptions(wallet, account, network, list.held)
      return { ...list, groups: groupInscriptions(list.held, sortings) }
    },
  )
  const page = range.pick(listing).slice(offset, offset + limit)
  return { listing, page: await describeInscriptions(wallet, network, page) }
}

/** Read from the servers. Throws BackendUnavailableError. */
export async function loadHeldInscriptions(
  wallet: CoinParts,
  account: AccountView,
  network: Network,
): Promise<Omit<Listing, 'groups'>> {
  const { all } = await loadCoins(wallet, account, network)
  const held = all
    .toSorted(compareArrival)
    .flatMap(coin => inscriptionsOn(coin).map(asset => ({ coin, asset })))
  return { held, unchecked: countUnchecked(all), runes: countRunes(all) }
}

function inscriptionsOn({ assets }: Coin): InscriptionAsset[] {
  return assets.known ? assets.assets.filter(asset => asset.kind === 'inscription') : []
}

function countRunes(coins: readonly Coin[]): number {
  const names = coins.flatMap(({ assets }) =>
    assets.known ? assets.assets.flatMap(asset => (asset.kind === 'rune' ? asset.name : [])) : [],
  )
  return new Set(names).size
}

/** What is in no block yet came last. */
export function compareArrival(a: Coin, b: Coin): number {
  const [first, second] = [a, b].map(({ height }) => height ?? Number.POSITIVE_INFINITY)
  if (first !== second) return (second ?? 0) - (first ?? 0)
  return a.txid === b.txid ? a.vout - b.vout : a.txid < b.txid ? -1 : 1
}

/** With the reason that most of them have. */
export function countUnchecked(coins: readonly Coin[]): InscriptionPage['unchecked'] {
  const reasons = coins.flatMap(({ assets }) => (assets.known ? [] : assets.why))
  const counts = new Map<UncheckedReason, number>()
  for (const why of reasons) counts.set(why, (counts.get(why) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return { count: reasons.length, why: most?.[0] ?? null }
}

/** An inscription as it is shown, and what the index says of it; null when that knows nothing. Throws BackendUnavailableError. */
export async function describeInscription(
  wallet: DescriptionParts,
  network: Network,
  held: HeldInscription,
): Promise<Described | null> {
  const [described] = await describeInscriptions(wallet, network, [held])
  return described ?? null
}

type Described = { view: InscriptionView; facts: InscriptionFacts; coin: Coin }

async function describeInscriptions(
  wallet: DescriptionParts,
  network: Network,
  held: readonly HeldInscription[],
): Promise<Described[]> {
  if (held.length === 0) return []
  const assets = held.flatMap(one => [one.asset, ...listCompanions(one)])
  const ids = assets.flatMap(asset => (asset.kind === 'inscription' ? asset.id : []))
  const index = await wallet.assets(network)
  const known = await index.fetchInscriptions([...new Set(ids)])
  const numbers = new Map([...known].map(([id, { number }]) => [id, number]))
  const recall = await wallet.inscriptionProofs.recall(network)
  return held.flatMap(one => {
    const facts = known.get(one.asset.id)
    if (!facts) return []
    const satpoint = placeOf(one, facts)
    const proof = satpoint ? (recall(facts, satpoint)?.proof ?? 'server') : 'contradicted'
    return { view: { ...toView(one, facts, numbers), proof }, facts, coin: one.coin }
  })
}

/**
 * Where it is within the coin: as this wallet traced it, else by the index. Null when the index has it on another output than
 * the one that it says it is on.
 */
export function placeOf(
  { coin: { outpoint, amount }, asset }: HeldInscription,
  { satpoint }: InscriptionFacts,
): SatPoint | null {
  if (asset.offset !== null) return { outpoint, offset: asset.offset }
  return satpoint.outpoint === outpoint && satpoint.offset < amount ? satpoint : null
}

function toView(
  held: HeldInscription,
  facts: InscriptionFacts,
  numbers: InscriptionNumbers,
): Omit<InscriptionView, 'proof'> {
  const { coin } = held
  const { id, number, contentType, contentLength, height, at } = facts
  return {
    id,
    number,
    kind: kindOfContent(contentType, contentLength),
    contentType: contentType?.slice(0, MAX_TYPE) ?? null,
    contentLength,
    outpoint: coin.outpoint,
    offset: String(placeOf(held, facts)?.offset ?? 0n),
    sats: String(coin.amount),
    height,
    at,
    companions: listCompanions(held).map(asset => describeAsset(asset, numbers)),
    held: coin.held === 'reserved' || coin.held === 'locked' ? coin.held : null,
    pending: coin.height === null,
  }
}

function listCompanions({ coin: { assets }, asset }: HeldInscription) {
  if (!assets.known) return []
  const others = assets.assets.filter(one => keyOfAsset(one) !== asset.id)
  return others.slice(0, MAX_COMPANIONS)
}

/** Characters of a text that an inscription names its protocol with. */
const MAX_METAPROTOCOL = 200

/** An inscription of an account, checked against the chain server. Throws -32602 for one that is not there, BackendUnavailableError. */
export async function fetchInscriptionDetail(
  wallet: CoinParts & ProofParts & GroupingParts & { servers: Pick<Servers, 'urls'> },
  account: AccountView,
  network: Network,
  id: InscriptionId,
): Promise<InscriptionDetail> {
  const { held } = await loadHeldInscriptions(wallet, account, network)
  const one = held.find(({ asset }) => asset.id === id)
  const known = one && (await describeInscription(wallet, network, one))
  if (!known) throw invalidParams('id', id, 'an inscription of this account')
  const { view, facts } = known
  const sortings = await sortInscriptions(wallet, account, network, held)
  const satpoint = placeOf(one, facts)
  const { proof, detail, delegate } = satpoint
    ? await proveInscription(wallet, network, id, satpoint)
    : misplaced(facts.satpoint.outpoint)
  const reveal = parseInscriptionId(id)?.txid ?? ''
  return {
    ...view,
    rareSats: describeRareSats(one.coin.assets),
    isReleased: one.coin.choice === 'unlocked' && one.coin.held === null,
    sorting: sortings.get(id) ?? { group: 'shown', why: null },
    proof,
    proofDetail: detail,
    delegate,
    address: addressOfScript(one.coin.scriptPubKey, network) ?? account.address,
    reveal,
    explorerUrl: explorerUrlOf((await wallet.servers.urls(network)).chain, network, reveal),
    parents: [...facts.parents],
    charms: [...facts.charms],
    metaprotocol: facts.metaprotocol?.slice(0, MAX_METAPROTOCOL) ?? null,
  }
}

/** The index itself has it elsewhere, though it said that it is on the coin. */
function misplaced(outpoint: string): ProvenInscription {
  return { proof: 'contradicted', detail: { kind: 'elsewhere', outpoint }, delegate: null }
}

// coins: Which coins an account has, what sits on them, and why payments leave some of them alone. It promises
// that evidence against the word of an index only ever holds a coin back, and that coins of a payment under way
// are not chosen again; it never builds or signs a payment.

import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { equalBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { OwnScript } from '../../bitcoin/psbt/owners.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { asTold, isCounted } from '../../chain/confirmation-limit.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { Asset, CoinAssets } from '../../ordinals/asset.ts'
import { isAtLeast, type RareSat } from '../../ordinals/sats/rare-sats.ts'
import type { Rarity } from '../../ordinals/sats/rarity.ts'
import { type Accounts, canSign } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import { firstAddress, listFixedAddresses } from '../accounts/fixed-addresses.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { Activity, SentRecord } from '../activity/activity.ts'
import { isLive } from '../activity/sent-status.ts'
import type { Clock } from '../primitives/clock.ts'
import { mapConcurrently } from '../primitives/concurrency.ts'
import type { Sources } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { AccountView } from '../views/account-views.ts'
import type { HeldReason } from '../views/asset-views.ts'
import type { ExpertSwitches } from '../views/settings-views.ts'
import type { CoinAssetStore } from './coin-assets.ts'
import {
  type CoinChoice,
  type CoinChoices,
  type CoinDecision,
  isAsKnown,
  knewSats,
} from './coin-choices.ts'
import { type EndedPayment, listEndedPayments } from './ended-payments.ts'

/** Outputs of at most this many sats may be postage of an inscription; no switch frees such a coin of unknown content. */
const POSTAGE_LIMIT = 10_000n

/** What a stranger sends of at most this many sats is there to be spent with other coins, which shows that they are one person's. */
const DUST_LIMIT = 1_000n

/** Addresses whose coins are asked for at the same time. */
const CONCURRENCY = 4

/** An unspent output of an account, what sits on it, why payments do not spend it by themselves, and what the person decided. */
export type Coin = Utxo & {
  outpoint: string
  /** Where its block does not count, what its server says: so an index is asked about it. */
  toldHeight?: number
  assets: CoinAssets
  held: HeldReason | null
  choice: CoinChoice | null
}

/** The parts of the wallet that tell an account's coins apart. */
export type CoinParts = Pick<Sources, 'chain' | 'assets' | 'atomicals'> &
  Clock & {
    addresses: Pick<
      Addresses,
      'list' | 'listFunded' | 'nextChanges' | 'isFreeForChange' | 'find' | 'markUsed'
    >
    activity: Pick<Activity, 'listSent' | 'listOpen' | 'listAsked' | 'setStatus'>
    coinAssets: CoinAssetStore
    coinChoices: Pick<CoinChoices, 'load'>
    settings: Pick<SettingsStore, 'load'>
    /** Outpoints that a payment under way spends which is in no record of the activity yet. */
    listReserved(): Promise<ReadonlySet<string>>
  }

export type Coins = {
  all: readonly Coin[]
  /** Those that are not held. */
  spendable: readonly Coin[]
  /**
   * These coins, and one input of each payment that was refused, or replaced by others, where it is still unspent and they
   * have none; else one that hangs on the payment which has that input. The next payment spends all of it: of the two, a server that
   * lied can then publish one, and never both. They are looked for `among` the spendable coins, or those of them that may be spent here.
   */
  withRequired(chosen: readonly Coin[], among?: readonly Coin[]): Coin[]
  /** Whether an error may not say what there is: a site asks, which knows one of the addresses alone. */
  isSecret: boolean
}

/**
 * Sorts an account's coins. Payments spend those that are clean by the word of the index or as this wallet's own change;
 * the others are held, unless the person decided otherwise. Coins of payments under way are reserved.
 */
export async function loadCoins(
  wallet: CoinParts,
  account: AccountView,
  network: Network,
): Promise<Coins> {
  const chain = await wallet.chain(network)
  const addresses = await wallet.addresses.listFunded(chain, account)
  const lists = await mapConcurrently(addresses, CONCURRENCY, ({ address, scriptPubKey }) =>
    asTold(chain).fetchUtxos(address, scriptPubKey),
  )
  // What an index says of a coin holds it back, whether its block counts or not.
  const utxos = lists.flat()
  const contents = await wallet.coinAssets.classify(wallet, network, account.id, utxos)
  // After the servers' answers: what was reserved meanwhile counts.
  const [records, planned, choices, rules, { asked, hasOtherThan }] = await Promise.all([
    wallet.activity.listSent(network, account.id),
    wallet.listReserved(),
    wallet.coinChoices.load(network),
    loadCoinRules(wallet, network),
    wallet.activity.listAsked(network, account.id),
  ])
  // What comes to an address that had nothing links it with nothing.
  const isDust = ({ txid, amount }: Utxo) =>
    amount <= DUST_LIMIT && !asked.has(txid) && (utxos.length > 1 || hasOtherThan(txid))
  const live = records.filter(isLive)
  const claimed = new Set(live.flatMap(record => record.spends))
  const change = new Set(live.flatMap(record => record.creates))
  const yielding = listYielding(records)
  const isOnOrdinals = createIsOnOrdinals(account)
  const all = utxos.map((told): Coin => {
    const { height } = told
    const isDoubted = height !== null && !isCounted(chain, height)
    const utxo = isDoubted ? { ...told, height: null, toldHeight: height } : told
    const outpoint = formatOutpoint(utxo)
    const assets = contents.get(outpoint) ?? UNANSWERED
    const decision = choices.get(outpoint)
    const isReserved = claimed.has(outpoint) || planned.has(outpoint) || yielding.has(utxo.txid)
    const coin = { ...utxo, outpoint, assets }
    const held = isReserved
      ? 'reserved'
      : reasonToHold(coin, {
          ...{ decision, rules, isChange: change.has(outpoint) },
          isOnOrdinals: isOnOrdinals(utxo.scriptPubKey),
          isDust: isDust(utxo),
        })
    return { ...coin, choice: decision?.choice ?? null, held }
  })
  const spendable = all.filter(({ held }) => held === null)
  const ended = listEndedPayments(records)
  const withRequired: Coins['withRequired'] = (chosen, among = spendable) =>
    addRequired(chosen, ended, among)
  return { all, spendable, withRequired, isSecret: false }
}

/** What the person's switches say of coins, on this network. */
export type CoinRules = Pick<ExpertSwitches, 'spendUnconfirmed' | 'spendUnchecked'> & {
  /** Nobody tells of Atomicals, and the person wants small coins held back then. */
  holdSmall: boolean
  /** From which rarity on sats are held; null for none. */
  holdRare: Rarity | null
}

/** The rules for coins as the person has set them; small coins are held only where no server tells of Atomicals. */
export async function loadCoinRules(wallet: CoinParts, network: Network): Promise<CoinRules> {
  const { expert, holdRareSats: holdRare } = await wallet.settings.load()
  const holdSmall = expert.holdSmallCoins && (await wallet.atomicals(network)) === null
  return { ...expert, holdSmall, holdRare }
}

/** Why payments do not spend a coin that no other payment has; null when they may. */
export function reasonToHold(
  { amount, height, assets }: Pick<Coin, 'amount' | 'height' | 'assets'>,
  {
    decision,
    rules,
    isChange,
    isOnOrdinals,
    isDust,
  }: {
    decision: CoinDecision | undefined
    rules: CoinRules
    isChange: boolean
    isOnOrdinals: boolean
    /** Tiny, and from nobody whom the account has dealt with. */
    isDust: boolean
  },
): HeldReason | null {
  if (decision?.choice === 'locked') return 'locked'
  const rare = listHeldSats(assets, rules)
  const isUnlocked = decision?.choice === 'unlocked' && isAsKnown(decision.knew, assets)
  if (isUnlocked && knewSats(decision.knew, rare)) return null
  if (assets.known && assets.assets.length > 0) return holdByKind(assets.assets)
  if (rare.length > 0) return 'rare'
  if (!assets.known && assets.why === 'contradicted') return 'unknown'
  if (height === null && !(isChange && assets.known) && !rules.spendUnconfirmed)
    return 'unconfirmed'
  // Whatever no index knows of is safe there, too.
  if (isOnOrdinals) return 'ordinals'
  if (isDust && assets.known) return 'dust'
  if (assets.known) return rules.holdSmall && !isChange && amount <= POSTAGE_LIMIT ? 'small' : null
  const isFreed = height === null ? rules.spendUnconfirmed : rules.spendUnchecked
  return isFreed && amount > POSTAGE_LIMIT ? null : 'unknown'
}

/** The sats of a coin that are rare enough to be held. */
function listHeldSats(assets: CoinAssets, { holdRare }: CoinRules): readonly RareSat[] {
  if (holdRare === null || !assets.known) return []
  return (assets.rareSats ?? []).filter(({ sat }) => isAtLeast(sat, holdRare))
}

/** By what most people would miss most. */
function holdByKind(assets: readonly Asset[]): HeldReason {
  const kinds = new Set(assets.map(({ kind }) => kind))
  if (kinds.has('inscription')) return 'inscribed'
  return kinds.has('atomical') ? 'atomical' : 'runic'
}

/** Txids that a replacement under way is to replace; the coins that they create go with them. */
export function listYielding(records: readonly SentRecord[]): ReadonlySet<string> {
  return new Set(records.filter(isLive).flatMap(({ replaces }) => replaces ?? []))
}

/** Whether a script is that of the account's address for ordinals. */
export function createIsOnOrdinals({
  ordinals,
}: AccountView): (scriptPubKey: Uint8Array) => boolean {
  if (!ordinals) return () => false
  const script = scriptPubKeyOf(fromHex(ordinals.publicKey), 'p2tr')
  return scriptPubKey => equalBytes(scriptPubKey, script)
}

/** The coins of the account's fixed addresses alone, for what is signed with the keys of those. */
export function ofFixedAddresses(coins: Coins, account: AccountView, network: Network): Coins {
  if (account.descriptor === null) return coins
  const isFixed = createIsFixed(account, network)
  const isOwn = ({ scriptPubKey }: Coin) => isFixed(scriptPubKey)
  return { ...coins, all: coins.all.filter(isOwn), spendable: coins.spendable.filter(isOwn) }
}

/** Whether a script is that of one of the account's fixed addresses. */
export function createIsFixed(
  account: AccountView,
  network: Network,
): (scriptPubKey: Uint8Array) => boolean {
  return createIsOf(listFixedAddresses(account, network))
}

/** Whether a script is that of one of these addresses. */
export function createIsOf(
  addresses: readonly Pick<OwnScript, 'scriptPubKey'>[],
): (scriptPubKey: Uint8Array) => boolean {
  const scripts = new Set(addresses.map(({ scriptPubKey }) => toHex(scriptPubKey)))
  return scriptPubKey => scripts.has(toHex(scriptPubKey))
}

/** The coins that who asks may name, or ask what is on them: a site those of the account's fixed addresses alone. */
export function ofAsker(
  coins: Coins,
  { account, network, key = null }: Pick<PayingContext, 'account' | 'network' | 'key'>,
): Coins {
  return key === null ? coins : ofFixedAddresses(coins, account, network)
}

/** scriptPubKey of an account's first address, from its key alone where it has one. */
export function scriptOf(account: AccountView, network: Network): Uint8Array {
  return firstAddress(account, network).scriptPubKey
}

/** The parts of the wallet that know its addresses. */
export type OwnScriptParts = {
  accounts: Pick<Accounts, 'list'>
  addresses: Pick<Addresses, 'list' | 'find'>
}

/**
 * The addresses that keys of this wallet open. Where two accounts have the same one, such as an imported key that is also one of many
 * addresses, that of the account in use comes last, which counts.
 */
export async function listOwnScripts(
  wallet: OwnScriptParts,
  network: Network,
  inUse: Pick<AccountView, 'id'> | null = null,
): Promise<OwnScript[]> {
  const isInUse = ({ id }: AccountView) => Number(id === inUse?.id)
  const accounts = (await wallet.accounts.list(network))
    .filter(canSign)
    .sort((a, b) => isInUse(a) - isInUse(b))
  const lists = await Promise.all(
    accounts.map(async ({ id, ...account }) => {
      const addresses = await wallet.addresses.list(network, { id, ...account })
      return addresses.flatMap(({ scriptPubKey, publicKey }) =>
        publicKey ? [{ accountId: id, scriptPubKey, publicKey }] : [],
      )
    }),
  )
  return lists.flat()
}

/** As few coins as contradict all the ended payments that can be contradicted: confirmed and large ones first. */
function addRequired(
  chosen: readonly Coin[],
  ended: readonly EndedPayment[],
  spendable: readonly Coin[],
): Coin[] {
  if (ended.length === 0) return [...chosen]
  const byOutpoint = new Map(spendable.map(coin => [coin.outpoint, coin]))
  const required = new Set(chosen)
  for (const { opposedBy } of ended) {
    const coins = opposedBy.flatMap(outpoint => byOutpoint.get(outpoint) ?? [])
    const best = coins.reduce<Coin | undefined>(better, undefined)
    if (best && !coins.some(coin => required.has(coin))) required.add(best)
  }
  return [...required]
}

function better(best: Coin | undefined, coin: Coin): Coin {
  if (!best || (best.height === null) !== (coin.height === null)) {
    return best && best.height !== null ? best : coin
  }
  return coin.amount > best.amount ? coin : best
}

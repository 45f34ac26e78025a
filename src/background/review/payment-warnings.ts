// review: Facts and warnings that reviews share: fees, recipients, coins that nobody checked, where assets go
// (`asset-moves.ts`). It promises the same warning for the same facts, whatever is reviewed; it never refuses
// anything but what is absurd or would lose an asset.

import { InvalidAddressError } from '../../bitcoin/address.ts'
import { looksLike } from '../../bitcoin/address-likeness.ts'
import { feeRateOf } from '../../bitcoin/fee-rate.ts'
import type { Network } from '../../bitcoin/network.ts'
import { parsePayee } from '../../bitcoin/silent-payments/payee.ts'
import { failure } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import { type Contacts, isNameContact } from '../accounts/contacts.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { AccountView, GivenName } from '../views/account-views.ts'
import type { UncheckedReason } from '../views/asset-views.ts'
import type { PaidBefore, Warning } from '../views/payment-views.ts'
import type { FeeReferences } from './fee-rates.ts'
import { DUST_PAYMENT, type KnownPeer, loadKnownPeers, type PeerParts } from './peer-proofs.ts'

/** High whatever servers say is usual. */
const HIGH_FEE = 200_000n
const HIGH_FEE_RATE = 500

/** Below this a fee is not high for being a part of the amount, or more than the last blocks were paid. */
const SMALL_FEE = 10_000n

/** A fee rate is high above so many times what is usual. */
const TIMES_USUAL = 5

/** Bitcoin Core's own bound. */
const ABSURD_FEE_RATE = 10_000

/**
 * A fee is high over a bound of our own, over 10 % of the amount and 10,000 sats, and over five times the fastest rate that
 * any server tells; with more than 10,000 sats also over five times what the last blocks were paid. One below the server's
 * minimum may never confirm. Throws ABSURD_FEE above 10,000 sat/vB.
 */
export function warnOfFee(params: {
  fee: bigint
  vsize: number
  /** Sats that the fee is compared with; null when there is nothing to compare. */
  amount: bigint | null
  fees: FeeReferences
}): Warning[] {
  const { fee, vsize, amount, fees } = params
  const { rates, otherFastest, recent } = fees
  const rate = feeRateOf(fee, vsize)
  if (rate > ABSURD_FEE_RATE) {
    throw failure('ABSURD_FEE', `The fee of ${fee} sats is more than ${ABSURD_FEE_RATE} sat/vB.`)
  }
  const percent = amount === null || amount === 0n ? null : Number((fee * 1000n) / amount) / 10
  const told = [rates?.fastest, otherFastest].filter(one => one != null)
  const fastest = told.length > 0 ? Math.min(...told) : null
  const isLarge = fee > SMALL_FEE
  const dear = percent !== null && fee * 10n > (amount ?? 0n) && isLarge
  const fast = fastest !== null && rate > TIMES_USUAL * fastest
  const unusual = recent !== null && rate > TIMES_USUAL * recent && isLarge
  if (dear || fast || unusual || fee > HIGH_FEE || rate > HIGH_FEE_RATE)
    return [{ kind: 'high-fee', percent, fastest, recent }]
  if (rates !== null && rate < rates.minimum) return [{ kind: 'low-fee', minimum: rates.minimum }]
  return []
}

/** The worst first. */
const REASONS: readonly UncheckedReason[] = [
  'contradicted',
  'unanswered',
  'not-indexed',
  'behind',
  'unconfirmed',
]

/** Why nobody can say what sits on inputs, in their order; null where somebody can, or where it does not matter. */
export function warnOfUnchecked(reasons: readonly (UncheckedReason | null)[]): Warning[] {
  return REASONS.flatMap((why): Warning[] => {
    const inputs = [...reasons.keys()].filter(input => reasons[input] === why)
    return inputs.length > 0 ? [{ kind: 'unchecked-coins', inputs, why }] : []
  })
}

/** Says which own inputs are in no block, by their order. */
export function warnOfUnconfirmed(areUnconfirmed: readonly boolean[]): Warning[] {
  const inputs = areUnconfirmed.flatMap((is, input) => (is ? input : []))
  return inputs.length > 0 ? [{ kind: 'spends-unconfirmed', inputs }] : []
}

/** Names by address (the address book's before an own account's), and whom an account has dealt with. */
export type KnownAddresses = {
  names: ReadonlyMap<string, GivenName>
  peers: readonly KnownPeer[]
  /** Those of the recipients that nobody knows to have been paid. */
  strangers: ReadonlyMap<string, PaidBefore>
}

/** The parts of the wallet that tell whom an account knows. */
export type KnownAddressParts = PeerParts & {
  accounts: Pick<Accounts, 'list'>
  addresses: Pick<Addresses, 'find'>
  contacts: Pick<Contacts, 'list'>
}

/** What there is to hold these recipients (addresses) against. */
export async function loadKnownAddresses(
  context: AccountContext<KnownAddressParts>,
  recipients: readonly string[],
): Promise<KnownAddresses> {
  const { wallet, network } = context
  const [accounts, contacts] = await Promise.all([
    wallet.accounts.list(network),
    wallet.contacts.list(),
  ])
  // What a name led to once is no address of the contact's.
  const fixed = contacts.filter(contact => !isNameContact(contact))
  const names = new Map([...accounts, ...fixed].map(({ address, name }) => [address, name]))
  const [peers, own, ...told] = await Promise.all([
    loadKnownPeers(context, recipients, new Set(names.keys())),
    listOwn(context, accounts, recipients),
    ...accounts.map(({ id }) => wallet.activity.listPeers(network, id)),
  ])
  const paid = [...peers, ...told.flat()].filter(peer => peer.paid).map(({ address }) => address)
  const said = told.flat().filter(({ paidIn }) => paidIn.length > 0)
  const claimed = new Set(said.map(({ address }) => address))
  const known = new Set([...names.keys(), ...own, ...paid])
  const strangers = recipients.filter(to => !known.has(to))
  return {
    ...{ names, peers },
    strangers: new Map(strangers.map(to => [to, claimed.has(to) ? 'claimed' : 'never'])),
  }
}

/** The addresses among these that any account has. */
async function listOwn(
  { wallet, network }: AccountContext<KnownAddressParts>,
  accounts: readonly AccountView[],
  addresses: readonly string[],
): Promise<string[]> {
  const scripts = addresses.flatMap(address => readScript(address, network) ?? [])
  const lists = await Promise.all(
    accounts.map(account => wallet.addresses.find(network, account, scripts)),
  )
  return lists.flat().map(({ address }) => address)
}

/** Null for an address that stands for no key, which an output can have all the same: nobody has its address. */
export function readScript(address: string, network: Network): Uint8Array | null {
  try {
    return parsePayee(address, network).scriptPubKey
  } catch (error) {
    if (error instanceof InvalidAddressError) return null
    throw error
  }
}

/** Warns of addresses that only pass for known ones, and of those known from next to nothing (address poisoning). */
export function warnOfRecipients(
  recipients: readonly string[],
  { names, peers }: Pick<KnownAddresses, 'names' | 'peers'>,
): Warning[] {
  const paid = peers.filter(peer => peer.paid).map(({ address }) => address)
  const trusted = new Set([...names.keys(), ...paid])
  const said = peers.filter(peer => peer.saidPaid).map(({ address }) => address)
  const compared = [...trusted, ...said]
  return [...new Set(recipients)].flatMap((to): Warning[] => {
    if (trusted.has(to)) return []
    const known = compared.find(other => looksLike(to, other))
    const peer = peers.find(({ address }) => address === to)
    return [
      ...(known === undefined
        ? []
        : [{ kind: 'looks-like', to, known, name: names.get(known) ?? null } as const]),
      ...(isFromDust(peer) ? [{ kind: 'from-dust', to } as const] : []),
    ]
  })
}

function isFromDust(peer: KnownPeer | undefined): boolean {
  return peer != null && peer.largestReceived !== null && peer.largestReceived <= DUST_PAYMENT
}

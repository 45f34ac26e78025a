import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { AnyPayer, Payer } from '../../bitcoin/payments/payment.ts'
import { failure, unauthorized } from '../../provider/errors.ts'
import type { AccountView, PayingAccountView, SigningAccountView } from '../views/account-views.ts'
import { type Accounts, canPay, canSign } from './accounts.ts'
import type { Addresses } from './addresses.ts'

/** Which account pays on which network, and the parts of the wallet that the payment is worked out with. */
export type PaymentContext<Parts = unknown> = AccountContext<Parts> & {
  account: SigningAccountView
  /** Of the site's request that it is for; none in our own pages. */
  key?: string | null
}

/** The same where several signers may be the ones who sign. */
export type PayingContext<Parts = unknown> = Omit<PaymentContext<Parts>, 'account'> & {
  account: PayingAccountView
}

/** The same for what needs no key: the account may be one that is only watched. */
export type AccountContext<Parts = unknown> = {
  wallet: Parts
  network: Network
  account: AccountView
}

/** What building a payment needs to know of the account. */
export function payerOf(account: SigningAccountView): Payer
export function payerOf(account: PayingAccountView): AnyPayer
export function payerOf(account: PayingAccountView): AnyPayer {
  if (account.source === 'multisig') {
    const { scriptPubKey, spendType } = account
    return { scriptPubKey: fromHex(scriptPubKey), addressType: spendType }
  }
  const { publicKey, addressType, ordinals } = account
  const payer = { publicKey: fromHex(publicKey), addressType }
  if (!ordinals) return payer
  return { ...payer, assetScript: scriptPubKeyOf(fromHex(ordinals.publicKey), 'p2tr') }
}

/**
 * The address for ordinals as an account of its own, which it was before it was put together with another: what was under way there
 * goes on with its coins and its key. The same account where `address` is not that one.
 */
export function asHolderOf(account: SigningAccountView, address: string): SigningAccountView {
  const { ordinals } = account
  if (ordinals?.address !== address) return account
  return { ...account, ...ordinals, addressType: 'p2tr', descriptor: null, ordinals: null }
}

/** The same, with change to an address that nothing else has where the account has many: of what is made, too. */
export async function payerWithChange(context: PaymentContext<ChangeParts>): Promise<Payer>
export async function payerWithChange(context: PayingContext<ChangeParts>): Promise<AnyPayer>
export async function payerWithChange({
  wallet,
  account,
  network,
  key = null,
}: PayingContext<ChangeParts>): Promise<AnyPayer> {
  const [changeScript] = await listChangeScripts({ wallet, account, network, key }, 1)
  return { ...payerOf(account), ...(changeScript && { changeScript }) }
}

/** So many scriptPubKeys for change; the first is that of {@link payerWithChange}. An account of one address has one for all. */
export async function listChangeScripts(
  { wallet, account, network, key = null }: PayingContext<ChangeParts>,
  count: number,
): Promise<Uint8Array[]> {
  const addresses = await wallet.addresses.nextChanges(network, account, key, count)
  return addresses.map(({ scriptPubKey }) => scriptPubKey)
}

type ChangeParts = { addresses: Pick<Addresses, 'nextChanges'> }

type SelectionParts = { accounts: Pick<Accounts, 'network' | 'selected'> }

/** The account in use, for payments that the person makes in our own pages. Throws 4100 while locked, and WATCHED_ONLY. */
export async function payFromAny<Parts extends SelectionParts>(
  wallet: Parts,
): Promise<PayingContext<Parts>> {
  const network = await wallet.accounts.network()
  const account = await wallet.accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked, or has no account on this network.')
  if (!canPay(account)) {
    throw failure(
      'WATCHED_ONLY',
      'This account is only watched: the wallet has no key to pay with.',
    )
  }
  return { wallet, network, account }
}

/** The same for what is signed by one key alone. Throws SEVERAL_SIGNERS for an account that several sign for. */
export async function payFromSelected<Parts extends SelectionParts>(
  wallet: Parts,
): Promise<PaymentContext<Parts>> {
  const { account, ...context } = await payFromAny(wallet)
  if (canSign(account)) return { ...context, account }
  throw failure(
    'SEVERAL_SIGNERS',
    'Several signers share this account: it can receive, pay, and send inscriptions and runes, and nothing else.',
  )
}

import { fromHex } from '../../bitcoin/bytes.ts'
import type { Payer } from '../../bitcoin/payments/payment.ts'
import { failure, unauthorized } from '../../provider/errors.ts'
import type { RequestContext } from '../requests/method.ts'
import type { Wallet } from '../wallet.ts'
import { canSign } from './accounts.ts'

/** Which account pays on which network. */
export type PaymentContext = Pick<RequestContext, 'wallet' | 'network' | 'account'>

/** What building a payment needs to know of the account. */
export function payerOf({ publicKey, addressType }: PaymentContext['account']): Payer {
  return { publicKey: fromHex(publicKey), addressType }
}

/** The account in use, for payments that the person makes in our own pages. Throws 4100 while locked, and WATCHED_ONLY. */
export async function payFromSelected(wallet: Wallet): Promise<PaymentContext> {
  const network = await wallet.accounts.network()
  const account = await wallet.accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked, or has no account on this network.')
  if (!canSign(account)) {
    throw failure(
      'WATCHED_ONLY',
      'This account is only watched: the wallet has no key to pay with.',
    )
  }
  return { wallet, network, account }
}

import type { SpendType } from '../../bitcoin/multisig-type.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import { hasSilentOutputs } from '../../bitcoin/payments/silent-outputs.ts'
import { SilentPaymentError } from '../../bitcoin/silent-payments/silent-payment-outputs.ts'
import { failure } from '../../provider/errors.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { Signer } from '../keys/signer.ts'
import type { PayingAccountView } from '../views/account-views.ts'

/** The parts of the wallet that work out what silent payments (BIP-352) are paid to. */
export type SilentPaymentParts = Pick<CoinParts, 'addresses'> & {
  signer: Pick<Signer, 'deriveSilentOutputs'>
}

/**
 * Throws SILENT_PAYMENT_IMPOSSIBLE, with `why`, for an account whose private keys this wallet does not have: the outputs cannot be
 * derived without them.
 */
export function assertPaysSilently({ source }: PayingAccountView): void {
  if (source === 'device')
    throw impossible(
      'DEVICE',
      'The key of this account is on a device, which does not derive outputs of silent payments for this wallet.',
    )
  if (source === 'multisig')
    throw impossible(
      'SEVERAL_SIGNERS',
      'Several signers share this account: a receiver of silent payments would not find what it pays.',
    )
}

/**
 * A payment whose inputs are final, with the outputs that they give for its silent payment addresses. With other inputs it has to
 * be asked again. Throws SILENT_PAYMENT_IMPOSSIBLE, and 4100 while locked.
 */
export async function withSilentOutputs<T extends SpendType>(
  { wallet, account, network }: PayingContext<SilentPaymentParts>,
  payment: Payment<T>,
): Promise<Payment<T>> {
  if (!hasSilentOutputs(payment)) return payment
  assertPaysSilently(account)
  const scripts = payment.inputs.map(({ scriptPubKey }) => scriptPubKey)
  const places = await wallet.addresses.find(network, account, scripts)
  const request = { accountId: account.id, network, payment, places }
  try {
    return { ...payment, outputs: await wallet.signer.deriveSilentOutputs(request) }
  } catch (cause) {
    if (!(cause instanceof SilentPaymentError)) throw cause
    throw Object.assign(impossible('INPUTS', `${cause.message}.`), { cause })
  }
}

function impossible(why: 'DEVICE' | 'SEVERAL_SIGNERS' | 'INPUTS', message: string) {
  return failure('SILENT_PAYMENT_IMPOSSIBLE', message, { data: { why } })
}

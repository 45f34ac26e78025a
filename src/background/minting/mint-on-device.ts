import type { Payment } from '../../bitcoin/payments/payment.ts'
import { listAway, UnforeseenTxidError } from '../../ordinals/inscriptions/away-signing.ts'
import type { RevealTransaction } from '../../ordinals/inscriptions/reveal.ts'
import { failure } from '../../provider/errors.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import { type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { SigningDevice } from '../keys/signing-device.ts'
import {
  type DeviceTransaction,
  describeTransactionTasks,
  signTransactionsOnDevice,
} from '../payments/device-transactions.ts'
import { fetchParentTransactions, findOwnAddresses } from '../payments/payment-signing.ts'
import type { Sources } from '../settings/servers.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'

type Parts = Pick<Sources, 'chain'> & Pick<CoinParts, 'addresses'>

/** Throws DEVICE_CANNOT for several mints of a Legacy account whose key is on a device: each spends the one before. */
export function assertDeviceCanMint(
  { account }: PaymentContext,
  payments: readonly Payment[],
): void {
  if (account.source === 'device') foresee(account, payments)
}

/** What the device is to sign: all mints, in one round. */
export async function describeMints(
  context: PaymentContext<Parts>,
  account: DeviceAccountView,
  payments: readonly Payment[],
): Promise<SignOnDeviceReview> {
  const own = await findOwnAddresses(context, ...payments)
  const items = await prepare(context, account, payments, own)
  return describeTransactionTasks(account, context.network, items, own)
}

/** Has all mints signed by the device, in one round; the raw transactions in their order. Throws -32602 where other things come back. */
export async function signMintsOnDevice(
  context: PaymentContext<Parts>,
  account: DeviceAccountView,
  device: SigningDevice,
  payments: readonly Payment[],
): Promise<Uint8Array[]> {
  const own = await findOwnAddresses(context, ...payments)
  const items = await prepare(context, account, payments, own)
  const signed = await signTransactionsOnDevice(device, account, context.network, items, own)
  return items.map(({ transaction }, at) => {
    const whole = transaction.clone()
    for (const { index, scriptSig, witness } of signed[at] ?? []) {
      whole.setInputScript(index, scriptSig)
      whole.setWitness(index, [...witness])
    }
    const vsize = whole.virtualSize()
    const { vsize: reckoned = 0, inputs = [] } = payments[at] ?? {}
    if (vsize > reckoned + inputs.length)
      throw new Error(`rune mint: signed ${vsize} vB where ${reckoned} vB were reckoned`)
    return whole.toBuffer()
  })
}

async function prepare(
  context: PaymentContext<Parts>,
  account: DeviceAccountView,
  payments: readonly Payment[],
  own: readonly AccountAddress[],
): Promise<DeviceTransaction[]> {
  const { away, foreseen } = foresee(account, payments, own)
  const { addressType } = account
  const fetched = await fetchParentTransactions(context, {
    ...{ addressType, inputs: payments[0]?.inputs ?? [] },
  })
  const previous = new Map([...fetched, ...foreseen])
  return away.map(({ transaction }) => ({ transaction, previous }))
}

function foresee(
  account: DeviceAccountView,
  payments: readonly Payment[],
  own: readonly AccountAddress[] = [],
) {
  const keys = own.flatMap(({ publicKey }) => publicKey ?? [])
  try {
    return listAway(payments.map(asChained), payerOf(account), keys)
  } catch (cause) {
    if (!(cause instanceof UnforeseenTxidError)) throw cause
    throw failure(
      'DEVICE_CANNOT',
      'The key of this account is on a device, and its Legacy address gives a transaction its id only once that has signed it: runes are minted one at a time there, or several at once from an account of another type of address.',
      { cause },
    )
  }
}

/** Each but the first spends an output of the one before. */
function asChained({ inputs, outputs, fee, vsize }: Payment, at: number): RevealTransaction {
  return {
    ...{ outputs, fee, vsize },
    inputs: inputs.map(({ txid, vout, scriptPubKey, amount }) => ({
      ...{ of: at === 0 ? txid : at - 1, vout, scriptPubKey, amount },
      unlocking: { kind: 'account' },
    })),
  }
}

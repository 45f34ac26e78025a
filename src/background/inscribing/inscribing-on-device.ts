import { fromHex } from '../../bitcoin/bytes.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { listAway, UnforeseenTxidError } from '../../ordinals/inscriptions/away-signing.ts'
import type { RevealTransaction, SignedReveal } from '../../ordinals/inscriptions/reveal.ts'
import { failure } from '../../provider/errors.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import { type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import type { CoinParts } from '../coins/coins.ts'
import type { Signer } from '../keys/signer.ts'
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
type SigningParts = Parts & { signer: Pick<Signer, 'signAround'> }

/** The 33-byte key that keys of the account's inscribings follow from: its own, unless a device has that. */
export async function loadBaseKey({
  wallet,
  account,
  network,
}: PaymentContext<{ signer: Pick<Signer, 'deriveBasePublicKey'> }>): Promise<Uint8Array> {
  if (account.source !== 'device') return fromHex(account.publicKey)
  const { id, addressType } = account
  return wallet.signer.deriveBasePublicKey({ accountId: id, network, ofType: addressType })
}

/**
 * Throws DEVICE_CANNOT where a device would have to sign a spend of what only its own signatures give a txid. For an account whose key is
 * in the wallet nothing is refused. `way` says what works.
 */
export function assertDeviceCan(
  { account }: PaymentContext,
  transactions: readonly RevealTransaction[],
  way = 'an account of another type of address, or one whose key is in the wallet, can do it',
): void {
  if (account.source === 'device') foresee(account, transactions, way)
}

/** What the device of the account is to sign of these, all in one round; null where it has to sign nothing. */
export async function describeTransactions(
  context: PaymentContext<Parts>,
  account: DeviceAccountView,
  transactions: readonly RevealTransaction[],
): Promise<SignOnDeviceReview | null> {
  const own = await findOwnAddresses(context, ...transactions)
  const items = await prepare(context, account, transactions, own)
  if (items.length === 0) return null
  return describeTransactionTasks(account, context.network, items, own)
}

/**
 * Signs transactions in their order: the account's inputs on the device, all in one round, and the others here, with what came back.
 * Throws -32602 where that is not what went out, rightly signed.
 */
export async function signWithDevice(
  context: PaymentContext<SigningParts>,
  account: DeviceAccountView,
  device: SigningDevice | null,
  transactions: readonly RevealTransaction[],
  nonce: Uint8Array,
): Promise<SignedReveal[]> {
  const { wallet, network } = context
  const own = await findOwnAddresses(context, ...transactions)
  const items = await prepare(context, account, transactions, own)
  if (items.length > 0 && !device)
    throw new Error('inscribing: the key is on a device, and none was given')
  const inputs = device ? await signTransactionsOnDevice(device, account, network, items, own) : []
  const byDevice = transactions.map((_, place) => {
    const at = items.findIndex(item => item.at === place)
    return inputs[at] ?? []
  })
  const signed = await wallet.signer.signAround({
    ...{ accountId: account.id, network, ofType: account.addressType },
    ...{ transactions, nonce, byDevice },
  })
  for (const { at, transaction } of items) {
    const spent = parseTransaction(signed[at]?.rawTx ?? new Uint8Array()).inputs
    const sent = parseTransaction(transaction.toBuffer()).inputs
    if (JSON.stringify(spent) !== JSON.stringify(sent))
      throw new Error('inscribing: what was signed is not what went to the device')
  }
  return signed
}

/** The transactions that the device is to sign, with those that made what they spend. */
async function prepare(
  context: PaymentContext<Parts>,
  account: DeviceAccountView,
  transactions: readonly RevealTransaction[],
  own: readonly AccountAddress[],
): Promise<(DeviceTransaction & { at: number })[]> {
  const { away, foreseen } = foresee(account, transactions, 'another type of address', own)
  const inputs = away.flatMap(({ at }) => transactions[at]?.inputs ?? [])
  const outer = inputs.flatMap(({ of, ...coin }) =>
    typeof of === 'string' && !foreseen.has(of) ? { ...coin, txid: of, height: null } : [],
  )
  const { addressType } = account
  const fetched = await fetchParentTransactions(context, { addressType, inputs: outer })
  const previous = new Map([...fetched, ...foreseen])
  return away.map(each => ({ ...each, previous }))
}

function foresee(
  account: DeviceAccountView,
  transactions: readonly RevealTransaction[],
  way: string,
  own: readonly AccountAddress[] = [],
) {
  const keys = own.flatMap(({ publicKey }) => publicKey ?? [])
  try {
    return listAway(transactions, payerOf(account), keys)
  } catch (cause) {
    if (!(cause instanceof UnforeseenTxidError)) throw cause
    throw failure(
      'DEVICE_CANNOT',
      `The key of this account is on a device, and its Legacy address gives a transaction its id only once that has signed it: what spends it cannot be signed in the same round. What works: ${way}.`,
      { cause },
    )
  }
}

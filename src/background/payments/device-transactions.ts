import type { Transaction } from 'bitcoinjs-lib/src/transaction'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { createPsbt } from '../../bitcoin/psbt/create.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import type { SignedInput } from '../../ordinals/inscriptions/reveal.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import {
  describeTasks,
  keysByInput,
  originatedKeysOf,
  refuseReturned,
  type SigningDevice,
} from '../keys/signing-device.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import { planWithKeys } from './device-payment.ts'

/** A transaction without scripts that has inputs of the account; `previous` are raw transactions by txid, of all that it spends. */
export type DeviceTransaction = {
  transaction: Transaction
  previous: ReadonlyMap<string, Uint8Array>
}

/** What a device is handed to sign the account's inputs of transactions, all in one round; `own` are the addresses that they spend from and pay to. */
export function describeTransactionTasks(
  account: DeviceAccountView,
  network: Network,
  items: readonly DeviceTransaction[],
  own: readonly AccountAddress[],
): SignOnDeviceReview {
  const keys = originatedKeysOf(own)
  return describeTasks(
    account,
    network,
    items.map(({ transaction, previous }) => {
      const psbt = createPsbt(transaction)
      const prevouts = readPrevouts(psbt, previous)
      const plan = planWithKeys(psbt, prevouts, keys)
      return { psbt, prevouts, plan, previous }
    }),
    keys,
  )
}

/**
 * Has the account's inputs of transactions signed by the device, and resolves their scripts, transaction by transaction. Throws -32602
 * that says where what comes back differs.
 */
export async function signTransactionsOnDevice(
  device: SigningDevice,
  account: DeviceAccountView,
  network: Network,
  items: readonly DeviceTransaction[],
  own: readonly AccountAddress[],
): Promise<SignedInput[][]> {
  if (items.length === 0) return []
  const review = describeTransactionTasks(account, network, items, own)
  const returned = await device.sign(review)
  const keys = originatedKeysOf(own)
  return review.tasks.map(({ psbt }, at) => {
    const sent = parsePsbt(fromHex(psbt))
    const prevouts = readPrevouts(sent, items[at]?.previous ?? new Map())
    const plan = planWithKeys(sent, prevouts, keys)
    try {
      const bytes = returned[at] ?? new Uint8Array()
      const keyOf = keysByInput(plan, prevouts, keys)
      const signed = takeSignatures({ sent, returned: bytes, prevouts, plan, keyOf })
      const indexes = plan.map(({ index }) => index)
      const { inputs } = finalizePsbt(signed, prevouts, indexes)
      return indexes.map((index): SignedInput => {
        const { finalScriptSig, finalScriptWitness } = inputs[index] ?? {}
        return {
          index,
          scriptSig: finalScriptSig ?? new Uint8Array(),
          witness: finalScriptWitness ?? [],
        }
      })
    } catch (cause) {
      if (!(cause instanceof ReturnedPsbtError)) throw cause
      throw refuseReturned(cause, at)
    }
  })
}

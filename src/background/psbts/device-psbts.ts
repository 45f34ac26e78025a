import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import type { InputPlan } from '../../bitcoin/psbt/plan.ts'
import { isTaproot, type Prevout } from '../../bitcoin/psbt/prevouts.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import type { OriginatedKey } from '../../bitcoin/psbt/update.ts'
import { toVersion0 } from '../../bitcoin/psbt/version-0.ts'
import { listFixedAddresses } from '../accounts/fixed-addresses.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { OwnScriptParts } from '../coins/coins.ts'
import {
  describeTasks,
  keysByInput,
  originatedKeysOf,
  refuseReturned,
  type SigningDevice,
} from '../keys/signing-device.ts'
import { askForDevice, type RequestContext } from '../requests/method.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import type { LookupParts } from './psbt-lookups.ts'

/** A PSBT, what its inputs spend, and which of them the device is to sign how. */
export type DeviceItem = {
  psbt: Psbt
  prevouts: readonly (Prevout | null)[]
  plan: readonly InputPlan[]
}

/**
 * Has PSBTs of a site signed by the device, all in one round, and puts what it signed into them. The site gets nothing of what was added for the
 * device: no origin of a key, no previous transaction.
 */
export async function signPsbtsOnDevice(
  context: RequestContext<LookupParts>,
  account: DeviceAccountView,
  items: readonly DeviceItem[],
): Promise<Psbt[]> {
  const asked = items.filter(({ plan }) => plan.length > 0)
  if (asked.length === 0) return items.map(({ psbt }) => psbt)
  const keys = originatedKeysOf(listFixedAddresses(account, context.network))
  const returned = await context.once('returned', async () => {
    const task = await describeItems(context, account, asked, keys)
    return (await askForDevice(context).sign(task)).map(toHex)
  })
  return items.map(item => {
    const at = asked.indexOf(item)
    return at < 0 ? item.psbt : takeReturned(item, keys, fromHex(returned[at] ?? ''), at)
  })
}

type LoadedContext = AccountContext<LookupParts & OwnScriptParts>

/** What the device is handed of a PSBT that the person brings, which may spend any of the account's addresses. */
export async function describeItemForDevice(
  context: LoadedContext,
  account: DeviceAccountView,
  item: DeviceItem,
): Promise<SignOnDeviceReview> {
  return describeItems(context, account, [item], await listKeys(context, account, item))
}

/** Has it signed there, and puts what was signed into it; nothing that was added for the device stays. */
export async function signItemOnDevice(
  context: LoadedContext,
  account: DeviceAccountView,
  item: DeviceItem,
  device: SigningDevice,
): Promise<Psbt> {
  if (item.plan.length === 0) return item.psbt
  const keys = await listKeys(context, account, item)
  const task = await describeItems(context, account, [item], keys)
  const [returned = new Uint8Array()] = await device.sign(task)
  return takeReturned(item, keys, returned, 0)
}

/** The account's keys that a PSBT spends with, and those that it pays to, so that the device knows its change. */
async function listKeys(
  { wallet, network }: LoadedContext,
  account: DeviceAccountView,
  { psbt, prevouts }: DeviceItem,
): Promise<OriginatedKey[]> {
  const spent = prevouts.flatMap(prevout => prevout?.scriptPubKey ?? [])
  const scripts = [...spent, ...psbt.outputs.map(({ scriptPubKey }) => scriptPubKey)]
  return originatedKeysOf(await wallet.addresses.find(network, account, scripts))
}

async function describeItems(
  context: AccountContext<LookupParts>,
  account: DeviceAccountView,
  items: readonly DeviceItem[],
  keys: readonly OriginatedKey[],
): Promise<SignOnDeviceReview> {
  const tasks = await Promise.all(
    items.map(async item => ({
      ...item,
      psbt: toVersion0(finalizeOthers(item)),
      previous: await fetchPlanned(context, item),
    })),
  )
  return describeTasks(account, context.network, tasks, keys)
}

/** The PSBT with the signatures that were planned; `at` is its place in the round. Throws -32602 that says what differs. */
function takeReturned(
  { psbt, prevouts, plan }: DeviceItem,
  keys: readonly OriginatedKey[],
  returned: Uint8Array,
  at: number,
): Psbt {
  const keyOf = keysByInput(plan, prevouts, keys)
  try {
    return takeSignatures({ sent: psbt, prevouts, plan, keyOf, returned })
  } catch (cause) {
    if (!(cause instanceof ReturnedPsbtError)) throw cause
    throw refuseReturned(cause, at)
  }
}

/** With those inputs final that others have signed: Bitcoin Core signs nothing beside an open input of another sighash, such as a listing. */
function finalizeOthers({ psbt, prevouts, plan }: DeviceItem): Psbt {
  const own = new Set(plan.map(({ index }) => index))
  const others = [...psbt.inputs.keys()].filter(index => !own.has(index))
  return finalizePsbt(psbt, prevouts, others)
}

/** The transactions that made the coins to sign. A taproot signature covers the amounts by itself, so that there they may be missing. */
async function fetchPlanned(
  { wallet, network }: AccountContext<LookupParts>,
  { psbt, prevouts, plan }: DeviceItem,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const chain = await wallet.chain(network)
  const missing = plan.flatMap(({ index }) => {
    const input = psbt.inputs[index]
    return input && !input.nonWitnessUtxo ? [{ index, txid: input.txid }] : []
  })
  const fetched = await Promise.all(
    missing.map(async ({ index, txid }) => {
      try {
        return [txid, await chain.fetchTransaction(txid)] as const
      } catch (error) {
        const prevout = prevouts[index]
        if (prevout && isTaproot(prevout)) return null
        throw error
      }
    }),
  )
  return new Map(fetched.filter(each => each !== null))
}

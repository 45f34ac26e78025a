import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import type { InputPlan } from '../../bitcoin/psbt/plan.ts'
import { isTaproot, type Prevout } from '../../bitcoin/psbt/prevouts.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import { ReturnedPsbtError, takeSignatures } from '../../bitcoin/psbt/returned.ts'
import { toVersion0 } from '../../bitcoin/psbt/version-0.ts'
import { describeTasks, originatedKeyOf, refuseReturned } from '../keys/signing-device.ts'
import { askForDevice, type RequestContext } from '../requests/method.ts'
import type { DeviceAccountView } from '../views/account-views.ts'
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
  const returned = await context.once('returned', async () => {
    const tasks = await Promise.all(
      asked.map(async item => ({
        ...item,
        psbt: toVersion0(finalizeOthers(item)),
        previous: await fetchPlanned(context, item),
      })),
    )
    const device = askForDevice(context)
    return (await device.sign(describeTasks(account, context.network, tasks))).map(toHex)
  })
  const key = originatedKeyOf(account)
  return items.map(item => {
    const at = asked.indexOf(item)
    if (at < 0) return item.psbt
    try {
      return takeSignatures({
        ...{ sent: item.psbt, prevouts: item.prevouts, plan: item.plan, keyOf: () => key },
        returned: fromHex(returned[at] ?? ''),
      })
    } catch (cause) {
      if (!(cause instanceof ReturnedPsbtError)) throw cause
      throw refuseReturned(cause, at)
    }
  })
}

/** With those inputs final that others have signed: Bitcoin Core signs nothing beside an open input of another sighash, such as a listing. */
function finalizeOthers({ psbt, prevouts, plan }: DeviceItem): Psbt {
  const own = new Set(plan.map(({ index }) => index))
  const others = [...psbt.inputs.keys()].filter(index => !own.has(index))
  return finalizePsbt(psbt, prevouts, others)
}

/** The transactions that made the coins to sign. A taproot signature covers the amounts by itself, so that there they may be missing. */
async function fetchPlanned(
  { wallet, network }: RequestContext<LookupParts>,
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

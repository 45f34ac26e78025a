import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { Activity, SentRecord } from '../activity/activity.ts'
import type { StoredPayment } from '../activity/stored-payment.ts'
import { withTimeout } from '../primitives/timeout.ts'
import type { Sources } from '../settings/servers.ts'
import type { ActivityStatus } from '../views/activity-views.ts'
import type { Warning } from '../views/payment-views.ts'

const WAITING: readonly ActivityStatus[] = ['sending', 'pending', 'reorganised']
/** Earlier payments that the chain is asked about for one review, the newest first, and for how long. */
const MAX_ASKED = 5
const TIMEOUT_MS = 3_000

export type RepeatedPaymentParts = Pick<Sources, 'chain'> & {
  activity: Pick<Activity, 'listOpenOfAll'>
}

/** `to` is an address, and `at` when it was paid, in milliseconds since 1970. */
type Payee = { to: string; sats: string }
type PaidPayee = Payee & { at: number }

/**
 * Warns of what would be paid a second time, where the first time is in no block yet: a site that lost an answer may ask again. The
 * chain is asked about payments of the same amount to the same recipient, and no others; one of which it does not say in time that
 * it is in a block counts as waiting.
 */
export async function warnOfRepeated(
  { wallet, network }: AccountContext<RepeatedPaymentParts>,
  payees: readonly Payee[],
): Promise<Warning[]> {
  if (payees.length === 0) return []
  const asked = new Map(payees.map(payee => [keyOf(payee), payee]))
  const sent = (await wallet.activity.listOpenOfAll(network)).flatMap(record => {
    const paid = listWaiting(record, network).filter(payee => asked.has(keyOf(payee)))
    return paid.length > 0 ? [{ txid: record.txid, paid }] : []
  })
  if (sent.length === 0) return []
  const confirmed = new Set<string>()
  const asking = sent.slice(0, MAX_ASKED).map(async ({ txid }) => {
    const height = await (await wallet.chain(network)).fetchTransactionHeight(txid)
    if (typeof height === 'number') confirmed.add(txid)
  })
  await withTimeout(TIMEOUT_MS, Promise.allSettled(asking))
  const waiting = sent.filter(({ txid }) => !confirmed.has(txid)).flatMap(({ paid }) => paid)
  return [...asked.keys()].flatMap((key): Warning[] => {
    const before = waiting.find(payee => keyOf(payee) === key)
    return before ? [{ kind: 'paid-already', ...before }] : []
  })
}

function keyOf({ to, sats }: Payee): string {
  return `${to} ${sats}`
}

function listWaiting(record: SentRecord, network: Network): PaidPayee[] {
  const { status, at } = record
  if (!WAITING.includes(status)) return []
  return listOutputs(record).flatMap(({ script, sats, silentPaymentAddress }) => {
    const to = silentPaymentAddress ?? addressOfScript(fromHex(script), network)
    return to === null ? [] : { to, sats, at }
  })
}

/** None of what a site pushed that spends no coin of this wallet: others have paid that. */
function listOutputs({ payment, rawTx, spends }: SentRecord): StoredPayment['outputs'] {
  if (payment) return payment.outputs
  if (rawTx === '' || spends.length === 0) return []
  return parseTransaction(fromHex(rawTx)).outputs.map(({ scriptPubKey, amount }) => ({
    script: toHex(scriptPubKey),
    sats: String(amount),
  }))
}

import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import type { PsbtReview } from '../../bitcoin/psbt/review.ts'
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
/** With whom it pays, by {@link keyOf}. */
type WaitingPayment = Pick<SentRecord, 'txid' | 'spends'> & { paid: ReadonlyMap<string, PaidPayee> }

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
  const asked = [...new Set(payees.map(keyOf))]
  const sent = (await listWaitingPayments({ wallet, network })).filter(({ paid }) =>
    asked.some(key => paid.has(key)),
  )
  if (sent.length === 0) return []
  const confirmed = new Set<string>()
  const asking = sent.slice(0, MAX_ASKED).map(async ({ txid }) => {
    const height = await (await wallet.chain(network)).fetchTransactionHeight(txid)
    if (typeof height === 'number') confirmed.add(txid)
  })
  await withTimeout(TIMEOUT_MS, Promise.allSettled(asking))
  const waiting = sent.filter(({ txid }) => !confirmed.has(txid))
  return asked.flatMap(key => warnOf(waiting.find(({ paid }) => paid.has(key))?.paid.get(key)))
}

/**
 * The same of a PSBT, by what is on record: no server is asked. A site pays the same fee with many of them, so one earlier transaction
 * has to have paid all that this one pays others. One that shares a coin with it takes its place, and who spends an output of it
 * knows of it.
 */
export function warnOfRepeatedPsbt(
  { inputs, outputs }: Pick<PsbtReview, 'inputs' | 'outputs'>,
  { network, sent }: { network: Network; sent: readonly WaitingPayment[] },
): Warning[] {
  const others = outputs.filter(({ owner }) => owner === 'foreign' || owner === 'unknown')
  if (others.length === 0 || others.some(({ open }) => open)) return []
  const payees = others.map(({ scriptPubKey, amount }): Payee => {
    return { to: addressOfScript(scriptPubKey, network) ?? '', sats: String(amount) }
  })
  const asked = [...new Set(payees.map(keyOf))]
  const isRepeated = ({ txid, spends, paid }: WaitingPayment) =>
    asked.every(key => paid.has(key)) &&
    !inputs.some(({ outpoint }) => spends.includes(outpoint) || outpoint.startsWith(txid))
  const before = sent.find(isRepeated)
  return before ? asked.flatMap(key => warnOf(before.paid.get(key))) : []
}

function warnOf(payee: PaidPayee | undefined): Warning[] {
  return payee ? [{ kind: 'paid-already', ...payee }] : []
}

function keyOf({ to, sats }: Payee): string {
  return `${to} ${sats}`
}

/** What this wallet has sent that is in no block yet as far as is on record, and what it pays whom. */
export async function listWaitingPayments({
  wallet,
  network,
}: Pick<AccountContext<Pick<RepeatedPaymentParts, 'activity'>>, 'wallet' | 'network'>): Promise<
  WaitingPayment[]
> {
  const open = await wallet.activity.listOpenOfAll(network)
  return open
    .filter(({ status }) => WAITING.includes(status))
    .map(record => ({ ...record, paid: listPaid(record, network) }))
}

function listPaid(record: SentRecord, network: Network): ReadonlyMap<string, PaidPayee> {
  const payees = listOutputs(record).flatMap(({ script, sats, silentPaymentAddress }) => {
    const to = silentPaymentAddress ?? addressOfScript(fromHex(script), network)
    return to === null ? [] : { to, sats, at: record.at }
  })
  return new Map(payees.map(payee => [keyOf(payee), payee]))
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

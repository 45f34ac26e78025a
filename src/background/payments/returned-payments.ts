import { failure } from '../../provider/errors.ts'
import type { PayingContext } from '../accounts/payment-context.ts'
import { listPaid } from '../activity/sent-records.ts'
import type { CoinParts, Coins } from '../coins/coins.ts'
import { isEndedPayment, listEndedPayments } from '../coins/ended-payments.ts'

/** One request each, the newest first. */
const MAX_LOOKUPS = 5

/**
 * Throws PLAN_OUTDATED where a payment that was refused, and paid others, is with the network after all: it would be made twice. The
 * same of one that was refused and takes another back.
 * Only where the server lists none of its coins any more it is asked for; from then on it counts as sent.
 */
export async function assertNoneReturned(
  { wallet, network, account }: PayingContext<CoinParts>,
  { all }: Coins,
): Promise<void> {
  const listed = new Set(all.map(({ outpoint }) => outpoint))
  const records = await wallet.activity.listSent(network, account.id)
  const paying = listEndedPayments(records).flatMap(({ record }) =>
    listPaid(record).length > 0 ? record : [],
  )
  // What was to take a payment back, or to speed that up: what is paid next hangs on it where it is on its way.
  const takingBack = records.filter(
    record => isEndedPayment(record) && record.replaces !== null && listPaid(record).length === 0,
  )
  const missing = [...paying, ...takingBack].filter(
    ({ spends }) => !spends.some(outpoint => listed.has(outpoint)),
  )
  for (const record of missing.slice(0, MAX_LOOKUPS)) {
    const height = await (await wallet.chain(network)).fetchTransactionHeight(record.txid)
    if (height === undefined) continue
    const status = height === null ? 'pending' : 'confirmed'
    await wallet.activity.setStatus(record.txid, status, { height })
    throw failure(
      'PLAN_OUTDATED',
      'A payment that the network had refused is on its way after all. Nothing was signed; look at it before you pay again.',
      { data: { txid: record.txid } },
    )
  }
}

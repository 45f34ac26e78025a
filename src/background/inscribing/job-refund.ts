import { toHex } from '../../bitcoin/bytes.ts'
import { buildRefund } from '../../ordinals/inscriptions/refund.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { loadCoinsAndFeeRate } from '../payments/payment-plan.ts'
import { findOwnAddresses } from '../payments/payment-signing.ts'
import { withoutAssets } from '../payments/transfer-plan.ts'
import { warnOfFee } from '../review/payment-warnings.ts'
import { addressOfFirst, describeTransaction, reviewEtching } from './inscribe-review.ts'
import {
  assertChildless,
  explainRate,
  findChangeScript,
  impossible,
  type JobChange,
  type JobChangeParts,
  loadChangeable,
  sumOf,
} from './job-change.ts'
import { loadInscribing, viewItems } from './job-content.ts'
import { feeOf } from './job-record.ts'
import { findCommit, isSeen, listDeliveries, listSpenders, listUnmined } from './job-state.ts'
import { encodeRefund } from './stored-inscribing.ts'

/**
 * Works out how to take back, by key path, what no reveal in a block has spent. Throws like {@link planJobBump}; there is
 * nothing to take back of a commit that the network does not have.
 */
export async function planJobRefund(
  selected: PaymentContext<JobChangeParts>,
  jobId: string,
  feeRate: number,
): Promise<JobChange> {
  const at = selected.wallet.now()
  const { job, context } = await loadChangeable(selected, jobId)
  const { wallet, network } = context
  const commit = findCommit(job)
  if (!isSeen(job, commit.txid)) throw impossible('ENDED')
  const left = listUnmined(job)
  const inscribing = await loadInscribing(wallet, job, commit.attempt)
  const spenders = left.flatMap(item => listSpenders(job, commit.txid, item))
  const deliveries = listDeliveries(job)
  const replaced = [...new Set([...spenders, ...deliveries])].filter(({ txid }) =>
    isSeen(job, txid),
  )
  await assertChildless(context, job, [...spenders, ...deliveries])
  const changeScript = await findChangeScript(context, job, spenders)
  const { coins, feesAsked, own } = await loadCoinsAndFeeRate(context, feeRate)
  const refund = buildOrThrowInsufficient(withoutAssets(coins, []), () =>
    explainRate(feeRate, () =>
      buildRefund({
        ...{ inscribing, commitTxid: commit.txid, left, feeRate },
        replaced: replaced.map(feeOf),
        own: changeScript ? { ...own, changeScript } : own,
      }),
    ),
  )
  const fees = await feesAsked
  const { outputs, fee, vsize } = refund
  const inputs = refund.inputs.map(({ of, ...input }) => ({
    ...{ ...input, txid: String(of) },
    height: job.seen[commit.txid] ?? null,
  }))
  const back = outputs.reduce((total, { amount }) => total + amount, 0n)
  return {
    ...{ jobId, attempts: job.attempts.length, at },
    ...{ pays: [], parent: null, spends: [] },
    replaces: [...spenders, ...deliveries].map(({ txid }) => txid),
    freshScripts: changeScript ? [] : outputs.map(({ scriptPubKey }) => toHex(scriptPubKey)),
    review: {
      ...{ kind: 'inscribe', purpose: 'refund', jobId },
      items: await viewItems(
        wallet,
        job,
        inscribing,
        left,
        inscribing.reveals.filter((_, item) => left.includes(item)),
      ),
      parent: null,
      etching: job.etching && reviewEtching(context, job.etching.shown, feeRate),
      delivery: null,
      receiver: addressOfFirst(outputs, network) ?? job.address,
      postage: job.postage,
      feeRate,
      recentFeeRate: fees.recent,
      commit: describeTransaction(
        context,
        { inputs, outputs, fee, vsize },
        await findOwnAddresses(context, refund),
      ),
      totalFee: String(fee),
      previousFee: replaced.length > 0 ? String(sumOf(replaced)) : null,
      cost: String(-back),
      balanceAfter: String(coins.spendable.reduce((total, { amount }) => total + amount, back)),
      warnings: warnOfFee({ fee, vsize, amount: null, fees }),
    },
    does: { kind: 'refund', refund: encodeRefund(refund) },
  }
}

import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { assetScriptOf } from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { bumpReveals, listBumped } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import { type Inscribing, rebuildInscribing } from '../../ordinals/inscriptions/inscribing.ts'
import { listTransactions } from '../../ordinals/inscriptions/inscribing-signature.ts'
import { PARENT_VOUT } from '../../ordinals/inscriptions/reveal-layout.ts'
import { assetAddressOf } from '../accounts/accounts.ts'
import { listChangeScripts, type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import { encodeCoin } from '../activity/stored-payment.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { buildWithCheckedInputs, loadCoinsAndFeeRate } from '../payments/payment-plan.ts'
import { findOwnAddresses } from '../payments/payment-signing.ts'
import { listChange } from '../payments/plan-checks.ts'
import { withoutAssets } from '../payments/transfer-plan.ts'
import { warnOfFee } from '../review/payment-warnings.ts'
import { reviewDelivery } from './delivery-review.ts'
import { reviewEtching, reviewInscribing } from './inscribe-review.ts'
import { assertDeviceCan, loadBaseKey } from './inscribing-on-device.ts'
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
import { feeOf, type JobRecord, type JobTransaction } from './job-record.ts'
import {
  findCommit,
  findDelivered,
  findLanded,
  isMined,
  isSeen,
  listCommits,
  listDeliveries,
  listSpenders,
  listUnmined,
  wantsRefund,
} from './job-state.ts'
import { encodeFeeBumpedReveals, encodeInscribing } from './stored-inscribing.ts'

/**
 * Works out how to pay more for what no block has: while no block has the commit, another one in its place with the same
 * leaves; then reveals that take further coins. Throws BUMP_IMPOSSIBLE with `why`, -32602 for a fee rate that is too low,
 * BACKEND_UNAVAILABLE, and like a payment.
 */
export async function planJobBump(
  selected: PaymentContext<JobChangeParts>,
  jobId: string,
  feeRate: number,
): Promise<JobChange> {
  const { job, context } = await loadChangeable(selected, jobId)
  const waiting = listUnmined(job)
  if (waiting.some(item => wantsRefund(job, item))) throw impossible('ENDED')
  const commit = findCommit(job)
  return isMined(job, commit.txid)
    ? planRevealBump(context, job, waiting, feeRate)
    : planCommitReplacement(context, job, feeRate)
}

async function planCommitReplacement(
  context: PaymentContext<JobChangeParts>,
  job: JobRecord,
  feeRate: number,
): Promise<JobChange> {
  const { account } = context
  const at = context.wallet.now()
  const previous = findCommit(job)
  const before = await loadInscribing(context.wallet, job, previous.attempt)
  const replaced = job.transactions.filter(({ txid }) => !isMined(job, txid))
  const evicted = replaced.filter(({ txid }) => isSeen(job, txid))
  await assertChildless(context, job, replaced)
  const { parent } = before
  const baseKey = await loadBaseKey(context)
  const changeScript = await findChangeScript(context, job, listCommits(job))
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    () => loadCoinsAndFeeRate(context, feeRate),
    ({ coins, feeRate: reckoned, own }) =>
      buildOrThrowInsufficient(withoutAssets(coins, []), utxos => {
        const inscribing = explainRate(feeRate, () =>
          rebuildInscribing({
            before,
            evictedFee: sumOf(evicted),
            utxos,
            own: changeScript ? { ...own, changeScript } : own,
            baseKey,
            feeRate: reckoned,
            seed: job.id,
          }),
        )
        return { inscribing, inputs: inscribing.commit.inputs }
      }),
  )
  const { inscribing, inputs } = payment
  assertDeviceCan(context, listTransactions(inscribing, payerOf(account)))
  const items = await viewItems(
    context.wallet,
    job,
    before,
    [...job.items.keys()],
    inscribing.reveals,
  )
  return {
    ...{ jobId: job.id, attempts: job.attempts.length, at },
    pays: inputs.map(encodeCoin),
    parent: parent && encodeCoin(parent.coin),
    spends: [...inputs, ...(parent ? [parent.coin] : [])].map(formatOutpoint),
    replaces: replaced.map(({ txid }) => txid),
    freshScripts: changeScript ? [] : listChange(inscribing.commit).map(toHex),
    review: {
      ...reviewInscribing(context, inscribing, {
        ...subject,
        fees: await subject.feesAsked,
        own: await findOwnAddresses(context, inscribing.commit),
        items,
        etching: job.etching?.shown ?? null,
        delivered: await reviewDelivery(context, inscribing.delivery, job.delivery),
      }),
      purpose: 'bump',
      jobId: job.id,
      previousFee: String(sumOf(replaced.filter(({ attempt }) => attempt === previous.attempt))),
    },
    does: { kind: 'rebuild', inscribing: encodeInscribing(inscribing), before: previous.txid },
  }
}

async function planRevealBump(
  context: PaymentContext<JobChangeParts>,
  job: JobRecord,
  waiting: readonly number[],
  feeRate: number,
): Promise<JobChange> {
  const { wallet, account } = context
  const at = wallet.now()
  const commit = findCommit(job)
  const inscribing = await loadInscribing(wallet, job, commit.attempt)
  const landed = waiting.map(item => findLanded(job, listSpenders(job, commit.txid, item)))
  const deliveries = listDeliveries(job)
  const replaced = [...waiting.flatMap(item => listSpenders(job, commit.txid, item)), ...deliveries]
  const delivered = findDelivered(job)
  await assertChildless(context, job, replaced)
  const parentCoin = inscribing.parent && findParent(context, job, inscribing, waiting[0] ?? 0)
  const kept = await Promise.all(
    waiting.map(item => findChangeScript(context, job, listSpenders(job, commit.txid, item))),
  )
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, feeRate)
    const count = kept.filter(script => script === null).length
    return { ...terms, fresh: await listChangeScripts(context, count) }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate: reckoned, fresh }) =>
      buildOrThrowInsufficient(withoutAssets(coins, []), utxos => {
        const bumped = explainRate(feeRate, () =>
          bumpReveals({
            ...{ inscribing, commitTxid: commit.txid, waiting, parentCoin },
            ...{ utxos, feeRate: reckoned, own: payerOf(account) },
            replaced: landed.map(one => one && feeOf(one)),
            deliveryFee: BigInt(delivered?.fee ?? 0),
            changeScripts: { kept, fresh },
          }),
        )
        const spent = new Set(
          bumped.reveals.flatMap(({ inputs }) => inputs.map(({ of, vout }) => `${of}:${vout}`)),
        )
        return { bumped, inputs: utxos.filter(({ outpoint }) => spent.has(outpoint)) }
      }),
  )
  const { bumped, inputs } = payment
  assertDeviceCan(
    context,
    listBumped(bumped, payerOf(account)),
    'taking the money back, which the wallet signs alone',
  )
  const all = [...bumped.reveals, ...(bumped.delivery ? [bumped.delivery] : [])]
  const fee = all.reduce((total, one) => total + one.fee, 0n)
  const vsize = all.reduce((total, one) => total + one.vsize, 0)
  const current = waiting.flatMap(item => listCurrent(job, commit.txid, item))
  const before = delivered ?? deliveries.findLast(({ dropped }) => !dropped)
  const previousFee = sumOf([...current, ...(before ? [before] : [])])
  const { delivery, warnings } = await reviewDelivery(context, bumped.delivery, job.delivery)
  const fees = await subject.feesAsked
  const used = new Set(inputs.map(({ outpoint }) => outpoint))
  const remaining = subject.coins.spendable.filter(({ outpoint }) => !used.has(outpoint))
  const change = bumped.reveals.reduce((total, { changeIndex, outputs }, i) => {
    const isSpent = bumped.reveals.some(({ inputs }) =>
      inputs.some(({ of, vout }) => of === i && vout === changeIndex),
    )
    const left = changeIndex === null || isSpent ? undefined : outputs[changeIndex]
    return total + (left?.amount ?? 0n)
  }, 0n)
  const cost = inputs.reduce((total, { amount }) => total + amount, -change)
  return {
    ...{ jobId: job.id, attempts: job.attempts.length, at },
    pays: inputs.map(encodeCoin),
    parent: parentCoin && encodeCoin(parentCoin),
    spends: inputs.map(({ outpoint }) => outpoint),
    replaces: replaced.map(({ txid }) => txid),
    freshScripts: bumped.reveals.flatMap((reveal, i) =>
      kept[i] ? [] : listChange(reveal).map(toHex),
    ),
    review: {
      ...{ kind: 'inscribe', purpose: 'bump', jobId: job.id },
      items: await viewItems(wallet, job, inscribing, waiting, bumped.reveals),
      parent: inscribing.parent?.id ?? null,
      etching: job.etching && reviewEtching(context, job.etching.shown, feeRate),
      delivery,
      receiver: assetAddressOf(account),
      postage: job.postage,
      feeRate,
      recentFeeRate: fees.recent,
      commit: null,
      totalFee: String(fee),
      previousFee: String(previousFee),
      cost: String(cost),
      balanceAfter: String(remaining.reduce((total, { amount }) => total + amount, change)),
      warnings: [...warnOfFee({ fee, vsize, amount: null, fees }), ...warnings],
    },
    does: {
      kind: 'bump',
      bumped: encodeFeeBumpedReveals(bumped),
      before: waiting.map(item => listCurrent(job, commit.txid, item).at(0)?.txid ?? null),
    },
  }
}

/** Where the parent's coin lies before the reveal of this item: it comes back in each. */
function findParent(
  { account }: PaymentContext,
  job: JobRecord,
  { parent }: Inscribing,
  item: number,
): Utxo | null {
  if (!parent || item === 0) return parent?.coin ?? null
  const commit = findCommit(job)
  const last = findLanded(job, listSpenders(job, commit.txid, item - 1))
  if (!last) throw new Error(`Job ${job.id} has no reveal of item ${item - 1}`)
  return {
    txid: last.txid,
    vout: PARENT_VOUT,
    amount: parent.coin.amount,
    scriptPubKey: assetScriptOf(payerOf(account)),
    height: job.seen[last.txid] ?? null,
  }
}

/** The transaction that counts for an item now, as a list of one or none: the one that the network has, else the youngest that is still handed over. */
function listCurrent(job: JobRecord, commitTxid: string, item: number): JobTransaction[] {
  const spenders = listSpenders(job, commitTxid, item)
  const one = findLanded(job, spenders) ?? spenders.findLast(({ dropped }) => !dropped)
  return one ? [one] : []
}

import { addressOfScript } from '../../bitcoin/address.ts'
import { formatOutpoint, parseOutpoint } from '../../bitcoin/outpoint.ts'
import { FeeBumpError } from '../../bitcoin/payments/fee-bump.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { bumpReveals } from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import { type Inscribing, rebuildInscribing } from '../../ordinals/inscriptions/inscribing.ts'
import { buildRefund } from '../../ordinals/inscriptions/refund.ts'
import { PARENT_VOUT } from '../../ordinals/inscriptions/reveal-layout.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import { type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import { isLive } from '../activity/sent-status.ts'
import { encodeCoin, type StoredCoin } from '../activity/stored-payment.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { scriptOf } from '../coins/coins.ts'
import { buildWithCheckedInputs, loadCoinsAndFeeRate } from '../payments/payment-plan.ts'
import { withoutAssets } from '../payments/transfer-plan.ts'
import { warnOfFee } from '../review/payment-warnings.ts'
import type { InscribePlan, InscribePlanningParts } from './inscribe-plan.ts'
import { describeTransaction, reviewInscribing } from './inscribe-review.ts'
import { loadInscribing, viewItems } from './job-content.ts'
import { feeOf, type JobRecord, type JobTransaction } from './job-record.ts'
import { assertAnswered, type JobParts, lookAtJob } from './job-run.ts'
import {
  findCommit,
  findLanded,
  isMined,
  isSeen,
  isTakenBack,
  listSpenders,
  listUnmined,
} from './job-state.ts'
import {
  encodeFeeBumpedReveals,
  encodeInscribing,
  encodeRefund,
  type StoredFeeBumpedReveals,
  type StoredInscribing,
  type StoredRefund,
} from './stored-inscribing.ts'

/** The parts of the wallet that a change of a job is worked out with. */
export type JobChangeParts = InscribePlanningParts & JobParts

/** What is done about a job that does not come along, worked out and shown; exactly this is signed. */
export type JobChange = Omit<InscribePlan, 'inscribing'> & {
  jobId: string
  /** How often the job had been signed for when this was worked out. */
  attempts: number
  /** Clean coins of the account that pay, and the parent's coin, which comes back. */
  pays: StoredCoin[]
  parent: StoredCoin | null
  /** Txids that it takes the place of. */
  replaces: string[]
  does: /** A commit in the place of `before`, with reveals of its own. */
    | { kind: 'rebuild'; inscribing: StoredInscribing; before: string }
    /** Reveals that pay more; `before` are those in whose place they come. */
    | { kind: 'raise'; raised: StoredFeeBumpedReveals; before: (string | null)[] }
    | { kind: 'refund'; refund: StoredRefund }
}

/**
 * Works out how to pay more for what no block has: while no block has the commit, another one in its place with the same
 * leaves; then reveals that take further coins. Throws BUMP_IMPOSSIBLE with `why`, -32602 for a fee rate that is too low,
 * BACKEND_UNAVAILABLE, and like a payment.
 */
export async function planJobBump(
  context: PaymentContext<JobChangeParts>,
  jobId: string,
  feeRate: number,
): Promise<JobChange> {
  const job = await loadChangeable(context, jobId)
  const waiting = listUnmined(job)
  if (waiting.some(item => isTakenBack(job, item))) throw impossible('ENDED')
  const commit = findCommit(job)
  return isMined(job, commit.txid)
    ? planRaise(context, job, waiting, feeRate)
    : planRebuild(context, job, feeRate)
}

async function planRebuild(
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
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    () => loadCoinsAndFeeRate(context, feeRate),
    ({ coins }) =>
      buildOrThrowInsufficient(withoutAssets(coins, []), utxos => {
        const inscribing = explainRate(feeRate, () =>
          rebuildInscribing({
            before,
            evictedFee: sumOf(evicted),
            utxos,
            own: payerOf(account),
            feeRate,
            seed: job.id,
          }),
        )
        return { inscribing, inputs: inscribing.commit.inputs }
      }),
  )
  const { inscribing, inputs } = payment
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
    review: {
      ...reviewInscribing(context, inscribing, { ...subject, items }),
      purpose: 'bump',
      jobId: job.id,
      previousFee: String(sumOf(replaced.filter(({ attempt }) => attempt === previous.attempt))),
    },
    does: { kind: 'rebuild', inscribing: encodeInscribing(inscribing), before: previous.txid },
  }
}

async function planRaise(
  context: PaymentContext<JobChangeParts>,
  job: JobRecord,
  waiting: readonly number[],
  feeRate: number,
): Promise<JobChange> {
  const { wallet, account, network } = context
  const at = wallet.now()
  const commit = findCommit(job)
  const inscribing = await loadInscribing(wallet, job, commit.attempt)
  const landed = waiting.map(item => findLanded(job, listSpenders(job, commit.txid, item)))
  const replaced = waiting.flatMap(item => listSpenders(job, commit.txid, item))
  await assertChildless(context, job, replaced)
  const parentCoin = inscribing.parent && findParent(context, job, inscribing, waiting[0] ?? 0)
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    () => loadCoinsAndFeeRate(context, feeRate),
    ({ coins }) =>
      buildOrThrowInsufficient(withoutAssets(coins, []), utxos => {
        const raised = explainRate(feeRate, () =>
          bumpReveals({
            ...{ inscribing, commitTxid: commit.txid, waiting, parentCoin },
            ...{ utxos, feeRate, own: payerOf(account) },
            replaced: landed.map(one => one && feeOf(one)),
          }),
        )
        const spent = new Set(
          raised.reveals.flatMap(({ inputs }) => inputs.map(({ of, vout }) => `${of}:${vout}`)),
        )
        return { raised, inputs: utxos.filter(({ outpoint }) => spent.has(outpoint)) }
      }),
  )
  const { raised, inputs } = payment
  const fee = raised.reveals.reduce((total, reveal) => total + reveal.fee, 0n)
  const vsize = raised.reveals.reduce((total, reveal) => total + reveal.vsize, 0)
  const previousFee = sumOf(waiting.flatMap(item => youngest(job, commit.txid, item)))
  const used = new Set(inputs.map(({ outpoint }) => outpoint))
  const kept = subject.coins.spendable.filter(({ outpoint }) => !used.has(outpoint))
  const change = raised.reveals.reduce((total, { changeIndex, outputs }, i) => {
    const isSpent = raised.reveals.some(({ inputs }) =>
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
    review: {
      ...{ kind: 'inscribe', purpose: 'bump', jobId: job.id },
      items: await viewItems(wallet, job, inscribing, waiting, raised.reveals),
      parent: inscribing.parent?.id ?? null,
      receiver: addressOfScript(scriptOf(account, network), network) ?? job.address,
      postage: job.postage,
      feeRate,
      recentFeeRate: subject.fees.recent,
      commit: null,
      totalFee: String(fee),
      previousFee: String(previousFee),
      cost: String(cost),
      balanceAfter: String(kept.reduce((total, { amount }) => total + amount, change)),
      warnings: warnOfFee({ fee, vsize, amount: null, fees: subject.fees }),
    },
    does: {
      kind: 'raise',
      raised: encodeFeeBumpedReveals(raised),
      before: waiting.map(item => youngest(job, commit.txid, item).at(0)?.txid ?? null),
    },
  }
}

/**
 * Works out how to take back, by key path, what no reveal in a block has spent. Throws like {@link planJobBump}; there is
 * nothing to take back of a commit that the network does not have.
 */
export async function planJobRefund(
  context: PaymentContext<JobChangeParts>,
  jobId: string,
  feeRate: number,
): Promise<JobChange> {
  const { wallet, account } = context
  const at = wallet.now()
  const job = await loadChangeable(context, jobId)
  const commit = findCommit(job)
  if (!isSeen(job, commit.txid)) throw impossible('ENDED')
  const left = listUnmined(job)
  const inscribing = await loadInscribing(wallet, job, commit.attempt)
  const spenders = left.flatMap(item => listSpenders(job, commit.txid, item))
  const replaced = [...new Set(spenders)].filter(({ txid }) => isSeen(job, txid))
  await assertChildless(context, job, spenders)
  const { coins, fees } = await loadCoinsAndFeeRate(context, feeRate)
  const refund = buildOrThrowInsufficient(withoutAssets(coins, []), () =>
    explainRate(feeRate, () =>
      buildRefund({
        ...{ inscribing, commitTxid: commit.txid, left, feeRate },
        replaced: replaced.map(feeOf),
        own: payerOf(account),
      }),
    ),
  )
  const { outputs, fee, vsize } = refund
  const inputs = refund.inputs.map(({ of, ...input }) => ({
    ...{ ...input, txid: String(of) },
    height: job.seen[commit.txid] ?? null,
  }))
  const back = outputs.reduce((total, { amount }) => total + amount, 0n)
  return {
    ...{ jobId, attempts: job.attempts.length, at },
    ...{ pays: [], parent: null, spends: [] },
    replaces: spenders.map(({ txid }) => txid),
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
      receiver: job.address,
      postage: job.postage,
      feeRate,
      recentFeeRate: fees.recent,
      commit: describeTransaction(context, { inputs, outputs, fee, vsize }),
      totalFee: String(fee),
      previousFee: replaced.length > 0 ? String(sumOf(replaced)) : null,
      cost: String(-back),
      balanceAfter: String(coins.spendable.reduce((total, { amount }) => total + amount, back)),
      warnings: warnOfFee({ fee, vsize, amount: null, fees }),
    },
    does: { kind: 'refund', refund: encodeRefund(refund) },
  }
}

/** A job of the account in use, looked at anew. Throws -32602, BUMP_IMPOSSIBLE, BACKEND_UNAVAILABLE. */
async function loadChangeable(
  { wallet, network, account }: PaymentContext<JobChangeParts>,
  jobId: string,
): Promise<JobRecord> {
  await lookAtJob(wallet, jobId)
  const job = await wallet.jobs.find(jobId)
  if (job?.network !== network || job.address !== account.address)
    throw invalidParams('jobId', jobId, 'a job of this account')
  assertAnswered(job)
  if (job.fate !== 'open' || job.rival || listUnmined(job).length === 0) throw impossible('ENDED')
  return job
}

/** Throws where a payment of the account spends what would be gone. */
async function assertChildless(
  { wallet, network, account }: PaymentContext<JobChangeParts>,
  job: JobRecord,
  replaced: readonly JobTransaction[],
): Promise<void> {
  const own = new Set(job.transactions.map(({ txid }) => txid))
  const gone = new Set(replaced.map(({ txid }) => txid))
  const records = await wallet.activity.listOpen(network, account.id)
  const hasChild = records.some(
    record =>
      isLive(record) &&
      !own.has(record.txid) &&
      record.spends.some(outpoint => gone.has(parseOutpoint(outpoint).txid)),
  )
  if (hasChild) throw impossible('HAS_CHILDREN')
}

/** Where the parent's coin lies before the reveal of this item: it comes back in each. */
function findParent(
  { account, network }: PaymentContext,
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
    scriptPubKey: scriptOf(account, network),
    height: job.seen[last.txid] ?? null,
  }
}

/** What stands for an item now, as one or none: what the network has of it, else what it is to have. */
function youngest(job: JobRecord, commitTxid: string, item: number): JobTransaction[] {
  const spenders = listSpenders(job, commitTxid, item)
  const one = findLanded(job, spenders) ?? spenders.findLast(({ dropped }) => !dropped)
  return one ? [one] : []
}

function explainRate<T>(feeRate: number, build: () => T): T {
  try {
    return build()
  } catch (cause) {
    if (!(cause instanceof FeeBumpError)) throw cause
    const expected = `at least ${cause.leastFeeRate} sat/vB`
    throw Object.assign(invalidParams('feeRate', feeRate, expected), { cause })
  }
}

function impossible(why: 'ENDED' | 'HAS_CHILDREN') {
  return failure('BUMP_IMPOSSIBLE', `This cannot be done: ${why}.`, { data: { why } })
}

function sumOf(transactions: readonly { fee: string }[]): bigint {
  return transactions.reduce((total, { fee }) => total + BigInt(fee), 0n)
}

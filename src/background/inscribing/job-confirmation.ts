import { fromHex } from '../../bitcoin/bytes.ts'
import type { Payer } from '../../bitcoin/payments/payment.ts'
import {
  type FeeBumpedReveals,
  listBumped,
} from '../../ordinals/inscriptions/fee-bumped-reveals.ts'
import { listTransactions } from '../../ordinals/inscriptions/inscribing-signature.ts'
import type { Refund } from '../../ordinals/inscriptions/refund.ts'
import type { RevealTransaction, SignedReveal } from '../../ordinals/inscriptions/reveal.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import {
  asHolderOf,
  type PaymentContext,
  payerOf,
  payFromSelected,
} from '../accounts/payment-context.ts'
import { decodeCoin } from '../activity/stored-payment.ts'
import type { Signer } from '../keys/signer.ts'
import type { SigningDevice } from '../keys/signing-device.ts'
import { claimPaidAddresses, findOwnAddresses } from '../payments/payment-signing.ts'
import { assertChangeFree, assertSpendCurrent, planOutdated } from '../payments/plan-checks.ts'
import { deviceThatReturned } from '../payments/plans.ts'
import type { Mutex } from '../primitives/mutex.ts'
import { nullIfUnanswered, withTimeout } from '../primitives/timeout.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import type { EtchingView } from '../views/etching-views.ts'
import type { InscribeReview } from '../views/inscribe-views.ts'
import { fetchNameOwner, findEtchingOf, nameTaken } from './etching-name.ts'
import type { InscribePlan } from './inscribe-plan.ts'
import type { InscribePlans, StoredInscribePlan } from './inscribe-plans.ts'
import { describeTransactions, signWithDevice } from './inscribing-on-device.ts'
import { recordJob } from './job-activity.ts'
import type { JobChange } from './job-change.ts'
import { loadSpent, type OpeningParts, openJob, partOfDelivery, signParts } from './job-opening.ts'
import { type JobParts, resumeJob } from './job-run.ts'
import { describeSigning, type SignedPart } from './job-signing.ts'
import { findCommit, isMined } from './job-state.ts'
import { assertDelivers, assertOwn } from './signed-as-reviewed.ts'
import { decodeFeeBumpedReveals, decodeInscribing, decodeRefund } from './stored-inscribing.ts'

type ChangingParts = OpeningParts &
  JobParts & { signer: Pick<Signer, 'signRefund' | 'signFeeBumpedReveals'> }

/** The parts of the wallet that sign what our own pages want inscribed, or changed about a job. */
export type InscribeConfirmationParts = ChangingParts & {
  accounts: Pick<Accounts, 'network' | 'selected'>
  inscribePlans: Pick<InscribePlans, 'find'>
  planInTurn: Mutex
}

/** Handing over goes on alone after this: what becomes of it is seen in the job. */
const TIMEOUT_MS = 3000

/**
 * Signs a plan exactly as it was shown, stores that, and hands it over. Called again with the same plan, in another worker
 * too, it is the same job. `returned` is what came back from the device of the account (as `parseReturned` takes it), null where the
 * wallet has the key or nothing is signed there. Throws PLAN_OUTDATED when it has to be worked out anew; nothing was signed then.
 */
export async function confirmInscribing(
  wallet: InscribeConfirmationParts,
  planId: string,
  digest: string,
  returned: string | null,
): Promise<{ jobId: string }> {
  const device = deviceThatReturned(returned)
  // One at a time: nobody else chooses the coins of this plan meanwhile.
  const jobId = await wallet.planInTurn(() => settle(wallet, planId, digest, device))
  await withTimeout(TIMEOUT_MS, resumeJob(wallet, jobId))
  return { jobId }
}

/** Id of the job that has what the plan says, signed and stored. */
async function settle(
  wallet: InscribeConfirmationParts,
  planId: string,
  digest: string,
  device: SigningDevice,
): Promise<string> {
  const stored = await findPlan(wallet, planId, digest)
  const { plan, label } = stored
  const jobId = 'jobId' in plan ? plan.jobId : planId
  const job = await wallet.jobs.find(jobId)
  if (job?.attempts.includes(planId)) return jobId
  const context = await payFromSelected(wallet)
  assertSameAccount(stored, context)
  const planned = await wallet.listReserved()
  if (plan.spends.some(outpoint => planned.has(outpoint)))
    throw planOutdated('A site’s request has a coin of this payment.')
  if ('jobId' in plan) await changeJob(context, plan, planId, device)
  else {
    await assertNameFree(context, plan)
    await openJob(context, plan, { id: jobId, origin: null, label }, device)
  }
  return jobId
}

/**
 * What the device that has the account's key is to sign of a plan, all in one round; null where it is nothing. Throws PLAN_OUTDATED, and
 * -32602 where the wallet has the key.
 */
export async function describeInscribeTask(
  wallet: InscribeConfirmationParts,
  planId: string,
  digest: string,
): Promise<{ task: SignOnDeviceReview | null; review: InscribeReview }> {
  const stored = await findPlan(wallet, planId, digest)
  const selected = await payFromSelected(wallet)
  assertSameAccount(stored, selected)
  const { plan } = stored
  const job = 'jobId' in plan ? await wallet.jobs.find(plan.jobId) : null
  const account = asHolderOf(selected.account, job?.address ?? '')
  const context = { ...selected, account }
  if (account.source !== 'device')
    throw invalidParams('planId', planId, 'a plan of an account whose key is on a device')
  const transactions = listPlanned(plan, payerOf(account))
  return {
    task: await describeTransactions(context, account, transactions),
    review: plan.review,
  }
}

/** All that is signed of a plan, in its order. */
function listPlanned(plan: InscribePlan | JobChange, own: Payer): RevealTransaction[] {
  if (!('jobId' in plan)) return listTransactions(decodeInscribing(plan.inscribing), own)
  const { does } = plan
  switch (does.kind) {
    case 'rebuild':
      return listTransactions(decodeInscribing(does.inscribing), own)
    case 'bump':
      return listBumped(decodeFeeBumpedReveals(does.bumped), own)
    case 'refund':
      return [decodeRefund(does.refund)]
  }
}

async function findPlan(
  { inscribePlans }: Pick<InscribeConfirmationParts, 'inscribePlans'>,
  planId: string,
  digest: string,
): Promise<StoredInscribePlan> {
  const stored = await inscribePlans.find(planId)
  if (stored?.digest !== digest) throw planOutdated('This is not known any more.')
  return stored
}

function assertSameAccount(
  { network, accountId }: StoredInscribePlan,
  context: PaymentContext,
): void {
  if (context.network !== network || context.account.id !== accountId)
    throw planOutdated('The account in use is another one.')
}

/** Asks again whether the name of an etching is free; an index that does not answer stops nothing here. Throws NAME_TAKEN. */
async function assertNameFree(
  { wallet, network }: PaymentContext<JobParts>,
  { review: { etching } }: InscribePlan,
): Promise<void> {
  if (etching === null) return
  if (findEtchingOf(await wallet.jobs.list(), network, etching.name))
    throw nameTaken(etching.name, null)
  const owner = await nullIfUnanswered(fetchNameOwner(wallet, network, etching.name))
  if (owner !== null) throw nameTaken(etching.name, owner)
}

/** Signs a change and stores it with its job, once. */
async function changeJob(
  selected: PaymentContext<ChangingParts>,
  change: JobChange,
  planId: string,
  device: SigningDevice,
): Promise<void> {
  const { wallet } = selected
  const { jobId, attempts, does, spends, at, replaces } = change
  await wallet.jobs.inTurn(jobId, async () => {
    const job = await wallet.jobs.find(jobId)
    const account = asHolderOf(selected.account, job?.address ?? '')
    const context = { ...selected, account }
    if (!job || job.lifecycle === 'over' || job.attempts.length !== attempts)
      throw planOutdated('What is inscribed went on meanwhile.')
    const { txid } = findCommit(job)
    if (does.kind === 'rebuild' && isMined(job, txid))
      throw planOutdated('A block has the commit by now.')
    if (does.kind === 'refund' && does.refund.inputs.some(({ of }) => of !== txid))
      throw planOutdated('The commit is another one by now.')
    const coins = change.pays.map(decodeCoin)
    const assertCurrent = async () => {
      const spend = { coins, spends, at, replaces, shown: new Set<string>(), doubted: [] }
      await assertSpendCurrent(context, spend)
      await assertChangeFree(context, change.freshScripts.map(fromHex))
    }
    await assertCurrent()
    const parts = await signChange(context, change, job.etching?.shown ?? null, device)
    // A device takes minutes.
    if (account.source === 'device') await assertCurrent()
    const signing = describeSigning(context, parts, {
      inscribing: does.kind === 'rebuild' ? decodeInscribing(does.inscribing) : null,
      coins: await loadSpent(context, coins, change.parent ? [decodeCoin(change.parent)] : []),
      before: job.transactions,
      attempt: attempts,
      origin: job.origin,
      own: await claimPaidAddresses(
        context,
        parts.map(({ rawTx }) => rawTx),
      ),
    })
    const signed = new Set(signing.transactions.map(({ txid }) => txid))
    await wallet.jobs.append(jobId, planId, signing.bytes, stored => ({
      ...stored,
      // After a refusal the same transaction may be signed again; it is listed once.
      transactions: [
        ...stored.transactions.filter(({ txid }) => !signed.has(txid)),
        ...signing.transactions,
      ],
      refused: Object.fromEntries(
        Object.entries(stored.refused).filter(([txid]) => !signed.has(txid)),
      ),
      problem: null,
      lifecycle: 'open',
    }))
    const grown = await wallet.jobs.find(jobId)
    if (grown) await recordJob(wallet, grown)
  })
}

async function signChange(
  context: PaymentContext<ChangingParts>,
  { does, review }: JobChange,
  etching: EtchingView | null,
  device: SigningDevice,
): Promise<SignedPart[]> {
  if (does.kind === 'rebuild')
    return signParts(context, decodeInscribing(does.inscribing), { review, device }, does.before)
  if (does.kind === 'refund') {
    const refund = decodeRefund(does.refund)
    const { rawTx } = await signRefund(context, refund)
    const { fee, feeRate } = refund
    assertOwn(await findOwnAddresses(context, refund), [rawTx], null)
    return [{ kind: 'refund', rawTx, fee, feeRate, replaces: null }]
  }
  const bumped = decodeFeeBumpedReveals(does.bumped)
  const signed = await signBumped(context, bumped, device)
  const reveals = signed.slice(0, bumped.reveals.length)
  const delivery = signed[reveals.length]
  assertOwn(
    await findOwnAddresses(context, ...bumped.reveals),
    reveals.map(({ rawTx }) => rawTx),
    etching,
  )
  assertDelivers(reveals[0]?.rawTx, delivery?.rawTx, review)
  return [
    ...reveals.map(
      ({ rawTx }, at): SignedPart => ({
        kind: 'reveal',
        rawTx,
        fee: bumped.reveals[at]?.fee ?? 0n,
        feeRate: bumped.feeRate,
        replaces: does.before[at] ?? null,
      }),
    ),
    ...(delivery && bumped.delivery
      ? [partOfDelivery(delivery, bumped.delivery, bumped.feeRate)]
      : []),
  ]
}

/** By the wallet alone: no coin of the account is in it. */
async function signRefund(
  context: PaymentContext<ChangingParts>,
  refund: Refund,
): Promise<SignedReveal> {
  const { wallet, account, network } = context
  if (account.source !== 'device')
    return wallet.signer.signRefund({ accountId: account.id, network, refund })
  const [signed] = await signWithDevice(context, account, null, [refund], refund.nonce)
  if (!signed) throw new Error('refund: nothing was signed')
  return signed
}

async function signBumped(
  context: PaymentContext<ChangingParts>,
  bumped: FeeBumpedReveals,
  device: SigningDevice,
): Promise<SignedReveal[]> {
  const { wallet, account, network } = context
  if (account.source !== 'device')
    return wallet.signer.signFeeBumpedReveals({
      ...{ accountId: account.id, network, bumped },
      places: await findOwnAddresses(context, ...bumped.reveals),
    })
  const transactions = listBumped(bumped, payerOf(account))
  return signWithDevice(context, account, device, transactions, bumped.nonce)
}

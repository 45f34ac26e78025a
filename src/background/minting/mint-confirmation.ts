import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { chainTo, MINTED_VOUT, POT_VOUT } from '../../ordinals/transfers/rune-mint-chain.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { AccountAddress } from '../accounts/fixed-addresses.ts'
import { type PaymentContext, payFromSelected } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/activity.ts'
import { decodePayment, encodePayment } from '../activity/stored-payment.ts'
import { createIsOf } from '../coins/coins.ts'
import type { SigningDevice } from '../keys/signing-device.ts'
import {
  claimPaidAddresses,
  fetchParentTransactions,
  findOwnAddresses,
  type SigningParts,
} from '../payments/payment-signing.ts'
import {
  assertChangeFree,
  assertSpendCurrent,
  listChange,
  planOutdated,
} from '../payments/plan-checks.ts'
import { deviceThatReturned } from '../payments/plans.ts'
import { digestOf } from '../primitives/digest.ts'
import type { Mutex } from '../primitives/mutex.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import { withTimeout } from '../primitives/timeout.ts'
import type { SignOnDeviceReview } from '../views/device-views.ts'
import type { RuneMintPlanView, RuneMintReview } from '../views/mint-views.ts'
import type { Mints } from './mint-jobs.ts'
import { describeMints, signMintsOnDevice } from './mint-on-device.ts'
import type { MintPlan } from './mint-plan.ts'
import { type MintRunParts, resumeMint } from './mint-run.ts'

/** The parts of the wallet that sign mints and hand them over. */
export type MintConfirmationParts = SigningParts &
  MintRunParts & {
    accounts: Pick<Accounts, 'network' | 'selected'>
    mints: Mints
    planInTurn: Mutex
  }

/** Handing over goes on alone after this: what becomes of it is seen in the job. */
const TIMEOUT_MS = 5000

/** Keeps a plan for its confirmation, and resolves what the person is shown. */
export async function storeMintPlan(
  { wallet, network, account }: PaymentContext<{ mints: Pick<Mints, 'addPlan'> }>,
  random: RandomSource,
  plan: MintPlan,
  label: string,
): Promise<RuneMintPlanView> {
  const id = toHex(random(16))
  const entry = { id, network, accountId: account.id, label, plan }
  const digest = digestOf(entry)
  await wallet.mints.addPlan({ ...entry, digest })
  return { planId: id, digest, review: plan.review }
}

/**
 * Signs all mints of a plan exactly as they were shown, stores them, and hands over as many as the index says are left.
 * Called again with the same plan, in another worker too, it is the same job. Throws PLAN_OUTDATED when it has to be worked
 * out anew; nothing was signed then. `returned` is what came back from the device of the account (as `parseReturned` takes it), null
 * where the wallet has the key.
 */
export async function confirmRuneMint(
  wallet: MintConfirmationParts,
  planId: string,
  digest: string,
  returned: string | null,
): Promise<{ jobId: string }> {
  // One at a time: nobody else chooses the coins of this plan meanwhile.
  await wallet.planInTurn(async () => {
    const stored = await findPlan(wallet, planId, digest)
    if (await wallet.mints.find(planId)) return
    const reserved = await wallet.listReserved()
    if (stored.plan.spends.some(outpoint => reserved.has(outpoint)))
      throw planOutdated('A site’s request has a coin of this payment.')
    const context = await payForPlan(wallet, stored)
    const { plan, label } = stored
    const device = deviceThatReturned(returned)
    await openMint(context, plan, { id: planId, origin: null, label }, device)
  })
  await withTimeout(TIMEOUT_MS, resumeMint(wallet, planId))
  return { jobId: planId }
}

/** What the device that has the account's key is to sign of a plan. Throws PLAN_OUTDATED, and -32602 where the wallet has the key. */
export async function describeMintTask(
  wallet: MintConfirmationParts,
  planId: string,
  digest: string,
): Promise<{ task: SignOnDeviceReview; review: RuneMintReview }> {
  const stored = await findPlan(wallet, planId, digest)
  const context = await payForPlan(wallet, stored)
  const { account } = context
  const { payments, review } = stored.plan
  if (account.source !== 'device')
    throw invalidParams('planId', planId, 'mints of an account whose key is on a device')
  return { task: await describeMints(context, account, payments.map(decodePayment)), review }
}

async function findPlan(wallet: MintConfirmationParts, planId: string, digest: string) {
  const stored = await wallet.mints.findPlan(planId)
  if (stored?.digest !== digest) throw planOutdated('These mints are not known any more.')
  return stored
}

async function payForPlan(
  wallet: MintConfirmationParts,
  { network, accountId }: { network: Network; accountId: string },
): Promise<PaymentContext<MintConfirmationParts>> {
  const context = await payFromSelected(wallet)
  if (context.network !== network || context.account.id !== accountId)
    throw planOutdated('The account in use is another one.')
  return context
}

/**
 * Signs the mints of a plan and stores them as a job, which nothing has left of when this resolves; `device` is asked where the account's
 * key is on one. Throws PLAN_OUTDATED.
 */
export async function openMint(
  context: PaymentContext<MintConfirmationParts>,
  plan: MintPlan,
  { id, origin, label }: { id: string; origin: string | null; label: string },
  device: SigningDevice,
): Promise<string[]> {
  const { wallet, account, network } = context
  const [first] = plan.payments.map(decodePayment)
  if (!first) throw new Error('A plan without mints.')
  const assertCurrent = async () => {
    await assertSpendCurrent(context, {
      coins: first.inputs,
      shown: new Set(),
      doubted: [],
      spends: plan.spends,
      at: plan.at,
      replaces: [],
    })
    const pot = plan.payments.length > 1 ? first.outputs[POT_VOUT] : undefined
    await assertChangeFree(context, [...listChange(first), ...(pot ? [pot.scriptPubKey] : [])])
  }
  await assertCurrent()
  const records = await signMints(context, plan, origin, device)
  // A device takes minutes.
  if (account.source === 'device') await assertCurrent()
  await claimPaidAddresses(
    context,
    records.map(({ rawTx }) => fromHex(rawTx)),
  )
  const txids = records.map(({ txid }) => txid)
  await wallet.mints.add({
    id,
    network,
    accountId: account.id,
    address: account.address,
    label,
    at: wallet.now(),
    rune: plan.rune,
    feeRate: plan.review.feeRate,
    fees: plan.payments.map(({ fee }) => fee),
    txids,
    unrecorded: records,
    seen: {},
    gave: {},
    stopped: null,
    problem: null,
    checkedAt: 0,
    finishedAt: null,
  })
  return txids
}

/** Signs them one after the other: each spends an output of the one before. */
async function signMints(
  context: PaymentContext<MintConfirmationParts>,
  plan: MintPlan,
  origin: string | null,
  device: SigningDevice,
): Promise<SentRecord[]> {
  const { wallet, account, network } = context
  const payments = plan.payments.map(decodePayment)
  const byDevice =
    account.source === 'device' ? await signMintsOnDevice(context, account, device, payments) : null
  const previous = new Map(
    await fetchParentTransactions(context, {
      addressType: payments[0]?.addressType ?? 'p2tr',
      inputs: payments[0]?.inputs ?? [],
    }),
  )
  const own = await findOwnAddresses(context, ...payments)
  const records: SentRecord[] = []
  let before: { payment: Payment; txid: string } | null = null
  for (const [at, planned] of payments.entries()) {
    const payment: Payment = before ? chainTo(planned, before.payment, before.txid) : planned
    const rawTx = byDevice ? byDevice[at] : await sign(payment)
    if (!rawTx) throw new Error('rune mint: the device has not signed all')
    const { txid } = parseTransaction(rawTx)
    assertAsPlanned(rawTx, payment, own)
    previous.set(txid, rawTx)
    records.push(describeMint(context, payment, { rawTx, txid, origin }))
    before = { payment, txid }
  }
  return records

  async function sign(payment: Payment): Promise<Uint8Array> {
    const { rawTx } = await wallet.signer.signPayment({
      ...{ accountId: account.id, network, payment, previousTransactions: previous },
      places: own,
    })
    return rawTx
  }
}

/** Throws unless the transaction is the one that was planned, and all that it pays goes to these addresses of the account. */
function assertAsPlanned(
  rawTx: Uint8Array,
  payment: Payment,
  own: readonly AccountAddress[],
): void {
  const isOwn = createIsOf(own)
  const { inputs, outputs } = parseTransaction(rawTx)
  const describe = ({ scriptPubKey, amount }: Payment['outputs'][number]) =>
    `${toHex(scriptPubKey)} ${amount}`
  const isAsPlanned =
    inputs.map(formatOutpoint).join() === payment.inputs.map(formatOutpoint).join() &&
    outputs.map(describe).join() === payment.outputs.map(describe).join()
  const paid = outputs.filter(({ amount }) => amount > 0n)
  if (!isAsPlanned || paid.some(({ scriptPubKey }) => !isOwn(scriptPubKey)))
    throw new Error('The signed transaction is not the one that was shown.')
}

/**
 * Its change and what pays the mints after it are clean. The coin of the mint is left out: whether anything is on it, only an
 * index can tell, and until it does the coin is held.
 */
function describeMint(
  { wallet, account, network }: PaymentContext<MintConfirmationParts>,
  payment: Payment,
  { rawTx, txid, origin }: { rawTx: Uint8Array; txid: string; origin: string | null },
): SentRecord {
  return {
    txid,
    network,
    accountId: account.id,
    kind: 'mint',
    net: String(-payment.fee),
    counterparty: null,
    fee: String(payment.fee),
    origin,
    at: wallet.now(),
    status: 'unsent',
    height: null,
    replacedBy: null,
    about: null,
    rawTx: toHex(rawTx),
    spends: payment.inputs.map(formatOutpoint),
    creates: payment.outputs.flatMap(({ amount }, vout) =>
      amount > 0n && vout !== MINTED_VOUT ? [formatOutpoint({ txid, vout })] : [],
    ),
    carries: {},
    payment: encodePayment(payment),
    replaces: null,
  }
}

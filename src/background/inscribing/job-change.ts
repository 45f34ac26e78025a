import { fromHex } from '../../bitcoin/bytes.ts'
import { parseOutpoint } from '../../bitcoin/outpoint.ts'
import { FeeBumpError } from '../../bitcoin/payments/fee-bump.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import { asHolderOf, type PaymentContext } from '../accounts/payment-context.ts'
import { isLive } from '../activity/sent-status.ts'
import type { StoredCoin } from '../activity/stored-payment.ts'
import { createIsFixed, createIsOf } from '../coins/coins.ts'
import { findOwnAddresses } from '../payments/payment-signing.ts'
import type { InscribePlan, InscribePlanningParts } from './inscribe-plan.ts'
import type { JobRecord, JobTransaction } from './job-record.ts'
import { assertAnswered, type JobParts, pollJob } from './job-run.ts'
import { listUnmined } from './job-state.ts'
import type { StoredFeeBumpedReveals, StoredInscribing, StoredRefund } from './stored-inscribing.ts'

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
  /** scriptPubKeys (hex) that its change goes to and that nothing else had when this was worked out. */
  freshScripts: string[]
  does: /** A commit in the place of `before`, with reveals of its own. */
    | { kind: 'rebuild'; inscribing: StoredInscribing; before: string }
    /** Reveals that pay more; `before` are those in whose place they come. */
    | { kind: 'bump'; bumped: StoredFeeBumpedReveals; before: (string | null)[] }
    | { kind: 'refund'; refund: StoredRefund }
}

/**
 * A job of the account in use, looked at anew, with the address that it began with as the one that pays. Throws -32602, BUMP_IMPOSSIBLE,
 * BACKEND_UNAVAILABLE.
 */
export async function loadChangeable(
  context: PaymentContext<JobChangeParts>,
  jobId: string,
): Promise<{ job: JobRecord; context: PaymentContext<JobChangeParts> }> {
  const { wallet, network } = context
  await pollJob(wallet, jobId)
  const job = await wallet.jobs.find(jobId)
  const account = asHolderOf(context.account, job?.address ?? '')
  if (job?.network !== network || job.address !== account.address)
    throw invalidParams('jobId', jobId, 'a job of this account')
  assertAnswered(job)
  if (job.lifecycle !== 'open' || job.conflict || listUnmined(job).length === 0)
    throw impossible('ENDED')
  return { job, context: { ...context, account } }
}

/**
 * Where the change of the first of these transactions of a job that has some goes, youngest first, if that is one of the account's
 * addresses for change; null for none. What takes the place of it returns its change there.
 */
export async function findChangeScript(
  context: PaymentContext<JobChangeParts>,
  job: JobRecord,
  transactions: readonly JobTransaction[],
): Promise<Uint8Array | null> {
  const { wallet, account, network } = context
  const isFixed = createIsFixed(account, network)
  for (const { attempt, txid } of transactions.toReversed()) {
    const raw = (await wallet.jobs.loadBytes(job, attempt))?.raw[txid]
    if (raw === undefined) continue
    const { outputs } = parseTransaction(fromHex(raw))
    const isOwn = createIsOf(await findOwnAddresses(context, { inputs: [], outputs }))
    const change = outputs.find(one => isOwn(one.scriptPubKey) && !isFixed(one.scriptPubKey))
    if (change) return change.scriptPubKey
  }
  return null
}

/** Throws where a payment of the account spends what would be gone. */
export async function assertChildless(
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

/** Builds at a fee rate (sat/vB). Throws -32602 that names it where it is too low to replace what the network has. */
export function explainRate<T>(feeRate: number, build: () => T): T {
  try {
    return build()
  } catch (cause) {
    if (!(cause instanceof FeeBumpError)) throw cause
    const expected = `at least ${cause.leastFeeRate} sat/vB`
    throw Object.assign(invalidParams('feeRate', feeRate, expected), { cause })
  }
}

/** BUMP_IMPOSSIBLE, with `why`. */
export function impossible(why: 'ENDED' | 'HAS_CHILDREN') {
  return failure('BUMP_IMPOSSIBLE', `This cannot be done: ${why}.`, { data: { why } })
}

/** The fees of transactions together, in sats. */
export function sumOf(transactions: readonly { fee: string }[]): bigint {
  return transactions.reduce((total, { fee }) => total + BigInt(fee), 0n)
}

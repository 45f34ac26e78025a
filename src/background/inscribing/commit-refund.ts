import { toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { type ParsedTransaction, parseTransaction } from '../../bitcoin/transaction.ts'
import {
  type ChainSource,
  type HistoryTransaction,
  TransactionNotFoundError,
} from '../../chain/chain-source.ts'
import {
  type FoundCommit,
  findCommitOutputs,
  type KnownLeaf,
} from '../../ordinals/inscriptions/commit-recovery.ts'
import type { EnvelopeContent } from '../../ordinals/inscriptions/envelope-script.ts'
import { layOutRefund, leastRefundFeeRate } from '../../ordinals/inscriptions/refund.ts'
import type { RevealInput } from '../../ordinals/inscriptions/reveal.ts'
import { failure, type ProviderError } from '../../provider/errors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import { asHolderOf, type PaymentContext, payFromSelected } from '../accounts/payment-context.ts'
import type { SentRecord } from '../activity/sent-records.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import type { Signer } from '../keys/signer.ts'
import { loadCoinsAndFeeRate } from '../payments/payment-plan.ts'
import { claimPaidAddresses, findOwnAddresses } from '../payments/payment-signing.ts'
import { assertChangeFree } from '../payments/plan-checks.ts'
import { withoutAssets } from '../payments/transfer-plan.ts'
import { digestOf } from '../primitives/digest.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import { warnOfFee, warnOfUnconfirmed } from '../review/payment-warnings.ts'
import { type SendingParts, sendRecord } from '../sending/outgoing.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { CommitRefundView, InscribeReview } from '../views/inscribe-views.ts'
import type { PaymentResult } from '../views/payment-views.ts'
import type { CommitRefunds, StoredCommitRefund } from './commit-refund-store.ts'
import {
  addressOfFirst,
  describeItem,
  describeTransaction,
  loadPreview,
} from './inscribe-review.ts'
import { loadBaseKey, signWithDevice } from './inscribing-on-device.ts'
import { explainRate, type JobChangeParts } from './job-change.ts'
import { findCommit } from './job-state.ts'
import { assertOwn } from './signed-as-reviewed.ts'
import { decodeRefund, encodeRefund, type StoredRefund } from './stored-inscribing.ts'

/** A commit of which this wallet has no record; `txid` is null where it is to be looked for in the account's history. */
export type CommitRefundOrder = {
  txid: string | null
  /** What its outputs may hold; more than they hold does no harm. */
  leaves: readonly KnownLeaf[]
  /** sat/vB; null to find out what there is, without a plan. */
  feeRate: number | null
}

/** The newest transactions of the account that are looked at. */
const MAX_LOOKED_AT = 200

/** The parts of the wallet that take back a commit by the phrase and what it was to inscribe. */
export type CommitRefundParts = JobChangeParts &
  SendingParts & {
    accounts: Pick<Accounts, 'network' | 'selected'>
    addresses: Pick<Addresses, 'listUsed'>
    commitRefunds: CommitRefunds
    signer: Pick<Signer, 'deriveBasePublicKey' | 'signRefund' | 'signAround'>
  }

/**
 * Finds the outputs of a commit that hold one of the leaves and that no block has spent, and works out how they come back. Signs
 * nothing. Throws 4100, WATCHED_ONLY, BACKEND_UNAVAILABLE, INSUFFICIENT_FUNDS where the fee takes it all, and -32602 that names the fee
 * rate where the network asks for more.
 */
export async function planCommitRefund(
  wallet: CommitRefundParts,
  random: RandomSource,
  order: CommitRefundOrder,
): Promise<CommitRefundView> {
  const selected = await payFromSelected(wallet)
  const found = await planWith(selected, random, order)
  // The address for ordinals may have been an account of its own, with a key of its own for its commits.
  const account = asHolderOf(selected.account, selected.account.ordinals?.address ?? '')
  if (found.state !== 'no-match' || account === selected.account) return found
  return planWith({ ...selected, account }, random, order)
}

async function planWith(
  context: PaymentContext<CommitRefundParts>,
  random: RandomSource,
  order: CommitRefundOrder,
): Promise<CommitRefundView> {
  const { wallet, network, account } = context
  const baseKey = await loadBaseKey(context)
  const find = (commit: ParsedTransaction) =>
    findCommitOutputs({ commit, baseKey, leaves: order.leaves })
  const chain = await wallet.chain(network)
  const commit = await findTransaction(context, chain, order.txid, find)
  if (commit === null) return { state: order.txid === null ? 'no-match' : 'no-transaction' }
  const { txid } = commit
  const job = (await wallet.jobs.list()).find(
    one => one.network === network && findCommit(one).txid === txid,
  )
  if (job) return { state: 'job', jobId: job.id }
  const found = find(commit)
  // The outputs that pay for reveals have no leaf: they alone tell nothing of the content.
  if (!found.inputs.some(holdsLeaf)) return { state: 'no-match' }
  const { left, replaced } = await findLeft(chain, txid, found)
  if (left.length === 0) return { state: 'spent' }
  const leastFeeRate = Math.ceil(leastRefundFeeRate(replaced))
  const height = (await chain.fetchTransactionHeight(txid)) ?? null
  const held = left.reduce((total, { amount }) => total + amount, 0n)
  const facts = { txid, outputs: left.length, sats: String(held), confirmed: height !== null }
  if (order.feeRate === null) return { state: 'found', ...facts, leastFeeRate, plan: null }
  const { feeRate } = order
  const { coins, feesAsked, own } = await loadCoinsAndFeeRate(context, feeRate)
  const refund = buildOrThrowInsufficient(withoutAssets(coins, []), () =>
    explainRate(feeRate, () => layOutRefund({ ...found, inputs: left, replaced, own, feeRate })),
  )
  const fees = await feesAsked
  const { outputs, fee, vsize } = refund
  const back = outputs.reduce((total, { amount }) => total + amount, 0n)
  const review: InscribeReview = {
    ...{ kind: 'inscribe', purpose: 'refund', jobId: null },
    ...{ parent: null, etching: null, delivery: null },
    items: await viewItems(context, order.leaves, commit, baseKey, left),
    receiver: addressOfFirst(outputs, network) ?? account.address,
    postage: '0',
    feeRate,
    recentFeeRate: fees.recent,
    commit: describeTransaction(
      context,
      {
        inputs: left.map(({ of, ...input }) => ({ ...input, txid, height })),
        ...{ outputs, fee, vsize },
      },
      await findOwnAddresses(context, { inputs: left, outputs }),
    ),
    totalFee: String(fee),
    previousFee:
      replaced.length === 0 ? null : String(replaced.reduce((total, one) => total + one.fee, 0n)),
    cost: String(-back),
    balanceAfter: String(coins.spendable.reduce((total, { amount }) => total + amount, back)),
    warnings: [
      ...warnOfFee({ fee, vsize, amount: null, fees }),
      ...warnOfUnconfirmed(left.map(() => height === null)),
    ],
  }
  const id = toHex(random(16))
  const entry = {
    ...{ id, network, accountId: account.id, refund: encodeRefund(refund) },
    ...{ replaces: replaced[0]?.txid ?? null, review },
  }
  const digest = digestOf(entry)
  await wallet.commitRefunds.put({ ...entry, digest })
  return { state: 'found', ...facts, leastFeeRate, plan: { planId: id, digest, review } }
}

/**
 * Signs what was shown and broadcasts it. Called again, in another worker too, it is the same transaction, on record once. Throws
 * PLAN_OUTDATED when something else was shown, BROADCAST_REJECTED with the node's words.
 */
export async function takeCommitRefund(
  wallet: CommitRefundParts,
  planId: string,
  digest: string,
): Promise<PaymentResult> {
  const record = await wallet.commitRefunds.inTurn(async () => {
    const selected = await payFromSelected(wallet)
    const stored = await wallet.commitRefunds.find(planId)
    if (stored?.digest !== digest) throw outdated()
    const { digest: _, ...entry } = stored
    const { network, accountId, refund } = entry
    if (digestOf(entry) !== digest) throw outdated()
    if (network !== selected.network || accountId !== selected.account.id) throw outdated()
    const context = { ...selected, account: holderOf(selected.account, refund) }
    const rawTx = await sign(context, refund)
    const { outputs } = decodeRefund(refund)
    assertOwn(await findOwnAddresses(context, { inputs: [], outputs }), [rawTx], null)
    const signed = recordOf(context, parseTransaction(rawTx), toHex(rawTx), entry)
    const sent = await wallet.activity.listSent(network, accountId)
    const before = sent.find(({ txid }) => txid === signed.txid)
    if (before) return before.status === 'failed' ? signed : before
    await assertChangeFree(
      context,
      outputs.map(({ scriptPubKey }) => scriptPubKey),
    )
    await claimPaidAddresses(context, [rawTx])
    return signed
  })
  return sendRecord(wallet, record)
}

/** The account whose key made the commit: that of the address for ordinals where this was an account of its own. */
function holderOf(account: SigningAccountView, refund: StoredRefund): SigningAccountView {
  if (decodeRefund(refund).addressType === account.addressType) return account
  return asHolderOf(account, account.ordinals?.address ?? '')
}

async function sign(
  context: PaymentContext<CommitRefundParts>,
  stored: StoredRefund,
): Promise<Uint8Array> {
  const { wallet, account, network } = context
  const refund = decodeRefund(stored)
  if (account.source !== 'device') {
    const signed = await wallet.signer.signRefund({ accountId: account.id, network, refund })
    return signed.rawTx
  }
  // By the wallet alone: no coin of the account is in it.
  const [signed] = await signWithDevice(context, account, null, [refund], refund.nonce)
  if (!signed) throw new Error('refund: nothing was signed')
  return signed.rawTx
}

function recordOf(
  { wallet, account, network }: PaymentContext<CommitRefundParts>,
  { txid, outputs }: ParsedTransaction,
  rawTx: string,
  { review: { cost, totalFee }, replaces }: Omit<StoredCommitRefund, 'digest'>,
): SentRecord {
  return {
    ...{ txid, network, accountId: account.id, kind: 'refund' },
    ...{ net: String(-BigInt(cost)), counterparty: null, fee: totalFee, origin: null },
    ...{ at: wallet.now(), status: 'sending', height: null, replacedBy: null, about: null, rawTx },
    spends: [],
    creates: outputs.map((_, vout) => formatOutpoint({ txid, vout })),
    ...{ carries: {}, payment: null, replaces },
  }
}

/** The transaction of this id, or the newest of the account's history of which the leaves open something that is left; null for none. */
async function findTransaction(
  context: PaymentContext<CommitRefundParts>,
  chain: ChainSource,
  txid: string | null,
  find: (commit: ParsedTransaction) => FoundCommit,
): Promise<ParsedTransaction | null> {
  if (txid !== null) {
    try {
      return parseTransaction(await chain.fetchTransaction(txid))
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return null
      throw error
    }
  }
  let spent: ParsedTransaction | null = null
  for await (const { txid } of listOwnTransactions(context, chain)) {
    const commit = parseTransaction(await chain.fetchTransaction(txid))
    const found = find(commit)
    if (!found.inputs.some(holdsLeaf)) continue
    const { left } = await findLeft(chain, txid, found)
    if (left.length > 0) return commit
    spent ??= commit
  }
  return spent
}

/** Those that could be commits: a commit has a taproot output. */
async function* listOwnTransactions(
  { wallet, account }: PaymentContext<CommitRefundParts>,
  chain: ChainSource,
): AsyncGenerator<HistoryTransaction> {
  const seen = new Set<string>()
  for (const { address } of await wallet.addresses.listUsed(chain, account)) {
    let after: string | null = null
    do {
      const page = await chain.fetchHistory(address, after)
      for (const transaction of page.transactions) {
        if (seen.has(transaction.txid)) continue
        seen.add(transaction.txid)
        if (seen.size > MAX_LOOKED_AT) return
        if (transaction.outputs.some(({ scriptPubKey }) => isTaprootScript(scriptPubKey)))
          yield transaction
      }
      after = page.next
    } while (after !== null)
  }
}

const isTaprootScript = (script: Uint8Array): boolean =>
  script.length === 34 && script[0] === 0x51 && script[1] === 0x20

/** What no block has spent of it, and the reveals in the mempool that would go. */
async function findLeft(chain: ChainSource, txid: string, { inputs }: FoundCommit) {
  const spenders = await Promise.all(
    inputs.map(async input => {
      const spender = await chain.fetchSpender({ txid, vout: input.vout })
      return spender === null ? null : chain.fetchTransactionRecord(spender)
    }),
  )
  const left = inputs.filter((_, at) => (spenders[at]?.height ?? null) === null)
  const waiting = spenders.flatMap(spender => (spender?.height === null ? spender : []))
  const replaced = [...new Map(waiting.map(spender => [spender.txid, spender])).values()]
  return { left, replaced }
}

/** The contents that are in what comes back; of those that were given as a hash nothing can be shown. */
async function viewItems(
  { wallet, network }: PaymentContext<CommitRefundParts>,
  leaves: readonly KnownLeaf[],
  commit: ParsedTransaction,
  baseKey: Uint8Array,
  left: readonly RevealInput[],
): Promise<InscribeReview['items']> {
  const vouts = new Set(left.map(({ vout }) => vout))
  const contents = leaves.flatMap((leaf): EnvelopeContent[] => {
    if (leaf.kind !== 'content') return []
    const { inputs } = findCommitOutputs({ commit, baseKey, leaves: [leaf] })
    return inputs.some(input => holdsLeaf(input) && vouts.has(input.vout)) ? [leaf.content] : []
  })
  return Promise.all(
    contents.map(async content =>
      describeItem(
        content,
        await loadPreview(wallet, network, content),
        { fee: 0n, vsize: 0 },
        null,
      ),
    ),
  )
}

function holdsLeaf({ unlocking }: RevealInput): boolean {
  return unlocking.kind === 'inscribing-key' && unlocking.merkleRoot !== null
}

function outdated(): ProviderError {
  return failure(
    'PLAN_OUTDATED',
    'What was shown is not known any more, or the account in use is another one. Nothing was sent; look at it again.',
  )
}

import { addressOfScript } from '../bitcoin/address.ts'
import { fromHex, toHex } from '../bitcoin/bytes.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import { createOwners } from '../bitcoin/psbt-owners.ts'
import {
  InvalidTransactionError,
  type ParsedTransaction,
  parseTransaction,
  type TransactionOutput,
} from '../bitcoin/transaction.ts'
import type { FeeRates } from '../chain/chain-source.ts'
import { invalidParams, unauthorized } from '../provider/errors.ts'
import type { Methods } from '../provider/methods.ts'
import type { SentRecord } from './activity.ts'
import { listOwnScripts } from './coins.ts'
import { loadFeeRates } from './fee-rates.ts'
import { fetchKnownTransactions } from './known-transactions.ts'
import type { Method, RequestContext } from './method.ts'
import { finishSending, sendOut } from './outgoing.ts'
import { roundRate, warnOfFee } from './payment-warnings.ts'
import { unsignedTxidOf } from './shown-transactions.ts'
import type { ReviewedInput } from './ui-methods/payment-views.ts'
import type { BatchAbout, PushedTransaction } from './ui-methods/psbt-views.ts'

export type PushContext = Pick<RequestContext, 'wallet' | 'origin' | 'network' | 'account'>

/** What a site wants broadcast, in hex, and raw transactions by txid (proven by it) that came along. */
export type SignedTransaction = { rawTx: string; previous: ReadonlyMap<string, Uint8Array> }

/** What it does, whether it may go without a question, and the record that it will have. */
export type Push = {
  review: PushedTransaction
  clean: boolean
  record: SentRecord
}

type Amount = Pick<TransactionOutput, 'amount'>

/** What is needed to look at transactions, gathered once for all of them. */
type PushFacts = {
  owners: ReturnType<typeof createOwners>
  fees: FeeRates | null
  /** By txid. */
  outputs: ReadonlyMap<string, readonly TransactionOutput[]>
}

/**
 * An operation that broadcasts one transaction and resolves its txid. Without a question when it is clean: what it spends
 * is known, none of it is a coin of this wallet, and its fee is not high; or all of it was shown, with this fee, when it
 * was signed. More than 10,000 sat/vB is refused.
 */
export function createPush<M extends 'pushTx' | 'pushPsbt'>(
  read: (
    context: Pick<PushContext, 'wallet' | 'network'>,
    params: Methods[M]['params'],
  ) => Promise<SignedTransaction>,
): Method<M> {
  const prepare = async (context: PushContext, params: Methods[M]['params']) => {
    const signed = await read(context, params)
    return preparePush(context, signed, await gatherFacts(context, [signed]), null)
  }
  return {
    access: 'connected',
    asksServers: true,
    answer: async (context, params) => {
      const { wallet, account } = context
      if (!account) return undefined
      const { clean, record } = await prepare({ ...context, account }, params)
      return clean ? sendOut(wallet, record) : undefined
    },
    ask: async (context, params) => {
      const { wallet } = context
      const { review, clean, record } = await context.once('push', () => prepare(context, params))
      if (!clean) await context.approve({ kind: 'push-tx', ...review })
      const approved = async () => ({ ...record, at: wallet.now() })
      return sendOut(wallet, await context.once('signed', approved))
    },
    finish: finishSending,
  }
}

/** Fetches what the transactions spend, where neither they bring it nor one of them makes it. */
export async function gatherFacts(
  context: PushContext,
  signed: readonly SignedTransaction[],
): Promise<PushFacts> {
  const { wallet, network } = context
  const parsed = signed.map(({ rawTx }) => parseTransaction(fromHex(rawTx)))
  const outputs = new Map(parsed.map(transaction => [transaction.txid, transaction.outputs]))
  for (const { previous } of signed) keep(previous)
  const wanted = parsed.flatMap(({ inputs }) => inputs.map(({ txid }) => txid))
  const missing = wanted.filter(txid => !outputs.has(txid))
  keep(await fetchKnownTransactions(await wallet.chain(network), missing))
  const fees = await loadFeeRates(wallet, network).catch(() => null)
  return { owners: await loadOwners(context), fees, outputs }

  function keep(transactions: ReadonlyMap<string, Uint8Array>): void {
    for (const [txid, raw] of transactions) {
      if (!outputs.has(txid)) outputs.set(txid, parseTransaction(raw).outputs)
    }
  }
}

/** The accounts are known only while the wallet is open; without them no coin would be ours. */
async function loadOwners({ wallet, network, account }: PushContext): Promise<PushFacts['owners']> {
  const own = listOwnScripts(await wallet.accounts.list(network), network)
  if (!own.some(({ accountId }) => accountId === account.id))
    throw unauthorized('The wallet is locked.')
  return createOwners(own)
}

export async function preparePush(
  context: PushContext,
  { rawTx }: SignedTransaction,
  facts: PushFacts,
  about: BatchAbout,
): Promise<Push> {
  const { net, ...review } = reviewPush(context, parseTransaction(fromHex(rawTx)), facts)
  return {
    review,
    clean: await isClean(context, rawTx, review),
    record: describePush(context, rawTx, review, net, about),
  }
}

/** With what the account that is asked gains. */
function reviewPush(
  { network, account }: PushContext,
  { txid, vsize, ...transaction }: ParsedTransaction,
  facts: PushFacts,
): Push['review'] & { net: bigint } {
  const spent = transaction.inputs.map(input => {
    const output = facts.outputs.get(input.txid)?.[input.vout] ?? null
    return { input, output, ...facts.owners.ownerOfInput(output, [], undefined) }
  })
  const inputs = spent.map(
    ({ input, output, owner }): ReviewedInput => ({
      outpoint: formatOutpoint(input),
      address: output && addressOfScript(output.scriptPubKey, network),
      sats: output && String(output.amount),
      own: owner === 'own',
    }),
  )
  const made = transaction.outputs.map(output => ({
    output,
    ...facts.owners.ownerOfOutput(output),
  }))
  const outputs = made.map(({ output: { scriptPubKey, amount }, owner }) => ({
    address: addressOfScript(scriptPubKey, network),
    script: toHex(scriptPubKey),
    sats: String(amount),
    own: owner === 'own',
  }))
  const sumOfAccount = (some: readonly { accountId: string | null; output: Amount | null }[]) =>
    some.reduce(
      (total, { accountId, output }) =>
        accountId === account.id ? total + (output?.amount ?? 0n) : total,
      0n,
    )
  const paid = sum(outputs)
  const fee = inputs.some(({ sats }) => sats === null) ? null : sum(inputs) - paid
  return {
    net: sumOfAccount(made) - sumOfAccount(spent),
    txid,
    netCost: String(sum(inputs.filter(({ own }) => own)) - sum(outputs.filter(({ own }) => own))),
    fee: fee === null ? null : String(fee),
    feeRate: fee === null ? null : roundRate(fee, vsize),
    vsize,
    inputs,
    outputs,
    warnings: [
      ...(inputs.some(({ own }) => own) ? [{ kind: 'unchecked-coins' } as const] : []),
      ...(fee === null ? [] : warnOfFee({ fee, vsize, amount: paid, fees: facts.fees })),
    ],
  }
}

async function isClean(
  { wallet, network, account }: PushContext,
  rawTx: string,
  { fee, inputs, warnings }: Push['review'],
): Promise<boolean> {
  if (fee === null) return false
  const isHigh = warnings.some(({ kind }) => kind === 'high-fee')
  if (!isHigh && !inputs.some(({ own }) => own)) return true
  const unsignedTxid = unsignedTxidOf(fromHex(rawTx))
  return wallet.shownTransactions.has({ unsignedTxid, network, accountId: account.id, fee })
}

function describePush(
  { wallet, network, account, origin }: PushContext,
  rawTx: string,
  { txid, fee, inputs, outputs }: Push['review'],
  net: bigint,
  about: BatchAbout,
): SentRecord {
  const spends = inputs.filter(({ own }) => own).map(({ outpoint }) => outpoint)
  return {
    txid,
    network,
    accountId: account.id,
    kind: 'pushed',
    net: fee === null || spends.length === 0 ? null : String(net),
    counterparty: outputs.find(({ own, address }) => !own && address !== null)?.address ?? null,
    fee,
    origin,
    at: wallet.now(),
    status: 'sending',
    height: null,
    replacedBy: null,
    about,
    rawTx,
    spends,
    creates: [],
    payment: null,
    replaces: null,
  }
}

/** Throws -32602 that names the field. */
export function readRawTransaction(field: string, rawTx: string): SignedTransaction {
  try {
    parseTransaction(fromHex(rawTx))
    return { rawTx, previous: new Map() }
  } catch (cause) {
    if (!(cause instanceof InvalidTransactionError)) throw cause
    throw Object.assign(invalidParams(field, rawTx, 'a signed transaction in hex'), { cause })
  }
}

function sum(parts: readonly { sats: string | null }[]): bigint {
  return parts.reduce((total, { sats }) => total + BigInt(sats ?? 0), 0n)
}

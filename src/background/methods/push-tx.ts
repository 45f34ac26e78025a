import { addressOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint, type Outpoint } from '../../bitcoin/outpoint.ts'
import {
  InvalidTransactionError,
  type ParsedTransaction,
  parseTransaction,
} from '../../bitcoin/transaction.ts'
import { type ChainSource, TransactionNotFoundError } from '../../chain/chain-source.ts'
import { invalidParams } from '../../provider/errors.ts'
import { canSign } from '../accounts.ts'
import type { SentRecord } from '../activity.ts'
import { scriptOf } from '../coins.ts'
import { loadFeeRates } from '../fee-rates.ts'
import type { Method } from '../method.ts'
import { finishSending, sendOut } from '../outgoing.ts'
import { roundRate, warnOfFee } from '../payment-warnings.ts'
import type { PushTxReview } from '../ui-methods/approval-views.ts'
import type { ReviewedInput } from '../ui-methods/payment-views.ts'
import type { Wallet } from '../wallet.ts'

/** Inputs beyond this many are not looked up one by one; their amounts stay unknown. */
const MAX_LOOKUPS = 50

/**
 * Broadcasts a signed transaction and resolves its txid. Without a prompt when it is clean: what it spends is known, none
 * of it is a coin of this wallet that nobody has classified, and its fee is not absurd. Otherwise the person is asked.
 * More than 10,000 sat/vB is refused (Bitcoin Core's own bound).
 */
export const pushTx: Method<'pushTx'> = {
  access: 'connected',
  answer: async ({ wallet, network, account, origin }, { rawTx }) => {
    const review = await reviewPush(wallet, network, rawTx)
    if (!account || !isClean(review)) return undefined
    return sendOut(wallet, describePush(wallet, network, account.id, origin, rawTx, review))
  },
  ask: async (context, { rawTx }) => {
    const { wallet, account, network, origin } = context
    const review = await context.once('review', () => reviewPush(wallet, network, rawTx))
    await context.approve(review)
    const entry = await context.once('signed', async () =>
      describePush(wallet, network, account.id, origin, rawTx, review),
    )
    return sendOut(wallet, entry)
  },
  finish: finishSending,
}

function isClean({ fee, inputs, warnings }: PushTxReview): boolean {
  if (fee === null || inputs.some(input => input.own)) return false
  return !warnings.some(warning => warning.kind === 'high-fee')
}

function describePush(
  wallet: Wallet,
  network: Network,
  accountId: string,
  origin: string,
  rawTx: string,
  { txid, netCost, fee, inputs, outputs }: PushTxReview,
): SentRecord {
  const spends = inputs.filter(input => input.own).map(input => input.outpoint)
  return {
    txid,
    network,
    accountId,
    kind: 'pushed',
    net: fee === null || spends.length === 0 ? null : String(-BigInt(netCost)),
    counterparty: outputs.find(output => !output.own)?.address ?? null,
    fee,
    origin,
    at: wallet.now(),
    status: 'sending',
    height: null,
    replacedBy: null,
    rawTx,
    spends,
    creates: [],
    payment: null,
    replaces: null,
  }
}

async function reviewPush(wallet: Wallet, network: Network, rawTx: string): Promise<PushTxReview> {
  const transaction = readTransaction(rawTx)
  const own = new Set(
    (await wallet.accounts.list(network))
      .filter(canSign)
      .map(account => toHex(scriptOf(account, network))),
  )
  const inputs = await reviewInputs(wallet, network, transaction, own)
  const outputs = transaction.outputs.map(({ scriptPubKey, amount }) => ({
    address: addressOfScript(scriptPubKey, network),
    script: toHex(scriptPubKey),
    sats: String(amount),
    own: own.has(toHex(scriptPubKey)),
  }))
  const fees = await loadFeeRates(wallet, network).catch(() => null)
  const fee = feeOf(inputs, outputs)
  const netCost = sumOwn(inputs) - sumOwn(outputs)
  return {
    kind: 'push-tx',
    txid: transaction.txid,
    netCost: String(netCost),
    fee: fee === null ? null : String(fee),
    feeRate: fee === null ? null : roundRate(fee, transaction.vsize),
    vsize: transaction.vsize,
    inputs,
    outputs,
    warnings: [
      ...(inputs.some(input => input.own) ? [{ kind: 'unchecked-coins' } as const] : []),
      ...(fee === null
        ? []
        : warnOfFee({ fee, vsize: transaction.vsize, amount: paidOf(outputs), fees })),
    ],
  }
}

/** Looks up what each input spends in the raw previous transaction, whose txid is recomputed. */
async function reviewInputs(
  wallet: Wallet,
  network: Network,
  transaction: ParsedTransaction,
  own: ReadonlySet<string>,
): Promise<ReviewedInput[]> {
  const chain = await wallet.chain(network)
  return Promise.all(
    transaction.inputs.map(async (input, index) => {
      const outpoint = formatOutpoint(input)
      const unknown = { outpoint, address: null, sats: null, own: false }
      if (index >= MAX_LOOKUPS) return unknown
      const output = await fetchOutput(chain, input)
      if (!output) return unknown
      return {
        outpoint,
        address: addressOfScript(output.scriptPubKey, network),
        sats: String(output.amount),
        own: own.has(toHex(output.scriptPubKey)),
      }
    }),
  )
}

/** Undefined when there is no such output; the node has the last word on that. */
async function fetchOutput(chain: ChainSource, { txid, vout }: Outpoint) {
  try {
    return parseTransaction(await chain.fetchTransaction(txid)).outputs[vout]
  } catch (error) {
    if (error instanceof TransactionNotFoundError) return undefined
    throw error
  }
}

function readTransaction(rawTx: string): ParsedTransaction {
  try {
    return parseTransaction(fromHex(rawTx))
  } catch (cause) {
    if (!(cause instanceof InvalidTransactionError)) throw cause
    throw Object.assign(invalidParams('rawTx', rawTx, 'a signed transaction in hex'), { cause })
  }
}

function feeOf(
  inputs: readonly { sats: string | null }[],
  outputs: readonly { sats: string }[],
): bigint | null {
  let total = 0n
  for (const { sats } of inputs) {
    if (sats === null) return null
    total += BigInt(sats)
  }
  return outputs.reduce((rest, { sats }) => rest - BigInt(sats), total)
}

function sumOwn(parts: readonly { sats: string | null; own: boolean }[]): bigint {
  return parts.reduce((total, { sats, own }) => (own ? total + BigInt(sats ?? 0) : total), 0n)
}

function paidOf(outputs: readonly { sats: string }[]): bigint {
  return outputs.reduce((total, { sats }) => total + BigInt(sats), 0n)
}

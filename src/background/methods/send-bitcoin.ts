import { InvalidAddressError, parseAddress } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { InsufficientFundsError } from '../../bitcoin/coin-selection.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { buildPayment, type Payment } from '../../bitcoin/payment.ts'
import { type ParsedTransaction, parseTransaction } from '../../bitcoin/transaction.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import type { Methods } from '../../provider/methods.ts'
import type { StoredActivity } from '../activity.ts'
import { type Coins, loadCoins } from '../coins.ts'
import { askAlways, type Method, type RequestContext } from '../method.ts'
import { sendOut } from '../outgoing.ts'
import { reviewPayment } from '../payment-review.ts'
import { decodePayment, encodePayment, type StoredPayment } from '../stored-payment.ts'
import type { SendBitcoinReview } from '../ui-methods/ui-methods.ts'

/** What was planned and shown; exactly this is signed. */
type Plan = { payment: StoredPayment; review: SendBitcoinReview; spends: string[] }

type Params = Methods['sendBitcoin']['params']

/** Pays sats to an address and resolves the txid. Planned, shown, approved, signed, stored, and only then broadcast. */
export const sendBitcoin: Method<'sendBitcoin'> = {
  access: 'connected',
  answer: askAlways,
  ask: async (context, params) => {
    const { wallet } = context
    // One plan at a time: the next one sees the coins of this one as reserved.
    const plan = await wallet.planInTurn(() =>
      context.once('plan', () => planPayment(context, params)),
    )
    await context.approve(plan.review)
    return sendOut(wallet, await context.once('signed', () => signPlan(context, plan)))
  },
  finish: (wallet, { signed }) => (signed ? sendOut(wallet, signed as StoredActivity) : null),
}

/** Signs, and checks the transaction against what was shown before anything of it leaves. */
async function signPlan(context: RequestContext, plan: Plan): Promise<StoredActivity> {
  const { wallet, account, network, origin } = context
  const { review, spends } = plan
  const payment = decodePayment(plan.payment)
  const { rawTx, txid } = await wallet.signer.signPayment({
    accountId: account.id,
    network,
    payment,
    previousTransactions: await fetchPreviousTransactions(context, payment),
  })
  assertAsReviewed(parseTransaction(rawTx), review)
  return {
    txid,
    network,
    accountId: account.id,
    kind: 'sent',
    sats: review.sats,
    to: review.to,
    fee: review.fee,
    origin,
    at: wallet.now(),
    status: 'sending',
    rawTx: toHex(rawTx),
    spends,
    creates: review.outputs.flatMap((output, vout) =>
      output.own ? [formatOutpoint({ txid, vout })] : [],
    ),
  }
}

function assertAsReviewed(signed: ParsedTransaction, review: SendBitcoinReview): void {
  const inputs = signed.inputs.map(formatOutpoint).join()
  const outputs = signed.outputs.map(
    ({ scriptPubKey, amount }) => `${toHex(scriptPubKey)} ${amount}`,
  )
  const shownInputs = review.inputs.map(({ outpoint }) => outpoint).join()
  const shownOutputs = review.outputs.map(({ script, sats }) => `${script} ${sats}`)
  if (inputs !== shownInputs || outputs.join() !== shownOutputs.join()) {
    throw new Error('The signed transaction is not the one that was shown.')
  }
}

async function planPayment(context: RequestContext, params: Params): Promise<Plan> {
  const { wallet, account, network, key } = context
  const to = parseRecipient(params.toAddress, network)
  const chain = await wallet.chain(network)
  const [coins, fees] = await Promise.all([
    loadCoins(wallet, account, network),
    chain.fetchFeeRates().catch(error => {
      if (params.feeRate === null) throw error
      return null
    }),
  ])
  const feeRate = params.feeRate ?? fees?.halfHour
  if (feeRate === undefined) throw new Error('No fee rate')
  const payment = buildOrExplain(coins, {
    to: to.scriptPubKey,
    amount: params.sats,
    utxos: coins.spendable,
    own: { publicKey: fromHex(account.publicKey), addressType: account.addressType },
    feeRate,
    seed: key,
  })
  return {
    payment: encodePayment(payment),
    review: reviewPayment({ payment, to: to.address, coins, fees, account, network }),
    spends: payment.inputs.map(formatOutpoint),
  }
}

/** When coins do not suffice, says which others there are and why they are not spent. */
function buildOrExplain({ held }: Coins, params: Parameters<typeof buildPayment>[0]): Payment {
  try {
    return buildPayment(params)
  } catch (cause) {
    if (!(cause instanceof InsufficientFundsError)) throw cause
    throw failure('INSUFFICIENT_FUNDS', cause.message, {
      cause,
      data: {
        needed: String(cause.needed),
        available: String(cause.available),
        heldAsPostage: String(held.postage),
        heldUnconfirmed: String(held.unconfirmed),
        heldByPayments: String(held.reserved),
      },
    })
  }
}

function parseRecipient(text: string, network: Network) {
  try {
    return parseAddress(text, network)
  } catch (cause) {
    if (!(cause instanceof InvalidAddressError)) throw cause
    throw Object.assign(invalidParams('toAddress', text, `an address on ${network}`), { cause })
  }
}

/** Raw transactions that created the inputs, which prove the amounts of all but taproot inputs. */
async function fetchPreviousTransactions(
  { wallet, network }: RequestContext,
  payment: Payment,
): Promise<ReadonlyMap<string, Uint8Array>> {
  if (payment.addressType === 'p2tr') return new Map()
  const chain = await wallet.chain(network)
  const txids = [...new Set(payment.inputs.map(input => input.txid))]
  return new Map(
    await Promise.all(txids.map(async txid => [txid, await chain.fetchTransaction(txid)] as const)),
  )
}

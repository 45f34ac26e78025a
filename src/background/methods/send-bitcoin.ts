import { InvalidAddressError, parseAddress } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { buildPayment, type Payment } from '../../bitcoin/payment.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { Methods } from '../../provider/methods.ts'
import { broadcastTransaction } from '../broadcast.ts'
import { loadCoins } from '../coins.ts'
import { askAlways, type Method, type RequestContext } from '../method.ts'
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
    const { wallet, account, network } = context
    const plan = await context.once('plan', () => planPayment(context, params))
    await context.approve(plan.review)
    const chain = await wallet.chain(network)
    const payment = decodePayment(plan.payment)
    await context.once('built', async () => true)
    const signed = await context.once('signed', async () => {
      const previousTransactions = await fetchPreviousTransactions(context, payment)
      const { rawTx, txid } = await wallet.signer.signPayment({
        accountId: account.id,
        network,
        payment,
        previousTransactions,
      })
      return { rawTx: toHex(rawTx), txid }
    })
    await wallet.activity.record({
      txid: signed.txid,
      network,
      accountId: account.id,
      kind: 'sent',
      sats: plan.review.sats,
      to: plan.review.to,
      fee: plan.review.fee,
      origin: context.origin,
      at: wallet.now(),
      status: 'sending',
      spends: plan.spends,
      creates: plan.review.outputs.flatMap((output, vout) =>
        output.own ? [formatOutpoint({ txid: signed.txid, vout })] : [],
      ),
    })
    try {
      await broadcastTransaction(chain, fromHex(signed.rawTx))
    } catch (error) {
      await wallet.activity.setStatus(signed.txid, 'failed')
      throw error
    }
    await wallet.activity.setStatus(signed.txid, 'pending')
    return signed.txid
  },
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
  const payment = buildPayment({
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

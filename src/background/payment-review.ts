import { addressOfScript } from '../bitcoin/address.ts'
import { equalBytes, toHex } from '../bitcoin/bytes.ts'
import type { Network } from '../bitcoin/network.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import type { Payment } from '../bitcoin/payment.ts'
import type { FeeRates } from '../chain/chain-source.ts'
import { type Coins, scriptOf } from './coins.ts'
import type { AccountView, SendBitcoinReview, Warning } from './ui-methods/ui-methods.ts'

/** What a person is shown of a payment of ours before it is signed. */
export function reviewPayment(params: {
  payment: Payment
  to: string
  coins: Coins
  fees: FeeRates | null
  account: AccountView
  network: Network
}): SendBitcoinReview {
  const { payment, to, coins, fees, account, network } = params
  const own = scriptOf(account)
  const amount = payment.outputs[0]?.amount ?? 0n
  const spent = sum(payment.inputs)
  // The first output is the recipient's, also when that is this account.
  const change = sum(payment.outputs.slice(1))
  return {
    kind: 'send-bitcoin',
    to,
    sats: String(amount),
    fee: String(payment.fee),
    feeRate: roundRate(payment.fee, payment.vsize),
    vsize: payment.vsize,
    inputs: payment.inputs.map(input => ({
      outpoint: formatOutpoint(input),
      address: account.address,
      sats: String(input.amount),
      own: true,
    })),
    outputs: payment.outputs.map(output => ({
      address: addressOfScript(output.scriptPubKey, network),
      script: toHex(output.scriptPubKey),
      sats: String(output.amount),
      own: equalBytes(output.scriptPubKey, own),
    })),
    balanceAfter: String(sum(coins.spendable) - spent + change),
    warnings: [
      { kind: 'unchecked-coins' },
      ...warnOfFee({ fee: payment.fee, vsize: payment.vsize, amount, fees }),
      ...(to === account.address ? [{ kind: 'own-address' } as const] : []),
      ...(payment.inputs.some(input => input.height === null)
        ? [{ kind: 'spends-unconfirmed' } as const]
        : []),
    ],
  }
}

/** High whatever a server says is usual: its word is half of every other comparison. */
const HIGH_FEE = 200_000n
const HIGH_FEE_RATE = 500

/**
 * A fee is high over 10 % of the amount and 10,000 sats, over five times the fastest rate, or over a bound of our own; one
 * below the server's minimum may never confirm.
 */
export function warnOfFee(params: {
  fee: bigint
  vsize: number
  /** Sats that the fee is compared with; null when there is nothing to compare. */
  amount: bigint | null
  fees: FeeRates | null
}): Warning[] {
  const { fee, vsize, amount, fees } = params
  const rate = roundRate(fee, vsize)
  const percent = amount === null || amount === 0n ? null : Number((fee * 1000n) / amount) / 10
  const dear = percent !== null && percent > 10 && fee > 10_000n
  const fast = fees !== null && rate > 5 * fees.fastest
  if (dear || fast || fee > HIGH_FEE || rate > HIGH_FEE_RATE)
    return [{ kind: 'high-fee', percent, fastest: fees?.fastest ?? null }]
  if (fees !== null && rate < fees.minimum) return [{ kind: 'low-fee', minimum: fees.minimum }]
  return []
}

/** sat/vB with three decimals. */
export function roundRate(fee: bigint, vsize: number): number {
  return Math.round((Number(fee) * 1000) / vsize) / 1000
}

function sum(coins: readonly { amount: bigint }[]): bigint {
  return coins.reduce((total, coin) => total + coin.amount, 0n)
}

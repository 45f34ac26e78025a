import { addressOfScript } from '../bitcoin/address.ts'
import { equalBytes, toHex } from '../bitcoin/bytes.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import type { Payment } from '../bitcoin/payment.ts'
import type { TransactionOutput } from '../bitcoin/transaction.ts'
import type { FeeRates } from '../chain/chain-source.ts'
import { type Coins, scriptOf } from './coins.ts'
import type { PaymentContext } from './payment-context.ts'
import { type Acquaintances, roundRate, warnOfFee, warnOfRecipients } from './payment-warnings.ts'
import type { PaymentReview, ReviewedOutput } from './ui-methods/payment-views.ts'

/** What a payment of ours is for. `previous` is what it replaces or lifts. */
export type Purpose = {
  purpose: PaymentReview['purpose']
  previous: { txid: string; fee: bigint; vsize: number } | null
}

/** What a person is shown of a payment of ours before it is signed. */
export function reviewPayment(
  { account, network }: PaymentContext,
  payment: Payment,
  { purpose, previous }: Purpose,
  known: { coins: Coins; fees: FeeRates | null; acquaintances: Acquaintances },
): PaymentReview {
  const { coins, fees, acquaintances } = known
  const own = scriptOf(account, network)
  const { inputs, changeIndex, fee, vsize } = payment
  const outputs = payment.outputs.map(
    ({ scriptPubKey, amount }): ReviewedOutput => ({
      address: addressOfScript(scriptPubKey, network),
      script: toHex(scriptPubKey),
      sats: String(amount),
      own: equalBytes(scriptPubKey, own),
    }),
  )
  const recipients = outputs.flatMap(({ address, sats }, index) =>
    address === null || index === changeIndex
      ? []
      : [{ address, sats, name: acquaintances.names.get(address) ?? null }],
  )
  const paid = sum(recipients)
  const returned = sum(outputs.filter(output => output.own))
  const spent = new Set(inputs.map(formatOutpoint))
  const replaced = purpose === 'child' ? undefined : previous?.txid
  const kept = coins.spendable.filter(
    ({ outpoint, txid }) => !spent.has(outpoint) && txid !== replaced,
  )
  // A child pays for two.
  const lifted = purpose === 'child' && previous ? previous : { fee: 0n, vsize: 0 }
  const whole = { fee: fee + lifted.fee, vsize: vsize + lifted.vsize }
  return {
    kind: 'payment',
    purpose,
    previous: previous && { txid: previous.txid, fee: String(previous.fee) },
    recipients,
    memo: readMemo(payment.outputs),
    sats: String(paid),
    fee: String(fee),
    feeRate: roundRate(whole.fee, whole.vsize),
    vsize,
    inputs: inputs.map(input => ({
      outpoint: formatOutpoint(input),
      address: account.address,
      sats: String(input.amount),
      own: true,
    })),
    outputs,
    balanceAfter: String(kept.reduce((total, { amount }) => total + amount, returned)),
    warnings: [
      { kind: 'unchecked-coins' },
      ...warnOfFee({ ...whole, amount: recipients.length > 0 ? paid : returned, fees }),
      ...warnOfRecipients(
        recipients.map(({ address }) => address),
        acquaintances,
      ),
      ...(recipients.some(({ address }) => address === account.address)
        ? [{ kind: 'own-address' } as const]
        : []),
      ...(inputs.some(({ height }) => height === null)
        ? [{ kind: 'spends-unconfirmed' } as const]
        : []),
    ],
  }
}

const OP_RETURN = 0x6a
const OP_PUSHDATA1 = 0x4c

/** Text of the OP_RETURN output that a payment of ours may have: one push. */
function readMemo(outputs: readonly TransactionOutput[]): string | null {
  const script = outputs.find(({ scriptPubKey }) => scriptPubKey[0] === OP_RETURN)?.scriptPubKey
  if (!script) return null
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(
    script.subarray(script[1] === OP_PUSHDATA1 ? 3 : 2),
  )
}

function sum(parts: readonly { sats: string }[]): bigint {
  return parts.reduce((total, { sats }) => total + BigInt(sats), 0n)
}

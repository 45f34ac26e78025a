import { feeForVsize } from '../../bitcoin/fee-rate.ts'
import {
  assetScriptOf,
  buildLedPayment,
  type Payer,
  type Payment,
  scriptOfPayer,
  serializeUnsigned,
} from '../../bitcoin/payments/payment.ts'
import { parseTransaction, type TransactionOutput } from '../../bitcoin/transaction.ts'
import { transactionVsize } from '../../bitcoin/transaction-size.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { flowRunes } from '../flow/rune-flow.ts'
import type { RuneId } from '../rune-id.ts'
import { encipherMint } from '../runes/rune-mint.ts'
import { POSTAGE } from './transfer.ts'

/**
 * Mints of one approval. Bitcoin Core before version 31 relays chains of 25 unconfirmed transactions and 101 kvB, version 31
 * clusters of 64 and 101 kvB; one place is left for a payment with the change.
 */
export const MAX_MINTS = 24

/** Where a mint's transaction puts what it mints, and what pays the mints after it. */
export const MINTED_VOUT = 0
export const POT_VOUT = 2

export type MintChainParams = {
  rune: RuneId
  /** 1 to {@link MAX_MINTS}. */
  count: number
  /** Clean coins that may pay. */
  utxos: readonly Utxo[]
  required?: readonly Utxo[]
  own: Payer
  /** scriptPubKey of the account that holds what pays the mints after each, of the type of its own address, which it is unless given. */
  potScript?: Uint8Array
  /** sat/vB. */
  feeRate: number
  seed: string
}

/**
 * One transaction a mint, in the order of their broadcast. Each puts what it mints on a coin of its own; its third output
 * holds exactly what the mints after it cost, and is the only input of the next. So no mint has a rune on an input: whatever
 * becomes of a mint, no other is lost with it, and change that the chain does not need stays free. Ids of inputs from within
 * the chain are those of transactions without signatures; where these are part of an id, {@link chainTo} puts it right.
 * Throws InsufficientFundsError, TransactionTooLargeError.
 */
export function buildMintChain(params: MintChainParams): Payment[] {
  const { rune, count, utxos, required = [], own, feeRate, seed } = params
  if (!Number.isSafeInteger(count) || count < 1 || count > MAX_MINTS)
    throw new RangeError(`rune mint: ${count} mints`)
  const { potScript = scriptOfPayer(own) } = params
  const minted: TransactionOutput = { scriptPubKey: assetScriptOf(own), amount: POSTAGE }
  const runestone: TransactionOutput = { scriptPubKey: encipherMint(rune), amount: 0n }
  const pots = listPots()
  const outputsOf = (at: number) => layOutMint(pots[at] ?? 0n)
  const leading = { inputs: [], outputs: outputsOf(0) }
  const payments = [buildLedPayment({ leading, utxos, required, own, feeRate, seed })]
  for (let at = 1; at < count; at++) {
    const before = payments[at - 1] as Payment
    const outputs = outputsOf(at)
    const paid = pots[at - 1] ?? 0n
    payments.push({
      inputs: [potOf(before, parseTransaction(serializeUnsigned(before)).txid)],
      outputs,
      addressType: own.addressType,
      fee: paid - outputs.reduce((sum, { amount }) => sum + amount, 0n),
      vsize: sizeOf(outputs),
      feeRate,
      changeIndex: null,
      leading: { inputs: 1, outputs: outputs.length },
    })
  }
  for (const payment of payments) assertMints(payment)
  return payments

  /** What the third output of each holds; 0 for the last, which has none. */
  function listPots(): bigint[] {
    const sums: bigint[] = [0n]
    for (let after = 1; after < count; after++) {
      const rest = sums[0] ?? 0n
      sums.unshift(rest + minted.amount + feeForVsize(sizeOf(layOutMint(rest)), feeRate))
    }
    return sums
  }

  /** `pot` are the sats for the mints after it. */
  function layOutMint(pot: bigint): TransactionOutput[] {
    const rest = pot > 0n ? [{ scriptPubKey: potScript, amount: pot }] : []
    return [minted, runestone, ...rest]
  }

  function sizeOf(outputs: readonly TransactionOutput[]): number {
    return transactionVsize(
      own.addressType,
      1,
      outputs.map(({ scriptPubKey }) => scriptPubKey),
    )
  }

  /** Whatever was built: what is minted lands on the first output, which is the account's. */
  function assertMints({ outputs }: Payment): void {
    const moves = flowRunes({
      balances: [{ rune, amount: 1n }],
      scriptPubKeys: outputs.map(({ scriptPubKey }) => scriptPubKey),
    })
    if (moves.length !== 1 || moves[0]?.to !== MINTED_VOUT)
      throw new Error('rune mint: what is minted would go astray')
  }
}

/** The same payment with the pot of the transaction that was signed before it as its input. */
export function chainTo(payment: Payment, before: Payment, txid: string): Payment {
  return { ...payment, inputs: [potOf(before, txid)] }
}

function potOf({ outputs }: Payment, txid: string): Utxo {
  const pot = outputs[POT_VOUT]
  if (!pot) throw new Error('rune mint: the chain ends here')
  return { txid, vout: POT_VOUT, ...pot, height: null }
}

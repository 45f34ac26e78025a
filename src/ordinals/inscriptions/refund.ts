import type { AddressType } from '../../bitcoin/address.ts'
import { dustLimit } from '../../bitcoin/dust.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import {
  FeeBumpError,
  leastReplacementFeeRate,
  replacementFee,
} from '../../bitcoin/payments/fee-bump.ts'
import { changeScriptOf, type Payer } from '../../bitcoin/payments/payment.ts'
import { leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import { transactionVsize } from '../../bitcoin/transaction-size.ts'
import type { SentFee } from './fee-bumped-reveals.ts'
import type { Inscribing } from './inscribing.ts'
import {
  type RevealInput,
  type RevealTransaction,
  type SignedReveal,
  signReveals,
} from './reveal.ts'
import { commitOutputAt } from './reveal-layout.ts'

/** Takes what is left of a commit back to where the account has its change, in one output; `feeRate` as asked (sat/vB). */
export type Refund = RevealTransaction & {
  nonce: Uint8Array
  addressType: AddressType
  feeRate: number
}

/** sat/vB with which {@link buildRefund} can be done at least. */
export function leastRefundFeeRate(replaced: readonly SentFee[]): number {
  return Math.max(LEAST_FEE_RATE, ...replaced.map(leastReplacementFeeRate))
}

/** sat/vB below which most nodes relay nothing. */
const LEAST_FEE_RATE = 1

/**
 * Lays out the taking back of the commit's outputs for the items `left`, those that no reveal in a block has spent.
 * `replaced` are the reveals in the mempool that go with it (BIP-125 rules 3 and 4). Throws FeeBumpError, and
 * InsufficientFundsError where the fee takes it all.
 */
export function buildRefund({
  inscribing,
  commitTxid,
  left,
  replaced,
  own,
  feeRate,
}: {
  inscribing: Inscribing
  commitTxid: string
  left: readonly number[]
  replaced: readonly SentFee[]
  own: Payer
  feeRate: number
}): Refund {
  const { nonce, reveals, parent } = inscribing
  const inputs = left.flatMap((k): RevealInput[] => {
    const leaf = reveals[k]?.leaf
    if (!leaf) throw new RangeError(`refund: there is no item ${k}`)
    const held = commitOutputAt(inscribing, commitTxid, k)
    const unlocking = { kind: 'inscribing-key', merkleRoot: leafHash(leaf) } as const
    if (!parent) return [{ ...held, unlocking }]
    const forFee = commitOutputAt(inscribing, commitTxid, reveals.length + k)
    return [
      { ...held, unlocking },
      { ...forFee, unlocking: { kind: 'inscribing-key', merkleRoot: null } },
    ]
  })
  return layOutRefund({ nonce, inputs, replaced, own, feeRate })
}

/** Lays out the taking back of these outputs of a commit. Throws like {@link buildRefund}. */
export function layOutRefund({
  nonce,
  inputs,
  replaced,
  own,
  feeRate,
}: {
  nonce: Uint8Array
  inputs: readonly RevealInput[]
  replaced: readonly SentFee[]
  own: Payer
  feeRate: number
}): Refund {
  const leastFeeRate = leastRefundFeeRate(replaced)
  if (feeRate < leastFeeRate) throw new FeeBumpError(leastFeeRate)
  const receiver = changeScriptOf(own)
  const vsize = transactionVsize('p2tr', inputs.length, [receiver])
  const evictedFee = replaced.reduce((total, { fee }) => total + fee, 0n)
  const fee = replacementFee(vsize, { feeRate, evictedFee })
  const held = inputs.reduce((total, { amount }) => total + amount, 0n)
  const limit = dustLimit(receiver)
  if (held < fee + limit) throw new InsufficientFundsError(fee + limit, held)
  return {
    nonce,
    addressType: own.addressType,
    feeRate,
    inputs: [...inputs],
    outputs: [{ scriptPubKey: receiver, amount: held - fee }],
    fee,
    vsize,
  }
}

/** Signs with the key of the account that the commit was made for; throws where anything is not of this key. */
export function signRefund(refund: Refund, privateKey: Uint8Array): SignedReveal {
  const { nonce, addressType } = refund
  const accountKeys = [{ privateKey, addressType }]
  const [signed] = signReveals([refund], { accountKeys, baseKey: privateKey, nonce })
  if (!signed) throw new Error('refund: nothing was signed')
  return signed
}

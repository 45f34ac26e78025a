import {
  assetScriptOf,
  type Payer,
  type SignedPayment,
  signPayment,
} from '../../bitcoin/payments/payment.ts'
import { parseTransaction } from '../../bitcoin/transaction.ts'
import { layOutDelivery } from './delivery.ts'
import type { Inscribing } from './inscribing.ts'
import {
  type AccountKeys,
  keysOf,
  type RevealInput,
  type RevealTransaction,
  type SignedReveal,
  signReveals,
} from './reveal.ts'
import { layOutReveal, PARENT_VOUT } from './reveal-layout.ts'

export type SignedInscribing = {
  commit: SignedPayment
  reveals: SignedReveal[]
  /** Null where all inscriptions stay. */
  delivery: SignedReveal | null
}

/**
 * Signs a commit, its reveals, which pay the account, and the delivery. The previous transactions (raw, by txid) of the commit's
 * inputs are needed unless those are taproot; the keys are of the addresses that the commit and the reveals spend from. Throws as
 * signPayment does, where anything is not of these keys, and where none of them opens what the reveals pay.
 */
export function signInscribing(
  inscribing: Inscribing,
  account: AccountKeys,
  previousTransactions: ReadonlyMap<string, Uint8Array>,
): SignedInscribing {
  const { nonce, commit: payment } = inscribing
  const keys = keysOf(account, nonce)
  const commit = signPayment(payment, account.keys, previousTransactions)
  const signed = signReveals(listReveals(inscribing, account.own, commit.txid, 0), keys)
  return splitSigned(inscribing, commit, signed)
}

/**
 * The commit, its reveals and the delivery, for an account whose key a device has: signed together, with what that made of the
 * account's inputs.
 */
export function listTransactions(inscribing: Inscribing, own: Payer): RevealTransaction[] {
  const { inputs, outputs, fee, vsize } = inscribing.commit
  const spent = inputs.map(({ txid, vout, scriptPubKey, amount }): RevealInput => {
    return { of: txid, vout, scriptPubKey, amount, unlocking: { kind: 'account' } }
  })
  return [{ inputs: spent, outputs, fee, vsize }, ...listReveals(inscribing, own, 0, 1)]
}

/** What was signed of {@link listTransactions}, in its order. */
export function readTransactions(
  inscribing: Inscribing,
  signed: readonly SignedReveal[],
): SignedInscribing {
  const [commit, ...others] = signed
  if (!commit) throw new Error('inscribing: the commit is missing')
  const { vsize } = parseTransaction(commit.rawTx)
  return splitSigned(inscribing, { ...commit, vsize }, others)
}

/** `commit` is its txid or its place, `first` the place of the first reveal in what is signed together. */
function listReveals(
  inscribing: Inscribing,
  own: Payer,
  commit: string | number,
  first: number,
): RevealTransaction[] {
  const { parent, delivery } = inscribing
  const receiver = assetScriptOf(own)
  const reveals = inscribing.reveals.map(({ fee, vsize }, k) => {
    const returned = { of: first + k - 1, vout: PARENT_VOUT, scriptPubKey: receiver }
    const parentAt = parent && k === 0 ? { ...parent.coin, of: parent.coin.txid } : returned
    const layout = layOutReveal(inscribing, k, { commitTxid: commit, receiver, parentAt })
    return { ...layout, fee, vsize }
  })
  if (!delivery) return reveals
  return [...reveals, layOutDelivery(delivery, own, first + reveals.length - 1)]
}

function splitSigned(
  { reveals: { length } }: Inscribing,
  commit: SignedPayment,
  signed: readonly SignedReveal[],
): SignedInscribing {
  return { commit, reveals: signed.slice(0, length), delivery: signed[length] ?? null }
}

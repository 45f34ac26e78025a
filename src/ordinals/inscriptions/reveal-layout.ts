import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Inscribing } from './inscribing.ts'
import { outputsOfReveal, type RevealInput, unlockingsOf } from './reveal.ts'

/** An output of the commit, which is told by its txid or its place in what is signed together, to be spent. */
export function commitOutputAt(
  { commit }: Inscribing,
  of: string | number,
  vout: number,
): TransactionOutput & Pick<RevealInput, 'of' | 'vout'> {
  const output = commit.outputs[vout]
  if (!output) throw new Error(`inscribing: the commit has no output ${vout}`)
  return { ...output, of, vout }
}

/** What the reveal of item `k` spends and pays; `parentAt` is where the parent's coin lies then. */
export function layOutReveal(
  inscribing: Inscribing,
  k: number,
  {
    commitTxid,
    receiver,
    parentAt,
  }: {
    /** Or its place in what is signed together. */
    commitTxid: string | number
    /** scriptPubKey of the account for what it holds beside sats. */
    receiver: Uint8Array
    parentAt: Pick<RevealInput, 'of' | 'vout' | 'scriptPubKey'>
  },
): { inputs: RevealInput[]; outputs: TransactionOutput[] } {
  const { reveals, postage, parent, etching } = inscribing
  const reveal = reveals[k]
  if (!reveal) throw new RangeError(`inscribing: there is no item ${k}`)
  const spent = [commitOutputAt(inscribing, commitTxid, k)]
  const parentAmount = parent?.coin.amount ?? null
  if (parentAmount !== null) {
    spent.push({ ...parentAt, amount: parentAmount })
    // Sats go first in, first out: the leaf holds the postage to the sat, so the parent's coin comes back whole.
    spent.push(commitOutputAt(inscribing, commitTxid, reveals.length + k))
  }
  const terms = { hasParent: parent !== null, etches: etching !== null }
  const inputs = unlockingsOf(reveal.leaf, terms).flatMap((unlocking, i) => {
    const coin = spent[i]
    return coin ? [{ ...coin, unlocking }] : []
  })
  return { inputs, outputs: outputsOfReveal({ receiver, postage, parentAmount, etching }) }
}

/** Which output of a reveal is the parent's. */
export const PARENT_VOUT = 1

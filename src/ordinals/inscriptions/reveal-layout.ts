import type { TransactionOutput } from '../../bitcoin/transaction.ts'
import type { Inscribing } from './inscribing.ts'
import { type RevealInput, unlockingsOf } from './reveal.ts'

/** An output of the commit with this txid, to be spent. */
export function commitOutputAt(
  { commit }: Inscribing,
  txid: string,
  vout: number,
): TransactionOutput & Pick<RevealInput, 'of' | 'vout'> {
  const output = commit.outputs[vout]
  if (!output) throw new Error(`inscribing: the commit has no output ${vout}`)
  return { ...output, of: txid, vout }
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
    commitTxid: string
    /** scriptPubKey of the account. */
    receiver: Uint8Array
    parentAt: Pick<RevealInput, 'of' | 'vout'>
  },
): { inputs: RevealInput[]; outputs: TransactionOutput[] } {
  const { reveals, postage, parent } = inscribing
  const reveal = reveals[k]
  if (!reveal) throw new RangeError(`inscribing: there is no item ${k}`)
  const spent = [commitOutputAt(inscribing, commitTxid, k)]
  const outputs = [{ scriptPubKey: receiver, amount: postage }]
  if (parent) {
    const { amount } = parent.coin
    spent.push({ ...parentAt, scriptPubKey: receiver, amount })
    spent.push(commitOutputAt(inscribing, commitTxid, reveals.length + k))
    // Sats go first in, first out: the leaf holds the postage to the sat, so the parent's coin comes back whole.
    outputs.push({ scriptPubKey: receiver, amount })
  }
  const inputs = unlockingsOf(reveal.leaf, parent !== null).flatMap((unlocking, i) => {
    const coin = spent[i]
    return coin ? [{ ...coin, unlocking }] : []
  })
  return { inputs, outputs }
}

/** Which output of a reveal is the parent's. */
export const PARENT_VOUT = 1

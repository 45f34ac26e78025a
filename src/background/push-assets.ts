import { fromHex } from '../bitcoin/bytes.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import type { createOwners } from '../bitcoin/psbt-owners.ts'
import {
  decodeTransaction,
  parseTransaction,
  type TransactionOutput,
} from '../bitcoin/transaction.ts'
import { readAtomicalOperation } from '../ordinals/atomical-envelope.ts'
import { type TracedTransaction, traceBatch } from '../ordinals/batch-flow.ts'
import { findCreatedAssets } from '../ordinals/created-assets.ts'
import type { InscriptionNumbers } from './payment-assets.ts'
import type { PushContext } from './push.ts'
import { loadSpentAssets, type OwnCoin } from './spent-assets.ts'

/** What a signed transaction spends and where that goes; of its own coins those that it was asked about. */
export type PushAssets = TracedTransaction & { numbers: InscriptionNumbers; own: OwnCoin[] }

/**
 * Follows what sits on the inputs of signed transactions, through those that spend each other; by txid. Where none of them
 * spends a coin of this wallet nothing is asked, and there is none. `outputs` are what transactions make, by txid.
 */
export async function tracePushes(
  context: PushContext,
  signed: readonly { rawTx: string }[],
  outputs: ReadonlyMap<string, readonly TransactionOutput[]>,
  owners: ReturnType<typeof createOwners>,
): Promise<ReadonlyMap<string, PushAssets>> {
  const transactions = signed.map(({ rawTx }) => {
    const raw = fromHex(rawTx)
    const { txid, inputs, ...parsed } = parseTransaction(raw)
    return {
      txid,
      outputs: parsed.outputs,
      creates: findCreatedAssets(raw),
      operation: readAtomicalOperation(decodeTransaction(raw).ins.map(({ witness }) => witness)),
      inputs: inputs.map(input => {
        const output = outputs.get(input.txid)?.[input.vout] ?? null
        const { accountId } = owners.ownerOfInput(output, [], undefined)
        return {
          outpoint: formatOutpoint(input),
          amount: output?.amount ?? null,
          output,
          accountId,
        }
      }),
    }
  })
  const all = transactions.flatMap(({ inputs }) => inputs)
  if (all.every(({ accountId }) => accountId === null)) return new Map()
  const made = new Set(transactions.map(({ txid }) => txid))
  const spent = all.flatMap(({ outpoint, accountId, output }) =>
    output && !made.has(outpoint.slice(0, TXID_LENGTH)) ? { outpoint, accountId, ...output } : [],
  )
  const { held, numbers, own } = await loadSpentAssets(context, spent)
  const traced = traceBatch(
    transactions,
    outpoint => held.get(outpoint) ?? { known: false, why: 'unanswered' },
  )
  return new Map(
    transactions.flatMap(({ txid, inputs }, at) => {
      const each = traced[at]
      const outpoints = new Set(inputs.map(({ outpoint }) => outpoint))
      const ownHere = own.filter(({ outpoint }) => outpoints.has(outpoint))
      return each ? [[txid, { ...each, numbers, own: ownHere }] as const] : []
    }),
  )
}

const TXID_LENGTH = 64

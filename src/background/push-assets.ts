import { typeOfScript } from '../bitcoin/address.ts'
import { fromHex } from '../bitcoin/bytes.ts'
import { formatOutpoint } from '../bitcoin/outpoint.ts'
import { findOnlyLeaf } from '../bitcoin/psbt-binding.ts'
import type { createOwners } from '../bitcoin/psbt-owners.ts'
import { listTemplates } from '../bitcoin/spending-template.ts'
import {
  decodeTransaction,
  parseTransaction,
  type TransactionOutput,
} from '../bitcoin/transaction.ts'
import type { CoinAssets } from '../ordinals/asset.ts'
import { type TracedTransaction, traceBatch } from '../ordinals/batch-flow.ts'
import { findCreatedAssets } from '../ordinals/created-assets.ts'
import { splitScriptPath } from '../ordinals/envelope.ts'
import { foreseeOperation } from '../ordinals/psbt-operation.ts'
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
    const { txid, ...parsed } = parseTransaction(raw)
    const { ins } = decodeTransaction(raw)
    const inputs = parsed.inputs.map(input => {
      const output = outputs.get(input.txid)?.[input.vout] ?? null
      const { accountId } = owners.ownerOfInput(output, [], undefined)
      return { outpoint: formatOutpoint(input), amount: output?.amount ?? null, output, accountId }
    })
    return {
      txid,
      outputs: parsed.outputs,
      creates: findCreatedAssets(raw),
      operation: foreseeOperation(
        inputs.map(({ output, accountId }, at) => ({
          scriptPubKey: output?.scriptPubKey ?? null,
          redeemScript: ins[at]?.script.subarray(1) ?? null,
          own: accountId !== null,
          onlyLeaf: output && readOnlyLeaf(output, ins[at]?.witness ?? [], owners),
        })),
      ),
      inputs,
    }
  })
  const all = transactions.flatMap(({ inputs }) => inputs)
  if (all.every(({ accountId }) => accountId === null)) return new Map()
  const made = new Set(transactions.map(({ txid }) => txid))
  // Of what another one of them makes, only own coins are asked about.
  const spent = all.flatMap(({ outpoint, accountId, output }) =>
    output && (accountId !== null || !made.has(outpoint.slice(0, TXID_LENGTH)))
      ? { outpoint, accountId, ...output }
      : [],
  )
  const { held, numbers, own } = await loadSpentAssets(context, spent)
  const ownOutpoints = new Set(own.map(({ outpoint }) => outpoint))
  const assetsOf = (outpoint: string): CoinAssets =>
    held.get(outpoint) ?? { known: false, why: 'unanswered' }
  const traced = traceBatch(transactions, assetsOf, outpoint =>
    ownOutpoints.has(outpoint) ? assetsOf(outpoint) : null,
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

/** The leaf that a witness shows, where the output that it spends has no other one. */
function readOnlyLeaf(
  { scriptPubKey }: TransactionOutput,
  witness: readonly Uint8Array[],
  { isOwnKey }: ReturnType<typeof createOwners>,
): Uint8Array | null {
  const { script, controlBlock } = splitScriptPath(witness)
  const leaf = { script, controlBlock, leafVersion: (controlBlock[0] ?? 0) & 0xfe }
  const revealed = { redeemScript: null, witnessScript: null, leaves: [leaf], publicKeys: [] }
  return typeOfScript(scriptPubKey) === 'p2tr'
    ? findOnlyLeaf(listTemplates(scriptPubKey, revealed) ?? [], isOwnKey)
    : null
}

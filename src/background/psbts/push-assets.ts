import { typeOfScript } from '../../bitcoin/address.ts'
import { fromHex, toHex } from '../../bitcoin/bytes.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import {
  type Binding,
  bindSignatures,
  certaintyOf,
  findOnlyLeaf,
  type OurSignature,
  weakest,
} from '../../bitcoin/psbt/binding.ts'
import type { createOwners } from '../../bitcoin/psbt/owners.ts'
import { isTaproot } from '../../bitcoin/psbt/prevouts.ts'
import { statedSighash } from '../../bitcoin/psbt/signature-verifier.ts'
import { parsePushes } from '../../bitcoin/script.ts'
import { listTemplates } from '../../bitcoin/signing/spending-template.ts'
import {
  decodeTransaction,
  parseTransaction,
  type TransactionOutput,
} from '../../bitcoin/transaction.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { parseAtomicalOperation } from '../../ordinals/atomicals/atomical-envelope.ts'
import type { AssetMove } from '../../ordinals/flow/asset-flow.ts'
import { type TracedTransaction, traceBatch } from '../../ordinals/flow/batch-flow.ts'
import { findCreatedAssets } from '../../ordinals/flow/created-assets.ts'
import { foreseeOperation } from '../../ordinals/flow/psbt-operation.ts'
import { splitScriptPath } from '../../ordinals/inscriptions/envelope.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { InscriptionNumbers } from '../coins/coin-assets.ts'
import { loadSpentAssets, type OwnCoin, type SpentAssetParts } from '../coins/spent-assets.ts'
import type { ClaimedMove } from '../review/asset-moves.ts'

/** What a signed transaction spends and where that goes; of its own coins those that it was asked about. */
export type PushAssets = Omit<TracedTransaction, 'moves'> & {
  moves: readonly ClaimedMove[]
  /** With the witnesses that are there, which others may replace. */
  proposed: readonly AssetMove[]
  numbers: InscriptionNumbers
  own: OwnCoin[]
  /** Outpoints of own coins that are in no block; not of those that another one of the transactions makes. */
  unconfirmed: ReadonlySet<string>
}

/**
 * Follows what sits on the inputs of signed transactions, through those that spend each other; by txid. Where none of them
 * spends a coin of this wallet nothing is asked, and there is none. `outputs` are what transactions make, by txid.
 */
export async function tracePushes(
  context: AccountContext<SpentAssetParts>,
  signed: readonly { rawTx: string }[],
  outputs: ReadonlyMap<string, readonly TransactionOutput[]>,
  owners: ReturnType<typeof createOwners>,
): Promise<ReadonlyMap<string, PushAssets>> {
  const transactions = signed.map(({ rawTx }) => {
    const raw = fromHex(rawTx)
    const { txid, ...parsed } = parseTransaction(raw)
    const { ins } = decodeTransaction(raw)
    const inputs = ins.map(({ hash, index, script, witness }): PushedInput => {
      const spent = { txid: toHex(hash.toReversed()), vout: index }
      const output = outputs.get(spent.txid)?.[spent.vout] ?? null
      const { accountId } = owners.ownerOfInput(output, [], undefined)
      const amount = output?.amount ?? null
      return { outpoint: formatOutpoint(spent), amount, output, accountId, script, witness }
    })
    return {
      txid,
      outputs: parsed.outputs,
      creates: findCreatedAssets(raw),
      operation: foreseeOperation(
        inputs.map(({ output, accountId, script, witness }) => ({
          scriptPubKey: output?.scriptPubKey ?? null,
          redeemScript: script.subarray(1),
          own: accountId !== null,
          onlyLeaf: output && readOnlyLeaf(output, witness, owners),
        })),
      ),
      proposedOperation: parseAtomicalOperation(inputs.map(({ witness }) => witness)),
      binding: bindOwn(inputs),
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
  const { held, numbers, own, ...told } = await loadSpentAssets(context, spent)
  const unconfirmed = new Set(
    [...told.unconfirmed].filter(outpoint => !made.has(outpoint.slice(0, TXID_LENGTH))),
  )
  const ownOutpoints = new Set(own.map(({ outpoint }) => outpoint))
  const assetsOf = (outpoint: string): CoinAssets => held.get(outpoint) ?? UNANSWERED
  const evidenceOf = (outpoint: string) => (ownOutpoints.has(outpoint) ? assetsOf(outpoint) : null)
  const traced = traceBatch(transactions, assetsOf, evidenceOf)
  const proposed = traceBatch(
    transactions.map(({ proposedOperation: operation, ...rest }) => ({ ...rest, operation })),
    assetsOf,
    evidenceOf,
  )
  return new Map(
    transactions.flatMap(({ txid, inputs, binding }, at) => {
      const each = traced[at]
      const outpoints = new Set(inputs.map(({ outpoint }) => outpoint))
      const ownHere = own.filter(({ outpoint }) => outpoints.has(outpoint))
      if (!each) return []
      const moves = each.moves.map((move): ClaimedMove => {
        const isOwn = inputs[move.input]?.accountId !== null
        const bound = certaintyOf(isOwn ? binding.of(move.input) : binding.reaches)
        return {
          ...move,
          certainty: weakest(bound, move.to.kind === 'unknown' ? 'unknown' : 'certain'),
        }
      })
      const proposedHere = proposed[at]?.moves ?? []
      const rest = { proposed: proposedHere, numbers, own: ownHere, unconfirmed }
      return [[txid, { ...each, moves, ...rest }] as const]
    }),
  )
}

const TXID_LENGTH = 64

/** An input of a signed transaction, and what it spends as far as that is known. */
type PushedInput = {
  outpoint: string
  amount: bigint | null
  output: TransactionOutput | null
  accountId: string | null
  script: Uint8Array
  witness: readonly Uint8Array[]
}

/** What the signatures bind that own inputs carry: an address of ours has one, first in its witness or scriptSig. */
function bindOwn(inputs: readonly PushedInput[]): Binding {
  const signatures = inputs.flatMap(({ witness, script, accountId }, index): OurSignature[] => {
    const signature = witness[0] ?? parsePushes(script)?.[0]
    return accountId !== null && signature
      ? [{ index, sighash: statedSighash(signature), proven: true }]
      : []
  })
  return bindSignatures(signatures, index => {
    const output = inputs[index]?.output
    return output ? isTaproot(output) : false
  })
}

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

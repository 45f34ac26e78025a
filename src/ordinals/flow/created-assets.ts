import { decodeTransaction } from '../../bitcoin/transaction.ts'
import {
  type AtomicalOperationName,
  findAtomicalEnvelopes,
} from '../atomicals/atomical-envelope.ts'
import { parseEnvelopes } from '../inscriptions/envelope.ts'
import { parseInscription } from '../inscriptions/inscription.ts'
import { decipherRunestone } from '../runes/runestone.ts'
import { flowSats } from './sat-flow.ts'

const OP_RETURN = 0x6a

/** The one that opens a token for everybody to mint (`dft`) puts nothing on its own outputs. */
const ATOMICALS_MINTS: ReadonlySet<AtomicalOperationName> = new Set(['nft', 'ft', 'dmt'])

/**
 * The outputs of a raw transaction that its own bytes may have put an asset on: an inscription that it reveals, runes
 * that its runestone gives, mints or leaves over, or an Atomical that it mints. What its inputs carried is not part of the answer.
 * Throws InvalidTransactionError.
 */
export function findCreatedAssets(rawTx: Uint8Array): ReadonlySet<number> {
  const { ins, outs } = decodeTransaction(rawTx)
  const amounts = outs.map(({ value }) => value)
  const witnesses = ins.map(({ witness }) => witness)
  return new Set([
    ...listInscribed(witnesses, amounts),
    ...listRunic(outs.map(({ script }) => script)),
    ...listMinted(witnesses),
  ])
}

/** Every mint lands on the first output; whether it is a good one, of several of one transaction too, only an index knows. */
function listMinted(witnesses: readonly (readonly Uint8Array[])[]): number[] {
  const isMint = findAtomicalEnvelopes(witnesses).some(({ operation }) =>
    ATOMICALS_MINTS.has(operation),
  )
  return isMint ? [0] : []
}

function listInscribed(
  witnesses: readonly (readonly Uint8Array[])[],
  amounts: readonly bigint[],
): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0n)
  if (total === 0n) return []
  const places = new Set<bigint>()
  for (const { input, fields, unrecognizedEvenField } of parseEnvelopes(witnesses)) {
    // One with an unrecognised even field is bound to no sat.
    if (unrecognizedEvenField) continue
    const { pointer } = parseInscription(fields)
    if (pointer !== null && pointer < total) places.add(pointer)
    // It sits on its input's first sat, and the amounts of the inputs before decide where that lands.
    else if (input > 0) return [...amounts.keys()]
    else places.add(0n)
  }
  const assets = [...places].map(offset => ({ input: 0, offset }))
  return flowSats({ inputs: [total], outputs: amounts, assets }).flatMap(({ to }) =>
    to === 'fee' ? [] : to.output,
  )
}

function listRunic(scriptPubKeys: readonly Uint8Array[]): number[] {
  const runestone = decipherRunestone(scriptPubKeys)
  if (runestone.kind !== 'runestone') return []
  const spendable = [...scriptPubKeys.keys()].filter(
    output => scriptPubKeys[output]?.[0] !== OP_RETURN,
  )
  const home = runestone.pointer ?? spendable[0]
  const given = new Set(runestone.edicts.map(({ output }) => output))
  // The number of outputs means all of them.
  const isForAll = given.delete(scriptPubKeys.length)
  return [...(home === undefined ? [] : [home]), ...given, ...(isForAll ? spendable : [])]
}

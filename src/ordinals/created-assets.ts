import { decodeTransaction } from '../bitcoin/transaction.ts'
import { parseEnvelopes } from './envelope.ts'
import { readInscription } from './inscription.ts'
import { decipherRunestone } from './runestone.ts'

const OP_RETURN = 0x6a

/**
 * The outputs of a raw transaction that its own bytes may have put an asset on: an inscription that it reveals, or runes
 * that its runestone gives, mints or leaves over. What its inputs carried is not told by it. Throws
 * InvalidTransactionError.
 */
export function findCreatedAssets(rawTx: Uint8Array): ReadonlySet<number> {
  const { ins, outs } = decodeTransaction(rawTx)
  const amounts = outs.map(({ value }) => value)
  return new Set([
    ...listInscribed(
      ins.map(({ witness }) => witness),
      amounts,
    ),
    ...listRunic(outs.map(({ script }) => script)),
  ])
}

function listInscribed(
  witnesses: readonly (readonly Uint8Array[])[],
  amounts: readonly bigint[],
): number[] {
  const envelopes = parseEnvelopes(witnesses)
  // Those with an even field that nobody knows are bound to no sat.
  const bound = envelopes.filter(({ unrecognizedEvenField }) => !unrecognizedEvenField)
  return bound.flatMap(({ input, fields }) => {
    const pointed = outputAt(readInscription(fields).pointer, amounts)
    if (pointed !== null) return [pointed]
    // Its input's first sat; where that lands hangs on the amounts of the inputs before.
    const first = input === 0 ? outputAt(0n, amounts) : null
    return input === 0 ? (first === null ? [] : [first]) : [...amounts.keys()]
  })
}

/** The output that has the sat; null for none, and past the last one, where a pointer does not count. */
function outputAt(sat: bigint | null, amounts: readonly bigint[]): number | null {
  if (sat === null) return null
  let end = 0n
  for (const [output, amount] of amounts.entries()) {
    end += amount
    if (sat < end) return output
  }
  return null
}

function listRunic(scriptPubKeys: readonly Uint8Array[]): number[] {
  const runestone = decipherRunestone(scriptPubKeys)
  if (runestone.kind !== 'runestone') return []
  const spendable = [...scriptPubKeys.keys()].filter(
    output => scriptPubKeys[output]?.[0] !== OP_RETURN,
  )
  const home = runestone.pointer ?? spendable[0]
  const given = runestone.edicts.flatMap(({ output }) =>
    output === scriptPubKeys.length ? spendable : [output],
  )
  return home === undefined ? given : [...given, home]
}

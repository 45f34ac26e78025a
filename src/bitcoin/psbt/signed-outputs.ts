import { equalBytes } from '../bytes.ts'
import { checkFinalScripts } from '../signing/final-scripts.ts'
import { signsNoOutput, signsOneOutput } from '../signing/sighash.ts'
import { decodeTransaction, type TransactionOutput } from '../transaction.ts'
import { createTransactionVerifier, statedSighash } from './signature-verifier.ts'

/** How many inputs of one script are checked: one valid signature is enough. */
const MAX_INPUTS = 3

/**
 * The outputs of a raw transaction if the owner of a script signed all of them with an input; null otherwise. A signature
 * covers what it spends too, so that `prevouts` may be the word of a server: of wrong ones it is no good.
 */
export function parseSignedOutputs(
  raw: Uint8Array,
  prevouts: readonly (TransactionOutput | null)[],
  scriptPubKey: Uint8Array,
): TransactionOutput[] | null {
  const transaction = decodeTransaction(raw)
  const verify = createTransactionVerifier(transaction, prevouts)
  const own = transaction.ins
    .map(({ script, witness }, index) => ({ index, unlocking: { scriptSig: script, witness } }))
    .filter(({ index }) => equalBytes(prevouts[index]?.scriptPubKey ?? NOTHING, scriptPubKey))
  const isSigned = own.slice(0, MAX_INPUTS).some(({ index, unlocking }) => {
    const { signatures, valid } = checkFinalScripts(
      scriptPubKey,
      unlocking,
      (template, key, signature) => verify(index, template, key, signature),
    )
    return valid === true && signatures.every(({ signature }) => coversOutputs(signature))
  })
  if (!isSigned) return null
  return transaction.outs.map(({ script, value }) => ({ scriptPubKey: script, amount: value }))
}

const NOTHING = new Uint8Array(0)

function coversOutputs(signature: Uint8Array): boolean {
  const sighash = statedSighash(signature)
  return !signsNoOutput(sighash) && !signsOneOutput(sighash)
}

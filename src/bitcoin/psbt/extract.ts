import { type Psbt, unsignedTransaction } from './psbt.ts'
import { isFinal } from './signatures.ts'

/** A PSBT that is not a transaction yet: the input at `index` has no final scripts. */
export class IncompletePsbtError extends Error {
  override name = 'IncompletePsbtError'
  readonly index: number
  constructor(index: number) {
    super(`Input ${index} is not final`)
    this.index = index
  }
}

/** The raw signed transaction of a PSBT whose inputs are all final; throws {@link IncompletePsbtError}. Verifies nothing. */
export function extractTransaction(psbt: Psbt): Uint8Array {
  const transaction = unsignedTransaction(psbt)
  for (const [index, input] of psbt.inputs.entries()) {
    if (!isFinal(input)) throw new IncompletePsbtError(index)
    transaction.setInputScript(index, input.finalScriptSig ?? new Uint8Array(0))
    transaction.setWitness(index, [...(input.finalScriptWitness ?? [])])
  }
  return transaction.toBuffer()
}

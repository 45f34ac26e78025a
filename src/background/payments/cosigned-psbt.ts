import { equalBytes, toHex } from '../../bitcoin/bytes.ts'
import type { MultisigDescriptor } from '../../bitcoin/descriptors/descriptor.ts'
import { type DescriptorPlace, deriveOutput } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import { assertSignable, layOut, type Payment } from '../../bitcoin/payments/payment.ts'
import { assertNoSilentOutputs } from '../../bitcoin/payments/silent-outputs.ts'
import { createPsbt } from '../../bitcoin/psbt/create.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { encodePsbt } from '../../bitcoin/psbt/psbt.ts'
import { updateScripts } from '../../bitcoin/psbt/update-scripts.ts'
import type { Cosigned } from './plans.ts'

/**
 * What the signers of a descriptor are handed of a payment, without a signature: with the previous transactions (raw, by txid), and
 * the scripts and keys of its addresses at `own`. Throws a plain error where an input or the change is at none of these, and
 * UnverifiedInputError.
 */
export function beginCosigned({
  descriptor,
  payment,
  previous,
  own,
}: {
  descriptor: MultisigDescriptor
  payment: Payment<SpendType>
  previous: ReadonlyMap<string, Uint8Array>
  own: readonly DescriptorPlace[]
}): Cosigned {
  const derived = own.map(place => ({ place, output: deriveOutput(descriptor, place) }))
  const outputs = derived.map(({ output }) => output)
  const scripts = outputs.map(({ scriptPubKey }) => scriptPubKey)
  assertNoSilentOutputs(payment)
  assertSignable(payment, scripts, previous)
  const psbt = createPsbt(layOut(payment))
  const prevouts = readPrevouts(psbt, previous)
  const updated = updateScripts(psbt, { prevouts, previous, descriptor, own: outputs })
  const places = payment.inputs.map(({ scriptPubKey }) => {
    const one = derived.find(({ output }) => equalBytes(output.scriptPubKey, scriptPubKey))
    return { branch: one?.place.branch ?? 0, index: one?.place.index ?? 0 }
  })
  return { psbt: toHex(encodePsbt(updated)), places, isSigned: false }
}

import { equalBytes } from '../bytes.ts'
import type { SignatureChecks } from '../signing/signature-checks.ts'
import { type SpendingTemplate, type Unlocking, unlock } from '../signing/spending-template.ts'
import { finish } from '../steps.ts'
import type { Prevout } from './prevouts.ts'
import { type InputChange, type Psbt, withInputs } from './psbt.ts'
import { createVerifier } from './signature-verifier.ts'
import { isFinal, type PartialSignature, parsePartialSignatures } from './signatures.ts'

/**
 * Gives those of these inputs their final scripts that have enough right signatures for a script that this wallet
 * understands, and leaves all others as they are. A signature that is wrong, or cannot be verified, is never used:
 * each is verified here, by the key of the script and the hash of this transaction. With the `checks` of the call that signed it, one
 * that was verified there over the same hash, key and bytes is not verified twice.
 */
export function finalizePsbt(
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
  indexes: readonly number[],
  checks?: SignatureChecks,
): Psbt {
  return finish(finalizePsbtInSteps(psbt, prevouts, indexes, checks))
}

/** The same, a signature or a leaf a step: these are verified. */
export function* finalizePsbtInSteps(
  psbt: Psbt,
  prevouts: readonly (Prevout | null)[],
  indexes: readonly number[],
  checks?: SignatureChecks,
): Generator<void, Psbt> {
  const verify = createVerifier(psbt, prevouts, checks)
  const changes = new Map<number, InputChange>()
  for (const index of indexes) {
    yield
    const input = psbt.inputs[index]
    const prevout = prevouts[index]
    if (!input || !prevout || isFinal(input)) continue
    const { signatures, templates } = yield* parsePartialSignatures(input, index, prevout, verify)
    // BIP-174: a finalizer must fail when any signature has another sighash than the input asks for.
    if (signatures.some(({ asDemanded }) => !asDemanded)) continue
    const ways = templates.flatMap(template => satisfy(template, signatures) ?? [])
    const best = ways.sort((a, b) => sizeOf(a) - sizeOf(b))[0]
    if (!best) continue
    const { scriptSig, witness } = best
    changes.set(index, {
      finalScriptSig: scriptSig.length > 0 ? scriptSig : null,
      finalScriptWitness: witness.length > 0 ? witness : null,
    })
  }
  return withInputs(psbt, changes)
}

/** Null when there are not enough right signatures. Of more than enough the keys that come first in the script are taken. */
function satisfy(
  template: SpendingTemplate,
  signatures: readonly PartialSignature[],
): Unlocking | null {
  const right = signatures.filter(each => each.valid && each.template === template)
  let missing = template.required
  const chosen = template.keys.map(key => {
    const found = right.find(({ publicKey }) => equalBytes(publicKey, key))
    if (!found || missing === 0) return null
    missing--
    return found.signature
  })
  return missing === 0 ? unlock(template, chosen) : null
}

function sizeOf({ scriptSig, witness }: Unlocking): number {
  return witness.reduce((size, item) => size + item.length, 4 * scriptSig.length)
}

import { equalBytes } from '../bytes.ts'
import { isTaproot, type Prevout } from './prevouts.ts'
import { type InputChange, type Psbt, type PsbtInput, withInputs } from './psbt.ts'
import {
  assertSameCoin,
  assertSameTransaction,
  badSignature,
  type FoundSignature,
  listFinal,
  listPartial,
  listSignatures,
  MOST_OTHERS,
  parseReturned,
  ReturnedPsbtError,
} from './returned.ts'
import { createVerifier, statedSighash } from './signature-verifier.ts'
import { countChecks, isFinal } from './signatures.ts'

const SIGHASH_DEFAULT = 0
const SIGHASH_ALL = 1

/**
 * The PSBT that was sent with the signatures of its scripts' keys that came back added, and nothing else of that: a PSBT of either
 * version, final or not, or the raw signed transaction. It must be the same transaction and may say nothing else of its coins.
 * Every signature in it that was not sent is verified, and must cover the whole transaction (ALL, in taproot DEFAULT). All inputs
 * are of scripts that the PSBT shows. Throws {@link ReturnedPsbtError}, NOTHING_NEW where no signature is.
 */
export function addCosignatures(params: {
  sent: Psbt
  returned: Uint8Array
  prevouts: readonly (Prevout | null)[]
}): Psbt {
  const { sent, prevouts } = params
  const returned = parseReturned(params.returned)
  assertSameTransaction(sent, returned)
  if (countChecks(returned) > countChecks(sent) + MOST_OTHERS)
    throw new ReturnedPsbtError('MALFORMED', 'psbt', 'it has more signatures than can be meant')
  const verify = createVerifier(sent, prevouts)
  const changes = new Map<number, InputChange>()
  for (const [index, before] of sent.inputs.entries()) {
    const after = returned.inputs[index]
    const prevout = prevouts[index] ?? null
    if (!after || !prevout) continue
    assertSameCoin(before, after, index, prevout)
    const known = listSignatures(before)
    const found = isFinal(after)
      ? listFinal(after, index, prevout, verify)
      : listPartial(before, after, index, prevout, verify)
    const added = found.filter(
      ({ signature }) => !known.some(other => equalBytes(other, signature)),
    )
    for (const one of added) assertRight(one, index, prevout)
    const change = addNew(before, added)
    if (change) changes.set(index, change)
  }
  if (changes.size > 0) return withInputs(sent, changes)
  const explanation = 'it has no signature that was not there already'
  throw new ReturnedPsbtError('NOTHING_NEW', 'psbt', explanation)
}

/** Throws unless a signature is right, of a script's key, and covers the whole transaction. */
function assertRight(
  { signature, valid, leafHash }: FoundSignature,
  index: number,
  prevout: Prevout,
): void {
  const isLeafSigned = leafHash !== null
  if (valid !== true || isTaproot(prevout) !== isLeafSigned) throw badSignature(index)
  const expected = isTaproot(prevout) ? SIGHASH_DEFAULT : SIGHASH_ALL
  const sighash = statedSighash(signature)
  if (sighash === expected) return
  throw new ReturnedPsbtError(
    'OTHER_SIGHASH',
    `input ${index}`,
    `expected a signature with the sighash ${expected}, found ${sighash}`,
  )
}

/** Null where each of the keys has signed already. */
function addNew(
  { partialSigs, tapScriptSigs }: PsbtInput,
  added: readonly FoundSignature[],
): InputChange | null {
  const ecdsa = [...partialSigs]
  const leaf = [...tapScriptSigs]
  for (const { publicKey, signature, leafHash } of added) {
    const list = leafHash ? leaf : ecdsa
    if (list.some(other => equalBytes(other.publicKey, publicKey))) continue
    if (leafHash) leaf.push({ publicKey, leafHash, signature })
    else ecdsa.push({ publicKey, signature })
  }
  if (ecdsa.length === partialSigs.length && leaf.length === tapScriptSigs.length) return null
  return { partialSigs: ecdsa, tapScriptSigs: leaf }
}

/** The keys (33 bytes, in taproot 32) that have signed an input; signatures are not verified here. */
export function listSignedKeys({ partialSigs, tapScriptSigs }: PsbtInput): Uint8Array[] {
  return [...partialSigs, ...tapScriptSigs].map(({ publicKey }) => publicKey)
}

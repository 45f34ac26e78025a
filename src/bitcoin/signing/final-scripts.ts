import { typeOfScript } from '../address.ts'
import { equalBytes } from '../bytes.ts'
import { parseStack } from '../script.ts'
import { finish } from '../steps.ts'
import {
  keyPathOf,
  listTemplates,
  parseLeaf,
  type SpendingTemplate,
  type Unlocking,
  unlock,
} from './spending-template.ts'
import { isLeafOf } from './taproot-leaf.ts'

const NOTHING = new Uint8Array(0)
const ANNEX = 0x50

/** A signature found in final scripts with the key that made it; null where none of the script's did. */
export type FinalSignature = {
  key: Uint8Array | null
  signature: Uint8Array
  valid: boolean | null
}

type FinalCheck = { signatures: readonly FinalSignature[]; valid: boolean | null }

type Verify = (template: SpendingTemplate, key: Uint8Array, signature: Uint8Array) => boolean | null

/**
 * Takes final scripts apart, verifies each signature, and puts them together again: nothing else may be in them. `valid` is
 * null when the script is not understood, a signature cannot be verified, or the same is pushed in a longer form, which
 * nodes do not relay and blocks may hold.
 */
export function checkFinalScripts(
  scriptPubKey: Uint8Array,
  final: Unlocking,
  verify: Verify,
): FinalCheck {
  return finish(checkFinalScriptsInSteps(scriptPubKey, final, verify))
}

/** The same, a signature a step. */
export function* checkFinalScriptsInSteps(
  scriptPubKey: Uint8Array,
  final: Unlocking,
  verify: Verify,
): Generator<void, FinalCheck> {
  const templates = templatesOfFinal(scriptPubKey, final)
  const [template] = templates ?? []
  if (!template) return { signatures: [], valid: templates && false }
  const places = yield* placeSignatures(template, final, (key, signature) =>
    verify(template, key, signature),
  )
  const signatures = places.filter(place => place !== null)
  const rebuilt = unlock(
    template,
    places.map(place => place?.signature ?? null),
  )
  const isWhole =
    signatures.length === template.required &&
    (template.stacking === 'given' || places.length === template.keys.length) &&
    equalUnlocking(rebuilt, final, template.scheme === 'legacy')
  const valid = isWhole ? everyValid(signatures) : false
  return {
    signatures,
    valid: valid && !equalBytes(rebuilt.scriptSig, final.scriptSig) ? null : valid,
  }
}

/** False when one is wrong; null when one cannot be verified, and of none. */
export function everyValid(signatures: readonly { valid: boolean | null }[]): boolean | null {
  if (signatures.some(({ valid }) => valid === false)) return false
  return signatures.length > 0 && signatures.every(({ valid }) => valid) ? true : null
}

/** The one way that final scripts of an output go; null when it is not understood, empty when it cannot be right. */
function templatesOfFinal(
  scriptPubKey: Uint8Array,
  { scriptSig, witness }: Unlocking,
): SpendingTemplate[] | null {
  const last = witness.at(-1) ?? NOTHING
  if (typeOfScript(scriptPubKey) === 'p2tr') {
    if (witness.length < 2) return [keyPathOf(scriptPubKey)]
    if (last[0] === ANNEX) return null
    const leafVersion = (last[0] ?? 0) & 0xfe
    const leaf = { script: witness.at(-2) ?? NOTHING, controlBlock: last, leafVersion }
    if (!isLeafOf(scriptPubKey, leaf)) return []
    const template = parseLeaf(leaf)
    return template && [template]
  }
  const pushes = parseStack(scriptSig) ?? []
  return listTemplates(scriptPubKey, {
    redeemScript: pushes.at(-1) ?? NOTHING,
    witnessScript: last,
    leaves: [],
    publicKeys: [...pushes, ...witness],
  })
}

/** The signatures of final scripts in the order of the stacking; null for a key that gave none. */
function* placeSignatures(
  { scheme, stacking, before, after, keys }: SpendingTemplate,
  { scriptSig, witness }: Unlocking,
  verify: (key: Uint8Array, signature: Uint8Array) => boolean | null,
): Generator<void, (FinalSignature | null)[]> {
  const items = scheme === 'legacy' ? (parseStack(scriptSig) ?? []) : witness
  const signed = items.slice(before.length, Math.max(before.length, items.length - after.length))
  const places: (FinalSignature | null)[] = []
  if (stacking === 'each') {
    for (const [i, signature] of signed.reverse().entries()) {
      const key = keys[i] ?? null
      const isGiven = signature.length > 0
      places.push(
        isGiven ? { key, signature, valid: key !== null && verify(key, signature) } : null,
      )
      if (isGiven) yield
    }
    return places
  }
  // As CHECKMULTISIG does: each signature is of a later key than the one before, and no key is tried twice.
  let from = 0
  let isUnknown = false
  for (const signature of signed) {
    let key: Uint8Array | null = null
    while (from < keys.length && !key) {
      const next = keys[from++] ?? NOTHING
      const valid = verify(next, signature)
      isUnknown ||= valid === null
      if (valid) key = next
      yield
    }
    places.push(
      key ? { key, signature, valid: true } : { key, signature, valid: isUnknown ? null : false },
    )
  }
  return places
}

/** Whether both put the same on the stack; a witness program, which is not legacy, is pushed in one way only (BIP-141). */
function equalUnlocking(a: Unlocking, b: Unlocking, isLegacy: boolean): boolean {
  const isPushed = isLegacy && equalItems(parseStack(a.scriptSig), parseStack(b.scriptSig))
  return (isPushed || equalBytes(a.scriptSig, b.scriptSig)) && equalItems(a.witness, b.witness)
}

function equalItems(a: readonly Uint8Array[] | null, b: readonly Uint8Array[] | null): boolean {
  return (
    a !== null && a.length === b?.length && a.every((item, i) => equalBytes(item, b[i] ?? NOTHING))
  )
}

import { hash160, sha256 } from 'bitcoinjs-lib/src/crypto'
import {
  type AddressType,
  scriptHashScript,
  scriptPubKeyOf,
  witnessProgramScript,
} from '../address.ts'
import { equalBytes } from '../bytes.ts'
import { parseScript } from '../script.ts'
import type { SpendMethod } from '../signing/input-signature.ts'
import { isLeafOf, leafHash, TAPSCRIPT_VERSION } from '../signing/taproot-leaf.ts'
import type { PsbtInput } from './psbt.ts'

/** The key of the account that signs: 33 bytes, and the type of its address. */
export type SigningKey = { publicKey: Uint8Array; addressType: AddressType }

/** Whether an output of this script asks for a signature of our key made in this way. */
export type Opens = (how: SpendMethod, scriptPubKey: Uint8Array) => boolean

/** Judges by the scriptPubKey alone; the key's own scripts are computed once. */
export function createOpens({ publicKey, addressType }: SigningKey): Opens {
  const xOnly = publicKey.subarray(1)
  const ownScript = scriptPubKeyOf(publicKey, addressType)
  const rawScript = witnessProgramScript(1, xOnly)
  return (how, scriptPubKey) => {
    switch (how.kind) {
      case 'key':
        return equalBytes(scriptPubKey, ownScript)
      case 'raw-taproot':
        return equalBytes(scriptPubKey, rawScript)
      case 'leaf':
        return (
          asksFor(how.script, xOnly) &&
          equalBytes(how.leafHash, leafHash(how.script)) &&
          isLeafOf(scriptPubKey, { ...how, leafVersion: TAPSCRIPT_VERSION })
        )
      case 'script':
        return (
          asksFor(how.script, publicKey) &&
          (how.segwit
            ? isWitnessScriptOf(scriptPubKey, how.script)
            : isRedeemScriptOf(scriptPubKey, how.script))
        )
    }
  }
}

/** The ways that the scripts in a PSBT suggest, true or not. */
export function listScriptMethods(input: PsbtInput): SpendMethod[] {
  const { tapLeafScripts, witnessScript, redeemScript } = input
  const leaves = tapLeafScripts.filter(({ leafVersion }) => leafVersion === TAPSCRIPT_VERSION)
  return [
    ...leaves.map(
      ({ script, controlBlock }): SpendMethod => ({
        kind: 'leaf',
        leafHash: leafHash(script),
        script,
        controlBlock,
      }),
    ),
    ...scriptMethod(true, witnessScript),
    ...scriptMethod(false, redeemScript),
  ]
}

function scriptMethod(segwit: boolean, script: Uint8Array | null): SpendMethod[] {
  return script ? [{ kind: 'script', segwit, script }] : []
}

/** Whether an output is the P2SH of a script. */
export function isRedeemScriptOf(scriptPubKey: Uint8Array, script: Uint8Array): boolean {
  return equalBytes(scriptPubKey, scriptHashScript(hash160(script)))
}

/** Whether an output is the P2WSH of a script, or the P2SH of that. */
export function isWitnessScriptOf(scriptPubKey: Uint8Array, script: Uint8Array): boolean {
  const program = witnessProgramScript(0, sha256(script))
  return equalBytes(scriptPubKey, program) || isRedeemScriptOf(scriptPubKey, program)
}

const OP_CODESEPARATOR = 0xab

/** Whether a script pushes the key, and a signature covers all of the script. */
function asksFor(script: Uint8Array, publicKey: Uint8Array): boolean {
  const operations = parseScript(script) ?? []
  return (
    operations.some(({ data }) => data && equalBytes(data, publicKey)) &&
    operations.every(({ opcode }) => opcode !== OP_CODESEPARATOR)
  )
}

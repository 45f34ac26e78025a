import { concatBytes, joinBytes, toHex } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'
import { type Descriptor, listDescriptorKeys } from '../descriptors/descriptor.ts'
import type { DescriptorOutput } from '../descriptors/descriptor-output.ts'
import { encodeExtendedKey } from '../descriptors/extended-key.ts'
import { encodeMaps, type PsbtEntry } from './maps.ts'
import type { Prevout } from './prevouts.ts'
import { type Psbt, parsePsbt } from './psbt.ts'
import { addMissing, describeCoin, encodeOrigin, entryOf } from './update.ts'

/** The fields of BIP-174 and BIP-371 by their types in the maps of inputs and of outputs. */
const INPUT = {
  redeemScript: 0x04,
  witnessScript: 0x05,
  origin: 0x06,
  taprootOrigin: 0x16,
  tapInternalKey: 0x17,
}
const OUTPUT = {
  redeemScript: 0x00,
  witnessScript: 0x01,
  origin: 0x02,
  taprootOrigin: 0x07,
  tapInternalKey: 0x05,
}
const TAP_LEAF_SCRIPT = 0x15
const TAP_MERKLE_ROOT = 0x18
const TAP_TREE = 0x06
const XPUB = 0x01

/**
 * BIP-174's Updater, for the signers of a descriptor: adds the previous transactions (raw, by txid), what segwit inputs spend, for
 * inputs and outputs of the descriptor their scripts, leaves and the origins of all keys, and each signer's extended key. What is
 * there already stays.
 */
export function updateScripts(
  psbt: Psbt,
  {
    prevouts,
    previous,
    descriptor,
    own,
  }: {
    prevouts: readonly (Prevout | null)[]
    previous: ReadonlyMap<string, Uint8Array>
    descriptor: Descriptor
    /** The outputs of the descriptor that the transaction spends and makes. */
    own: readonly DescriptorOutput[]
  },
): Psbt {
  const byScript = new Map(own.map(output => [toHex(output.scriptPubKey), output]))
  const inputs = psbt.inputs.map((input, index) => {
    const prevout = prevouts[index] ?? null
    const output = prevout && byScript.get(toHex(prevout.scriptPubKey))
    const { leaf } = output?.taproot ?? {}
    return [
      ...describeCoin(input, prevout, previous.get(input.txid)),
      ...(output ? describeScripts(output, INPUT) : []),
      ...(leaf
        ? [
            entryOf(
              TAP_LEAF_SCRIPT,
              [leaf.controlBlock],
              concatBytes(leaf.script, Uint8Array.of(leaf.leafVersion)),
            ),
            entryOf(TAP_MERKLE_ROOT, [], leaf.hash),
          ]
        : []),
    ]
  })
  const outputs = psbt.outputs.map(({ scriptPubKey }) => {
    const output = byScript.get(toHex(scriptPubKey))
    const { leaf } = output?.taproot ?? {}
    return [
      ...(output ? describeScripts(output, OUTPUT) : []),
      ...(leaf
        ? [
            entryOf(
              TAP_TREE,
              [],
              joinBytes([
                Uint8Array.of(0, leaf.leafVersion),
                encodeCompactSize(leaf.script.length),
                leaf.script,
              ]),
            ),
          ]
        : []),
    ]
  })
  const { maps } = psbt
  return parsePsbt(
    encodeMaps({
      global: addMissing(maps.global, describeExtendedKeys(descriptor)),
      inputs: maps.inputs.map((map, at) => addMissing(map, inputs[at] ?? [])),
      outputs: maps.outputs.map((map, at) => addMissing(map, outputs[at] ?? [])),
    }),
  )
}

function describeScripts(
  { redeemScript, witnessScript, taproot, keys }: DescriptorOutput,
  types: typeof INPUT,
): PsbtEntry[] {
  return [
    ...(redeemScript ? [entryOf(types.redeemScript, [], redeemScript)] : []),
    ...(witnessScript ? [entryOf(types.witnessScript, [], witnessScript)] : []),
    ...(taproot ? [entryOf(types.tapInternalKey, [], taproot.internalKey)] : []),
    ...keys.map(({ publicKey, origin, leafHashes }) =>
      taproot
        ? entryOf(
            types.taprootOrigin,
            [publicKey.subarray(1)],
            joinBytes([encodeCompactSize(leafHashes.length), ...leafHashes, encodeOrigin(origin)]),
          )
        : entryOf(types.origin, [publicKey], encodeOrigin(origin)),
    ),
  ]
}

/** BIP-174 wants as many steps as the key is deep. */
function describeExtendedKeys(descriptor: Descriptor): PsbtEntry[] {
  const entries = listDescriptorKeys(descriptor).flatMap(expression => {
    if (expression.type === 'plain' || !expression.origin) return []
    const { key, origin } = expression
    if (origin.path.length !== key.depth) return []
    return entryOf(XPUB, [encodeExtendedKey(key)], encodeOrigin(origin))
  })
  const known = new Map(entries.map(entry => [toHex(entry.key), entry]))
  return [...known.values()]
}

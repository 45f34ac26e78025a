// What a descriptor stands for at an index: the scriptPubKey, the scripts below it, and its keys with their origins, as the
// fields of BIP-174 and BIP-371 want them.

import { hash160, sha256 } from 'bitcoinjs-lib/src/crypto'
import { scriptHashScript, scriptPubKeyOf, witnessProgramScript } from '../address.ts'
import { concatBytes, joinBytes, toHex } from '../bytes.ts'
import type { KeyOrigin } from '../key-origin.ts'
import { encodePushes } from '../script.ts'
import { commitToLeaf, leafHash, type TaprootLeaf } from '../signing/taproot-leaf.ts'
import {
  countDescriptorBranches,
  type Descriptor,
  isRangedDescriptor,
  listDescriptorKeys,
  type MultisigDescriptor,
} from './descriptor.ts'
import { deriveKeyExpression } from './key-expression.ts'

/** Branch 0 is for receiving, branch 1 for change (BIP-389). */
export type DescriptorPlace = { branch: number; index: number }

/** A key of an output with what PSBT_IN_BIP32_DERIVATION or, in taproot, PSBT_IN_TAP_BIP32_DERIVATION say of it. */
export type OutputKey = {
  /** 33 bytes; in taproot the last 32 are the x-only key. */
  publicKey: Uint8Array
  origin: KeyOrigin
  /** Of the leaves that the key is in; none outside taproot, and for an internal key. */
  leafHashes: readonly Uint8Array[]
}

export type DescriptorOutput = {
  scriptPubKey: Uint8Array
  /** Of P2SH; null for all others. */
  redeemScript: Uint8Array | null
  /** Of P2WSH, in P2SH too; null for all others. */
  witnessScript: Uint8Array | null
  /** Null outside taproot. The key has 32 bytes; the leaf is null where the key alone can spend. */
  taproot: { internalKey: Uint8Array; leaf: (TaprootLeaf & { hash: Uint8Array }) | null } | null
  /** Each key once, taproot's internal key first, else in the order of the descriptor. */
  keys: readonly OutputKey[]
}

const OP_1 = 0x51
const OP_16 = 0x60
const OP_NUMEQUAL = 0x9c
const OP_CHECKSIG = 0xac
const OP_CHECKMULTISIG = 0xae
const OP_CHECKSIGADD = 0xba
const MAX_INDEX = 0x7fffffff

/**
 * The output of a descriptor at an index of a branch. A descriptor without `*` has index 0 alone, one without branches branch 0.
 * The keys of one descriptor object are derived once for the same place.
 */
export function deriveOutput(descriptor: Descriptor, place: DescriptorPlace): DescriptorOutput {
  expectPlace(descriptor, place)
  const [first, ...others] = listDescriptorKeys(descriptor).map(key =>
    deriveKeyExpression(key, place),
  )
  if (!first) throw new Error('descriptor: expected a key')
  if (descriptor.type === 'single') {
    const { addressType } = descriptor
    const { publicKey } = first
    return {
      scriptPubKey: scriptPubKeyOf(publicKey, addressType),
      redeemScript: addressType === 'p2sh-p2wpkh' ? scriptPubKeyOf(publicKey, 'p2wpkh') : null,
      witnessScript: null,
      taproot: addressType === 'p2tr' ? { internalKey: publicKey.subarray(1), leaf: null } : null,
      keys: [{ ...first, leafHashes: [] }],
    }
  }
  if (descriptor.internalKey) return deriveTaproot(descriptor, first, others)
  return deriveMultisig(descriptor, [first, ...others])
}

type Key = Omit<OutputKey, 'leafHashes'>

function deriveMultisig(
  { script, threshold, isSorted }: MultisigDescriptor,
  keys: readonly Key[],
): DescriptorOutput {
  const publicKeys = ordered(
    keys.map(({ publicKey }) => publicKey),
    isSorted,
  )
  const multisig = concatBytes(
    encodeNumber(threshold),
    encodePushes(publicKeys),
    encodeNumber(publicKeys.length),
    Uint8Array.of(OP_CHECKMULTISIG),
  )
  const program = witnessProgramScript(0, sha256(multisig))
  const redeemScript = script === 'p2wsh' ? null : script === 'p2sh' ? multisig : program
  return {
    scriptPubKey: redeemScript ? scriptHashScript(hash160(redeemScript)) : program,
    redeemScript,
    witnessScript: script === 'p2sh' ? null : multisig,
    taproot: null,
    keys: once(keys.map(key => ({ ...key, leafHashes: [] }))),
  }
}

function deriveTaproot(
  { threshold, isSorted }: MultisigDescriptor,
  internal: Key,
  keys: readonly Key[],
): DescriptorOutput {
  const xOnly = ordered(
    keys.map(({ publicKey }) => publicKey.subarray(1)),
    isSorted,
  )
  const script = concatBytes(
    joinBytes(
      xOnly.flatMap((key, i) => [
        encodePushes([key]),
        Uint8Array.of(i === 0 ? OP_CHECKSIG : OP_CHECKSIGADD),
      ]),
    ),
    encodeNumber(threshold),
    Uint8Array.of(OP_NUMEQUAL),
  )
  const hash = leafHash(script)
  const internalKey = internal.publicKey.subarray(1)
  const { scriptPubKey, controlBlock } = commitToLeaf(internalKey, hash)
  const leafVersion = (controlBlock[0] ?? 0) & 0xfe
  return {
    scriptPubKey,
    redeemScript: null,
    witnessScript: null,
    taproot: { internalKey, leaf: { controlBlock, script, leafVersion, hash } },
    keys: once([
      { ...internal, leafHashes: [] },
      ...keys.map(key => ({ ...key, leafHashes: [hash] })),
    ]),
  }
}

/** BIP-67: by their bytes, those of BIP-387 too. */
function ordered(keys: readonly Uint8Array[], isSorted: boolean): readonly Uint8Array[] {
  if (!isSorted) return keys
  return keys
    .map(key => ({ key, hex: toHex(key) }))
    .sort((a, b) => (a.hex < b.hex ? -1 : a.hex > b.hex ? 1 : 0))
    .map(({ key }) => key)
}

/** A PSBT has one record for each key; in taproot keys are the same whichever sign they have. */
function once(keys: readonly OutputKey[]): OutputKey[] {
  const isTaproot = keys.some(({ leafHashes }) => leafHashes.length > 0)
  const known = new Map<string, OutputKey>()
  for (const key of keys) {
    const name = toHex(isTaproot ? key.publicKey.subarray(1) : key.publicKey)
    const { leafHashes } = known.get(name) ?? { leafHashes: [] }
    const { publicKey, origin } = known.get(name) ?? key
    known.set(name, {
      publicKey,
      origin,
      leafHashes: leafHashes.length > 0 ? leafHashes : key.leafHashes,
    })
  }
  return [...known.values()]
}

/** The shortest push of a number from 1 to 999. */
function encodeNumber(number: number): Uint8Array {
  if (number <= OP_16 - OP_1 + 1) return Uint8Array.of(OP_1 - 1 + number)
  return encodePushes([number < 0x80 ? Uint8Array.of(number) : littleEndian(number)])
}

function littleEndian(number: number): Uint8Array {
  return Uint8Array.of(number & 0xff, number >> 8)
}

function expectPlace(descriptor: Descriptor, { branch, index }: DescriptorPlace): void {
  const branches = countDescriptorBranches(descriptor)
  if (!Number.isInteger(branch) || branch < 0 || branch >= branches)
    throw new Error(`descriptor branch: expected 0 to ${branches - 1}, found ${branch}`)
  const last = isRangedDescriptor(descriptor) ? MAX_INDEX : 0
  if (!Number.isInteger(index) || index < 0 || index > last)
    throw new Error(`descriptor index: expected 0 to ${last}, found ${index}`)
}

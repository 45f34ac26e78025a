import { secp256k1 } from '@noble/curves/secp256k1.js'
import { taggedHash } from 'bitcoinjs-lib/src/crypto'
import { witnessProgramScript } from '../address.ts'
import { concatBytes, equalBytes } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'

const { Point } = secp256k1

/** The leaf version of BIP-342; the only one whose scripts have a meaning yet. */
export const TAPSCRIPT_VERSION = 0xc0

const INTERNAL_KEY_END = 33
const NODE_SIZE = 32
const MAX_DEPTH = 128

export type TaprootLeaf = { controlBlock: Uint8Array; script: Uint8Array; leafVersion: number }

/** BIP-341 hash of a leaf: what a script path's signatures and control block commit to. */
export function leafHash(script: Uint8Array, version: number = TAPSCRIPT_VERSION): Uint8Array {
  return taggedHash(
    'TapLeaf',
    concatBytes(Uint8Array.of(version), encodeCompactSize(script.length), script),
  )
}

/** The output that commits to one leaf alone, given by its hash: its scriptPubKey, and the control block that shows it. */
export function commitToLeaf(
  internalKey: Uint8Array,
  hash: Uint8Array,
): { scriptPubKey: Uint8Array; controlBlock: Uint8Array } {
  const output = tweakKey(internalKey, hash)
  if (!output) throw new Error('internal key: cannot be tweaked')
  return {
    scriptPubKey: witnessProgramScript(1, output.key),
    controlBlock: concatBytes(Uint8Array.of(TAPSCRIPT_VERSION | output.parity), internalKey),
  }
}

/** The x-only output key that commits to a leaf by BIP-341; null for a malformed control block or the other parity. */
export function outputKeyOfLeaf(controlBlock: Uint8Array, hash: Uint8Array): Uint8Array | null {
  const [versionAndParity] = controlBlock
  const depth = (controlBlock.length - INTERNAL_KEY_END) / NODE_SIZE
  if (versionAndParity === undefined || !Number.isInteger(depth) || depth > MAX_DEPTH) return null
  const internalKey = controlBlock.subarray(1, INTERNAL_KEY_END)
  let node = hash
  for (let at = INTERNAL_KEY_END; at < controlBlock.length; at += NODE_SIZE)
    node = hashBranch(node, controlBlock.subarray(at, at + NODE_SIZE))
  const output = tweakKey(internalKey, node)
  return output && output.parity === (versionAndParity & 1) ? output.key : null
}

/** Whether a taproot output can be spent by this leaf: its control block leads from the script to the output's key. */
export function isLeafOf(scriptPubKey: Uint8Array, leaf: TaprootLeaf): boolean {
  const { controlBlock, script, leafVersion } = leaf
  if (((controlBlock[0] ?? 0) & 0xfe) !== leafVersion) return false
  const outputKey = outputKeyOfLeaf(controlBlock, leafHash(script, leafVersion))
  return outputKey !== null && equalBytes(witnessProgramScript(1, outputKey), scriptPubKey)
}

/**
 * BIP-341's taproot_tweak_pubkey; null for what is no key, or cannot be tweaked. Nothing of it is secret, so nothing takes constant
 * time, and the key is read once: half of what the library takes.
 */
function tweakKey(internalKey: Uint8Array, merkleRoot: Uint8Array) {
  const tweak = taggedHash('TapTweak', concatBytes(internalKey, merkleRoot))
  try {
    const point = Point.fromBytes(concatBytes(Uint8Array.of(2), internalKey))
    const output = Point.BASE.multiplyUnsafe(Point.Fn.fromBytes(tweak)).add(point).toBytes()
    return { parity: (output[0] ?? 0) & 1, key: output.slice(1) }
  } catch {
    return null
  }
}

/** BIP-341 sorts the two children, so that a path needs no directions. */
function hashBranch(a: Uint8Array, b: Uint8Array): Uint8Array {
  const [first, second] = comesFirst(a, b) ? [a, b] : [b, a]
  return taggedHash('TapBranch', concatBytes(first, second))
}

function comesFirst(a: Uint8Array, b: Uint8Array): boolean {
  for (const [i, byte] of a.entries()) {
    const other = b[i] ?? 0
    if (byte !== other) return byte < other
  }
  return true
}

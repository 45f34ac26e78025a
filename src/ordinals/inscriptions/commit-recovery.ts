import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { commitToLeaf, leafHash } from '../../bitcoin/signing/taproot-leaf.ts'
import type { ParsedTransaction } from '../../bitcoin/transaction.ts'
import {
  buildCommitmentLeaf,
  buildInscriptionLeaf,
  type EnvelopeContent,
} from './envelope-script.ts'
import { deriveInscribingKey, nonceOfCommit } from './inscribing-key.ts'
import type { RevealInput } from './reveal.ts'

/** What a commit's output holds, as somebody knows it who has no record of the job; all three lead to the hash of its leaf. */
export type KnownLeaf =
  /** As it was to be inscribed, with the parent and the rune's commitment where there are such. */
  | { kind: 'content'; content: EnvelopeContent }
  /** The commitment to the name of a rune that is etched without an inscription. */
  | { kind: 'rune'; commitment: Uint8Array }
  /** 32 bytes (BIP-341). */
  | { kind: 'leaf-hash'; hash: Uint8Array }

/** The outputs of a commit that were found again, and the nonce of their key: what `layOutRefund` takes back. */
export type FoundCommit = { nonce: Uint8Array; inputs: RevealInput[] }

/**
 * Finds the outputs of a commit that the key opens, without a record of the job: those that hold one of the `leaves`, and those
 * that pay the reveals' fees beside a parent, which hold none. `baseKey` is the 33-byte key that the inscribing's follows from. An
 * output whose leaf is not among them cannot be found: its script is a hash of it.
 */
export function findCommitOutputs({
  commit,
  baseKey,
  leaves,
}: {
  commit: Pick<ParsedTransaction, 'txid' | 'inputs' | 'outputs'>
  baseKey: Uint8Array
  leaves: readonly KnownLeaf[]
}): FoundCommit {
  const [first] = commit.inputs
  if (!first) throw new RangeError('commit: it spends nothing')
  const nonce = nonceOfCommit(first)
  const key = deriveInscribingKey(baseKey, nonce)
  const roots = new Map<string, Uint8Array | null>([[toHex(scriptPubKeyOf(key, 'p2tr')), null]])
  for (const leaf of leaves) {
    const hash = hashOf(leaf, key.subarray(1))
    roots.set(toHex(commitToLeaf(key.subarray(1), hash).scriptPubKey), hash)
  }
  const inputs = commit.outputs.flatMap((output, vout): RevealInput[] => {
    const merkleRoot = roots.get(toHex(output.scriptPubKey))
    if (merkleRoot === undefined) return []
    return [{ ...output, of: commit.txid, vout, unlocking: { kind: 'inscribing-key', merkleRoot } }]
  })
  return { nonce, inputs }
}

function hashOf(leaf: KnownLeaf, xOnlyKey: Uint8Array): Uint8Array {
  if (leaf.kind === 'content') return leafHash(buildInscriptionLeaf(xOnlyKey, [leaf.content]))
  if (leaf.kind === 'rune') return leafHash(buildCommitmentLeaf(xOnlyKey, leaf.commitment))
  return leaf.hash
}

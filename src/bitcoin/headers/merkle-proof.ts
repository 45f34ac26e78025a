import { hash256 } from 'bitcoinjs-lib/src/crypto'
import { concatBytes, equalBytes, fromHex, toHex } from '../bytes.ts'
import { decodeTransaction, InvalidTransactionError, parseTransaction } from '../transaction.ts'
import type { BlockHeader } from './block-header.ts'

/** Where a transaction is in its block, counted from the coinbase, and the sibling hashes from it up to the merkle root. */
export type MerkleProof = { position: number; branch: readonly string[] }

/** Without its witness, a transaction of so many bytes could be an inner node of a merkle tree (CVE-2017-12842). */
const INNER_NODE_SIZE = 64

/**
 * Why a proof does not show that a block has a transaction:
 * - `transaction`: no transaction, or one as long as an inner node of the tree (CVE-2017-12842);
 * - `branch`: not of 32-byte hashes;
 * - `position`: outside of a tree as deep as the branch;
 * - `inner-node`: what the branch goes through is a transaction itself, so that its two halves are no hashes (CVE-2017-12842);
 * - `duplicate`: a node stands right of its own copy, which no block has (CVE-2012-2459);
 * - `root`: it leads to another merkle root.
 */
export type MerkleProofFault =
  | 'transaction'
  | 'branch'
  | 'position'
  | 'inner-node'
  | 'duplicate'
  | 'root'

/** What is wrong with the proof that the block of a header has a transaction, which is given raw; null where it holds. */
export function findMerkleProofFault(
  header: BlockHeader,
  transaction: Uint8Array,
  { position, branch }: MerkleProof,
): MerkleProofFault | null {
  const txid = readTxid(transaction)
  if (txid === null) return 'transaction'
  if (!branch.every(isHash)) return 'branch'
  const climbed = climb(txid, branch, position)
  if ('fault' in climbed) return climbed.fault
  return climbed.root === header.merkleRoot ? null : 'root'
}

/**
 * The merkle root that a transaction at a position and its branch (sibling hashes, lowest first) come to; null where no
 * block has such a branch, as {@link MerkleProofFault} tells.
 */
export function rootOfBranch(
  txid: string,
  branch: readonly string[],
  position: number,
): string | null {
  const climbed = climb(txid, branch, position)
  return 'root' in climbed ? climbed.root : null
}

function climb(
  txid: string,
  branch: readonly string[],
  position: number,
): { root: string } | { fault: MerkleProofFault } {
  const isInside = Number.isInteger(position) && position >= 0 && position < 2 ** branch.length
  if (!isInside) return { fault: 'position' }
  let hash: Uint8Array = fromHex(txid).toReversed()
  let place = position
  for (const sibling of branch) {
    const other = fromHex(sibling).toReversed()
    const isRight = place % 2 === 1
    // The last node of a level is paired with itself, and then it stands on the left.
    if (isRight && equalBytes(hash, other)) return { fault: 'duplicate' }
    const node = isRight ? concatBytes(other, hash) : concatBytes(hash, other)
    if (isTransaction(node)) return { fault: 'inner-node' }
    hash = hash256(node)
    place = Math.floor(place / 2)
  }
  return { root: toHex(hash.toReversed()) }
}

function readTxid(raw: Uint8Array): string | null {
  return passInvalid(() => {
    const transaction = decodeTransaction(raw)
    return transaction.byteLength(false) === INNER_NODE_SIZE ? null : transaction.getId()
  })
}

/** Of two hashes of honest transactions it is not, but for one in some 2^40. */
function isTransaction(node: Uint8Array): boolean {
  return passInvalid(() => parseTransaction(node)) !== null
}

function passInvalid<Value>(read: () => Value): Value | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof InvalidTransactionError) return null
    throw error
  }
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

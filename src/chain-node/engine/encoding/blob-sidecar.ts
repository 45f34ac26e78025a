import { createHash } from 'node:crypto'
import type { CustomCrypto } from '@ethereumjs/common'
import { encodeHex, type Hex } from '../../codec/hex.ts'
import { TransactionError } from '../engine.ts'
import { isRlpList, type RlpItem } from './rlp.ts'
import { readFields, readFixed, readRlpBytes, readRlpList } from './rlp-fields.ts'

type Kzg = NonNullable<CustomCrypto['kzg']>

/** The blobs that a transaction of type 3 is sent with, and the proofs that they are those which it names. */
export interface BlobSidecar {
  readonly blobs: readonly Hex[]
  readonly commitments: readonly Hex[]
  /** One for each blob (EIP-4844), or one for each of its cells (EIP-7594). */
  readonly proofs: readonly Hex[]
  readonly version: 0 | 1
}

const BLOB_BYTES = 131_072
const POINT_BYTES = 48
/** EIP-7594. */
const CELLS_PER_BLOB = 128
const OWNER = 'types.BlobTxSidecar'

/**
 * Splits the network form of a transaction of type 3 into the transaction's list and what it is sent with; the sidecar is null
 * for a transaction as it stands in a block. Throws `RlpError`.
 */
export function splitSidecar(item: RlpItem): { payload: RlpItem; sidecar: BlobSidecar | null } {
  const payload = isRlpList(item) ? item.items[0] : undefined
  if (!isRlpList(item) || payload === undefined || !isRlpList(payload)) {
    return { payload: item, sidecar: null }
  }
  const items = readFields(item, OWNER, 4, 5)
  const isVersioned = items.length === 5
  if (isVersioned) {
    const version = encodeHex(readRlpBytes(items[1], { owner: OWNER, name: 'Version' }, 'uint8'))
    if (version !== '0x01') throw new TransactionError(`invalid sidecar version ${version}`)
  }
  const [blobs, commitments, proofs] = items.slice(-3)
  return {
    payload,
    sidecar: {
      blobs: readEach(blobs, BLOB_BYTES, 'kzg4844.Blob', 'Blobs'),
      commitments: readEach(commitments, POINT_BYTES, 'kzg4844.Commitment', 'Commitments'),
      proofs: readEach(proofs, POINT_BYTES, 'kzg4844.Proof', 'Proofs'),
      version: isVersioned ? 1 : 0,
    },
  }
}

function readEach(item: RlpItem | undefined, length: number, type: string, name: string): Hex[] {
  const field = { owner: OWNER, name }
  return readRlpList(item, `[]${type}`, field).items.map(entry =>
    readFixed(entry, length, type, field),
  )
}

/**
 * Checks that the blobs are those which the transaction names by the hashes of their commitments. Throws `TransactionError` with
 * geth's text.
 *
 * @param most - blobs that one block can have
 */
export function checkSidecar(
  kzg: Kzg,
  sidecar: BlobSidecar,
  hashes: readonly Hex[],
  most: number,
): void {
  const { blobs, commitments, proofs, version } = sidecar
  if (hashes.length > most) {
    throw new TransactionError(
      `too many blobs in transaction: have ${hashes.length}, permitted ${most}`,
    )
  }
  assertCount(blobs.length, 'blobs', hashes.length)
  assertCount(commitments.length, 'blob commitments', hashes.length)
  assertCount(proofs.length, 'blob proofs', hashes.length * (version === 0 ? 1 : CELLS_PER_BLOB))
  commitments.forEach((commitment, index) => {
    const hash = hashCommitment(commitment)
    if (hash !== hashes[index]) {
      throw new TransactionError(
        `blob ${index}: computed hash ${hash} mismatches transaction one ${hashes[index]}`,
      )
    }
  })
  if (!verifyProofs(kzg, sidecar)) throw new TransactionError('invalid blob proof')
}

function assertCount(count: number, what: string, expected: number): void {
  if (count !== expected) {
    throw new TransactionError(
      `invalid number of ${count} ${what} compared to ${expected} that the blob hashes need`,
    )
  }
}

/** EIP-4844: the version, and the rest of SHA-256 over the commitment. */
function hashCommitment(commitment: Hex): Hex {
  const digest = createHash('sha256')
    .update(Buffer.from(commitment.slice(2), 'hex'))
    .digest()
  digest[0] = 1
  return encodeHex(digest)
}

function verifyProofs(kzg: Kzg, { blobs, commitments, proofs, version }: BlobSidecar): boolean {
  try {
    if (version === 0) {
      return kzg.verifyBlobProofBatch([...blobs], [...commitments], [...proofs])
    }
    const cells = blobs.flatMap(blob => kzg.computeCells(blob))
    return kzg.verifyCellKzgProofBatch(
      cells.map((_, index) => commitments[Math.floor(index / CELLS_PER_BLOB)] as Hex),
      cells.map((_, index) => index % CELLS_PER_BLOB),
      cells,
      [...proofs],
    )
  } catch {
    // The library throws where the bytes are no points of the curve or no numbers of the field.
    return false
  }
}

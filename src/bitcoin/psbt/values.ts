import { MAX_SATS } from '../amount.ts'
import {
  type ByteCursor,
  bytesLeft,
  expectEnd,
  MalformedBytesError,
  readByte,
  readBytes,
  readCompactSize,
  readInt64,
  readSized,
  readUint32,
  skip,
} from '../byte-cursor.ts'
import { toHex } from '../bytes.ts'
import type { Outpoint } from '../outpoint.ts'
import type { TransactionOutput } from '../transaction.ts'

/** The global transaction of a PSBT of version 0. */
export type UnsignedTransaction = {
  version: number
  locktime: number
  inputs: (Outpoint & { sequence: number })[]
  outputs: TransactionOutput[]
}

/** Reads the whole of a value. */
export function readWhole<T>(value: Uint8Array, read: (cursor: ByteCursor) => T): T {
  const cursor = { bytes: value, offset: 0 }
  const result = read(cursor)
  expectEnd(cursor)
  return result
}

/** Bytes of one of these lengths, unchanged. */
export function readLength(value: Uint8Array, ...lengths: readonly number[]): Uint8Array {
  if (!lengths.includes(value.length))
    throw new MalformedBytesError(`expected ${lengths.join(' or ')} bytes, found ${value.length}`)
  return value
}

/** Sats that can exist. */
export function readAmount(cursor: ByteCursor): bigint {
  const amount = readInt64(cursor)
  if (amount < 0n || amount > MAX_SATS)
    throw new MalformedBytesError(`expected an amount of 0 to ${MAX_SATS} sats, found ${amount}`)
  return amount
}

export function readOutput(cursor: ByteCursor): TransactionOutput {
  const amount = readAmount(cursor)
  return { amount, scriptPubKey: readSized(cursor) }
}

/** The items of a witness. */
export function readStack(cursor: ByteCursor): Uint8Array[] {
  return readMany(cursor, () => readSized(cursor))
}

/** The txid in hex of 32 bytes in the order of transactions. */
export function parseTxid(bytes: Uint8Array): string {
  return toHex(readLength(bytes, 32).slice().reverse())
}

/** BIP-174: the old serialisation, in which no input has a script. */
export function parseUnsignedTransaction(value: Uint8Array): UnsignedTransaction {
  return readWhole(value, cursor => {
    const version = readUint32(cursor)
    const inputs = readMany(cursor, () => {
      const txid = parseTxid(readBytes(cursor, 32))
      const vout = readUint32(cursor)
      if (readCompactSize(cursor) !== 0)
        throw new MalformedBytesError('expected inputs with empty scriptSigs')
      return { txid, vout, sequence: readUint32(cursor) }
    })
    const outputs = readMany(cursor, () => readOutput(cursor))
    return { version, inputs, outputs, locktime: readUint32(cursor) }
  })
}

/** The bytes of a transaction, with or without witness, unparsed. */
export function parseTransaction(value: Uint8Array): Uint8Array {
  const segwit = value[4] === 0 && value[5] === 1
  readWhole(value, cursor => {
    skip(cursor, segwit ? 6 : 4)
    const inputs = repeat(readCompactSize(cursor), () => {
      skip(cursor, 36)
      readSized(cursor)
      skip(cursor, 4)
    })
    repeat(readCompactSize(cursor), () => {
      skip(cursor, 8)
      readSized(cursor)
    })
    if (segwit) repeat(inputs, () => repeat(readCompactSize(cursor), () => readSized(cursor)))
    skip(cursor, 4)
  })
  return value
}

/** A public key as ECDSA has it, compressed or not; whether it is on the curve shows when a signature is verified. */
export function parsePublicKey(bytes: Uint8Array): Uint8Array {
  const [prefix = 0] = readLength(bytes, 33, 65)
  const expected = bytes.length === 65 ? [4] : [2, 3]
  if (!expected.includes(prefix))
    throw new MalformedBytesError(
      `expected a public key that begins with 0${expected.join(' or 0')}`,
    )
  return bytes
}

/** BIP-66 bounds the size of a DER signature with its sighash byte. */
export function parseEcdsaSignature(value: Uint8Array): Uint8Array {
  if (value.length < 9 || value.length > 73)
    throw new MalformedBytesError(`expected a signature of 9 to 73 bytes, found ${value.length}`)
  return value
}

/** Master key fingerprint and path. */
export function expectKeyOrigin(cursor: ByteCursor): void {
  if (bytesLeft(cursor) < 4 || bytesLeft(cursor) % 4 !== 0)
    throw new MalformedBytesError('expected a fingerprint and a path of 4 bytes each')
  skip(cursor, bytesLeft(cursor))
}

/** BIP-371: leaf hashes, then the origin of the key. */
export function expectTaprootKeyOrigin(cursor: ByteCursor): void {
  skip(cursor, 32 * readCompactSize(cursor))
  expectKeyOrigin(cursor)
}

/** BIP-174: identifier, subtype and data. */
export function expectProprietaryKey(cursor: ByteCursor): void {
  readSized(cursor)
  readCompactSize(cursor)
  skip(cursor, bytesLeft(cursor))
}

/** BIP-371: the leaves of one whole tree in depth-first order. */
export function expectTapTree(cursor: ByteCursor): void {
  const depths: number[] = []
  while (bytesLeft(cursor) > 0) {
    const depth = readByte(cursor)
    if (depth > 128)
      throw new MalformedBytesError(`expected a depth of at most 128, found ${depth}`)
    if (readByte(cursor) & 1) throw new MalformedBytesError('expected an even leaf version')
    readSized(cursor)
    depths.push(depth)
    // Two neighbours of one depth are the two children of a branch.
    while (depths.length > 1 && depths.at(-1) === depths.at(-2))
      depths.splice(-2, 2, (depths.at(-1) ?? 0) - 1)
  }
  if (depths.length !== 1 || depths[0] !== 0)
    throw new MalformedBytesError('expected the leaves of one whole tree in depth-first order')
}

function readMany<T>(cursor: ByteCursor, read: () => T): T[] {
  const items: T[] = []
  repeat(readCompactSize(cursor), () => items.push(read()))
  return items
}

/** A count is not to be believed: it is reached, or the bytes end. */
function repeat(count: number, step: () => unknown): number {
  for (let i = 0; i < count; i++) step()
  return count
}

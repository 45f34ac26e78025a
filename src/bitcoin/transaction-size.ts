import type { AddressType } from './address.ts'
import { ECDSA_SIGNATURE_SIZE } from './secp256k1.ts'

/** Bitcoin Core relays no transaction above this weight (MAX_STANDARD_TX_WEIGHT). */
export const MAX_STANDARD_WEIGHT = 400_000

const SCHNORR_SIGNATURE_SIZE = 64
const PUBLIC_KEY_SIZE = 33
/** Outpoint and sequence. */
const INPUT_BASE_SIZE = 40
/** Item count, then signature and public key with a length byte each. */
const ECDSA_WITNESS_SIZE = 1 + 1 + ECDSA_SIGNATURE_SIZE + 1 + PUBLIC_KEY_SIZE

/** Bytes outside and inside the witness of one signed input. */
const INPUT_SIZES: { [type in AddressType]: { base: number; witness: number } } = {
  p2tr: { base: INPUT_BASE_SIZE + 1, witness: 1 + 1 + SCHNORR_SIGNATURE_SIZE },
  p2wpkh: { base: INPUT_BASE_SIZE + 1, witness: ECDSA_WITNESS_SIZE },
  'p2sh-p2wpkh': { base: INPUT_BASE_SIZE + 1 + 23, witness: ECDSA_WITNESS_SIZE },
  p2pkh: {
    base: INPUT_BASE_SIZE + 1 + 1 + ECDSA_SIGNATURE_SIZE + 1 + PUBLIC_KEY_SIZE,
    witness: 0,
  },
}

/** Weight (BIP-141) of a signed transaction that spends `inputCount` outputs of one address; exact, as signatures have fixed sizes. */
export function transactionWeight(
  inputType: AddressType,
  inputCount: number,
  outputScripts: readonly Uint8Array[],
): number {
  return weighTransaction(inputType, outputScripts)(inputCount)
}

/** The same for one set of outputs and any number of inputs. */
export function weighTransaction(
  inputType: AddressType,
  outputScripts: readonly Uint8Array[],
): (inputCount: number) => number {
  const { base, witness } = INPUT_SIZES[inputType]
  const outputSize = outputScripts.reduce(
    (size, { length }) => size + 8 + compactSize(length) + length,
    compactSize(outputScripts.length),
  )
  return inputCount => {
    const stripped = 4 + compactSize(inputCount) + inputCount * base + outputSize + 4
    return 4 * stripped + (witness === 0 ? 0 : 2 + inputCount * witness)
  }
}

/** Weight of one signed input. */
export function weightOfInput(inputType: AddressType): number {
  const { base, witness } = INPUT_SIZES[inputType]
  return 4 * base + witness
}

/** vB of the same transaction. */
export function transactionVsize(
  inputType: AddressType,
  inputCount: number,
  outputScripts: readonly Uint8Array[],
): number {
  return Math.ceil(transactionWeight(inputType, inputCount, outputScripts) / 4)
}

/** Bytes of a compact size below 2^32. */
export function compactSize(count: number): number {
  if (count < 0xfd) return 1
  return count <= 0xffff ? 3 : 5
}

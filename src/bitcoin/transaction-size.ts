import { type AddressType, addressTypeOf } from './address.ts'
import { readMultisigType, type SpendType } from './multisig-type.ts'
import { ECDSA_SIGNATURE_SIZE } from './secp256k1.ts'

/** Bitcoin Core relays no transaction above this weight (MAX_STANDARD_TX_WEIGHT). */
export const MAX_STANDARD_WEIGHT = 400_000

const SCHNORR_SIGNATURE_SIZE = 64
/** With S in the lower half, which nodes ask for, and R of any kind. */
const LONGEST_ECDSA_SIGNATURE_SIZE = 72
const PUBLIC_KEY_SIZE = 33
const X_ONLY_KEY_SIZE = 32
/** Leaf version and internal key, of a tree of one leaf. */
const CONTROL_BLOCK_SIZE = 33
/** Outpoint and sequence. */
const INPUT_BASE_SIZE = 40
/** Item count, then signature and public key with a length byte each. */
const ECDSA_WITNESS_SIZE = 1 + 1 + ECDSA_SIGNATURE_SIZE + 1 + PUBLIC_KEY_SIZE

/** Bytes outside and inside the witness of one signed input. */
export type InputSize = { base: number; witness: number }

/** Of inputs that spend an address of a single key. */
export const INPUT_SIZES: { [type in AddressType]: InputSize } = {
  p2tr: { base: INPUT_BASE_SIZE + 1, witness: 1 + 1 + SCHNORR_SIGNATURE_SIZE },
  p2wpkh: { base: INPUT_BASE_SIZE + 1, witness: ECDSA_WITNESS_SIZE },
  'p2sh-p2wpkh': { base: INPUT_BASE_SIZE + 1 + 23, witness: ECDSA_WITNESS_SIZE },
  p2pkh: {
    base: INPUT_BASE_SIZE + 1 + 1 + ECDSA_SIGNATURE_SIZE + 1 + PUBLIC_KEY_SIZE,
    witness: 0,
  },
}

/** Of an input that spends a scriptPubKey with a single key; a P2SH one is reckoned as P2SH-P2WPKH. Throws where none can. */
export function inputSizeOf(scriptPubKey: Uint8Array): InputSize {
  const addressType = addressTypeOf(scriptPubKey)
  if (!addressType) throw new Error('transaction size: no single key spends this script')
  return INPUT_SIZES[addressType]
}

/** The same by the script of each coin of an account; where several keys open all of them, what those take. */
export function createInputSizes(type: SpendType): (scriptPubKey: Uint8Array) => InputSize {
  if (!readMultisigType(type)) return inputSizeOf
  const size = sizeOfSpend(type)
  return () => size
}

/** Of inputs that one key or several open: the most that they take, as signatures of other signers differ by a byte. */
export function sizeOfSpend(type: SpendType): InputSize {
  const multisig = readMultisigType(type)
  if (!multisig) return INPUT_SIZES[type as AddressType]
  const { script, threshold, keys } = multisig
  const items =
    script === 'p2tr'
      ? [
          ...Array.from({ length: keys }, (_, at) => (at < threshold ? SCHNORR_SIGNATURE_SIZE : 0)),
          keys * (1 + X_ONLY_KEY_SIZE + 1) + sizeOfNumber(threshold) + 1,
          CONTROL_BLOCK_SIZE,
        ]
      : [
          // CHECKMULTISIG takes one item too many from the stack (BIP-147: an empty one).
          0,
          ...Array.from({ length: threshold }, () => LONGEST_ECDSA_SIGNATURE_SIZE),
          sizeOfNumber(threshold) + keys * (1 + PUBLIC_KEY_SIZE) + sizeOfNumber(keys) + 1,
        ]
  // The scriptSig of P2SH pushes the witness program.
  const scriptSig = script === 'p2sh-p2wsh' ? 35 : 0
  return { base: INPUT_BASE_SIZE + 1 + scriptSig, witness: sizeOfStack(items) }
}

/** Weight (BIP-141) of a signed transaction that spends `inputCount` outputs of one address; exact, as signatures have fixed sizes. */
export function transactionWeight(
  inputType: SpendType,
  inputCount: number,
  outputScripts: readonly Uint8Array[],
): number {
  const { base, witness } = sizeOfSpend(inputType)
  const bytes = { base: inputCount * base, witness: inputCount * witness }
  return weighTransaction(outputScripts)({
    inputCount,
    bare: witness > 0 ? 0 : inputCount,
    ...bytes,
  })
}

/** What the inputs of a transaction add up to; `bare` are those without a witness. */
export type InputTotals = InputSize & { inputCount: number; bare: number }

export function addInput(totals: InputTotals, { base, witness }: InputSize): InputTotals {
  return {
    inputCount: totals.inputCount + 1,
    bare: totals.bare + (witness > 0 ? 0 : 1),
    base: totals.base + base,
    witness: totals.witness + witness,
  }
}

export const NO_INPUTS: InputTotals = { inputCount: 0, bare: 0, base: 0, witness: 0 }

/** Weight of a signed transaction with one set of outputs and any inputs. */
export function weighTransaction(
  outputScripts: readonly Uint8Array[],
): (inputs: InputTotals) => number {
  const outputSize = sizeOfOutputs(outputScripts)
  return ({ inputCount, bare, base, witness }) => {
    const stripped = 4 + compactSize(inputCount) + base + outputSize + 4
    // Where others have a witness, an input without one says so in a byte.
    return 4 * stripped + (witness === 0 ? 0 : 2 + witness + bare)
  }
}

/** Of an input that spends a taproot output by the only leaf of its tree, a script that takes one signature. */
export function sizeOfLeafInput(leafSize: number): InputSize {
  const witness = sizeOfStack([SCHNORR_SIGNATURE_SIZE, leafSize, CONTROL_BLOCK_SIZE])
  return { base: INPUT_BASE_SIZE + 1, witness }
}

/** Weight of a signed transaction with these inputs. */
export function weighMixedTransaction(
  inputs: readonly InputSize[],
  outputScripts: readonly Uint8Array[],
): number {
  return weighTransaction(outputScripts)(inputs.reduce(addInput, NO_INPUTS))
}

/** Weight of one signed input. */
export function weightOfInput(inputType: SpendType): number {
  return weightOf(sizeOfSpend(inputType))
}

/** The same of any. */
export function weightOf({ base, witness }: InputSize): number {
  return 4 * base + witness
}

/**
 * The fee rate (sat/vB, three decimals) at which a transaction must be reckoned so that it pays `feeRate` even where each of its
 * signatures is a byte longer than ours, as those of signers that do not grind for a short one are every other time.
 */
export function feeRateForLongSignatures(feeRate: number, inputType: AddressType): number {
  if (inputType === 'p2tr') return feeRate
  const longer = INPUT_SIZES[inputType].witness > 0 ? 1 : 4
  const share = 1 + longer / weightOfInput(inputType)
  return Math.ceil(feeRate * share * 1000) / 1000
}

/** vB of the same transaction. */
export function transactionVsize(
  inputType: SpendType,
  inputCount: number,
  outputScripts: readonly Uint8Array[],
): number {
  return Math.ceil(transactionWeight(inputType, inputCount, outputScripts) / 4)
}

/** Bytes of the shortest push of a number from 1 to 999. */
function sizeOfNumber(number: number): number {
  if (number <= 16) return 1
  return number < 0x80 ? 2 : 3
}

function sizeOfStack(items: readonly number[]): number {
  return items.reduce((size, item) => size + compactSize(item) + item, compactSize(items.length))
}

function sizeOfOutputs(scripts: readonly Uint8Array[]): number {
  return scripts.reduce(
    (size, { length }) => size + 8 + compactSize(length) + length,
    compactSize(scripts.length),
  )
}

/** Bytes of a compact size below 2^32. */
export function compactSize(count: number): number {
  if (count < 0xfd) return 1
  return count <= 0xffff ? 3 : 5
}

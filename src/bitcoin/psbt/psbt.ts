// psbt: partially signed transactions of others (BIP-174, BIP-370, BIP-371): parsed strictly, reviewed, signed,
// finalized and extracted. It promises that a review claims as certain only what our signatures fix
// (`binding.ts`), whoever signs the rest. It never trusts an amount or script without a previous transaction that
// proves it, but for taproot, which signs them.

import { Transaction } from 'bitcoinjs-lib/src/transaction'
import { MAX_SATS } from '../amount.ts'
import { concatBytes, fromBase64, fromHex, joinBytes } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'
import { formatOutpoint, type Outpoint } from '../outpoint.ts'
import type { TransactionOutput } from '../transaction.ts'
import {
  type InputFields,
  type PsbtVersion,
  parseGlobalMap,
  parseInputMap,
  parseOutputMap,
  typeOfKey,
} from './fields.ts'
import { parseLayout } from './layout.ts'
import {
  closeMaps,
  encodeMaps,
  InvalidPsbtError,
  openMaps,
  PSBT_MAGIC,
  type PsbtEntry,
  type PsbtMaps,
  readMap,
} from './maps.ts'

/** An input and what its map says; null for what it does not. Bytes are views of the PSBT that was parsed. */
export type PsbtInput = Outpoint & {
  sequence: number
  nonWitnessUtxo: Uint8Array | null
  witnessUtxo: TransactionOutput | null
  partialSigs: readonly { publicKey: Uint8Array; signature: Uint8Array }[]
  sighashType: number | null
  redeemScript: Uint8Array | null
  witnessScript: Uint8Array | null
  /** Null also when it is there and empty: such an input is not final. */
  finalScriptSig: Uint8Array | null
  finalScriptWitness: readonly Uint8Array[] | null
  tapKeySig: Uint8Array | null
  /** `publicKey` is x-only. */
  tapScriptSigs: readonly { publicKey: Uint8Array; leafHash: Uint8Array; signature: Uint8Array }[]
  tapLeafScripts: readonly { controlBlock: Uint8Array; script: Uint8Array; leafVersion: number }[]
  tapInternalKey: Uint8Array | null
  tapMerkleRoot: Uint8Array | null
}

export type Psbt = {
  version: PsbtVersion
  /** The locktime of version 2 is the one that BIP-370 computes. */
  transaction: { version: number; locktime: number }
  inputs: readonly PsbtInput[]
  outputs: readonly TransactionOutput[]
  /** The message of BIP-322, when the PSBT says that it signs one. */
  genericSignedMessage: Uint8Array | null
  /** Everything as it came, unknown and proprietary fields too. */
  maps: PsbtMaps
}

/** What signing and finalizing write into an input; null or an empty list takes it away. A sighash type is only ever added. */
export type InputChange = Partial<
  Pick<
    PsbtInput,
    'partialSigs' | 'tapKeySig' | 'tapScriptSigs' | 'finalScriptSig' | 'finalScriptWitness'
  >
> & {
  /** At most a byte. */
  sighashType?: number
}

/** The flags of PSBT_GLOBAL_TX_MODIFIABLE (BIP-370). */
export const INPUTS_MODIFIABLE = 1
export const OUTPUTS_MODIFIABLE = 2
export const HAS_SINGLE = 4
export const MODIFIABLE_TYPE = 0x06

const PARTIAL_SIG_TYPE = 0x02
const SIGHASH_TYPE = 0x03
const FINAL_SCRIPT_SIG_TYPE = 0x07
const FINAL_SCRIPT_WITNESS_TYPE = 0x08
const TAP_KEY_SIG_TYPE = 0x13
const TAP_SCRIPT_SIG_TYPE = 0x14

/**
 * What BIP-174 clears from a final input: signatures, sighash type, scripts, key origins, preimages, taproot. The coin, the
 * outpoint, the locktimes and what is unknown stay.
 */
export const CLEARED_TYPES: ReadonlySet<number> = new Set([
  0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0b, 0x0c, 0x0d, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18,
])

/**
 * Reads a PSBT of version 0 or 2 strictly: the form of every field of BIP-174, BIP-370 and BIP-371, no key and no outpoint
 * twice, sizes in their shortest form, no bytes after the end, amounts within 21 million BTC. {@link encodePsbt} gives the
 * same bytes again. Throws {@link InvalidPsbtError}.
 */
export function parsePsbt(bytes: Uint8Array): Psbt {
  const cursor = openMaps(bytes)
  const maps = {
    global: readMap(cursor, 'global'),
    inputs: [] as PsbtEntry[][],
    outputs: [] as PsbtEntry[][],
  }
  const layout = parseLayout(maps.global)
  const { version } = layout
  const fields: InputFields[] = []
  const inputs: PsbtInput[] = []
  for (let i = 0; i < layout.inputCount; i++) {
    const map = readMap(cursor, `input ${i}`)
    const read = parseInputMap(map, `input ${i}`, version)
    maps.inputs.push(map)
    fields.push(read)
    inputs.push(toInput(read, layout.spentBy(read, i)))
  }
  const outputs: TransactionOutput[] = []
  for (let i = 0; i < layout.outputCount; i++) {
    const map = readMap(cursor, `output ${i}`)
    maps.outputs.push(map)
    outputs.push(layout.outputOf(parseOutputMap(map, `output ${i}`, version), i))
  }
  closeMaps(cursor)
  assertDistinct(inputs)
  assertPossible(outputs)
  const locktime = layout.locktimeOf(fields)
  const { genericSignedMessage } = layout.global
  const transaction = { version: layout.transactionVersion, locktime }
  return { version, transaction, inputs, outputs, genericSignedMessage, maps }
}

/** The bytes of a PSBT, in the version that it has. */
export function encodePsbt({ maps }: Psbt): Uint8Array {
  return encodeMaps(maps)
}

/**
 * The PSBT with changed fields in some inputs, by index. A field that is not named stays, and so do unknown
 * records; an input that gets a final script or witness loses what BIP-174 clears. Throws {@link InvalidPsbtError} on a
 * malformed signature.
 */
export function withInputs(psbt: Psbt, changes: ReadonlyMap<number, InputChange>): Psbt {
  const inputs = [...psbt.inputs]
  const maps = [...psbt.maps.inputs]
  for (const [i, change] of changes) {
    const [input, before] = [inputs[i], maps[i]]
    if (!input || !before) throw new RangeError(`The PSBT has no input ${i}`)
    const map = changeMap(before, change)
    maps[i] = map
    inputs[i] = toInput(parseInputMap(map, `input ${i}`, psbt.version), input)
  }
  return { ...psbt, inputs, maps: { ...psbt.maps, inputs: maps } }
}

/** The PSBT whose flags say what a new signature with this sighash fixes (BIP-370, "Signer"); version 0 has none. */
export function withModifiable(psbt: Psbt, sighash: number): Psbt {
  if (psbt.version === 0) return psbt
  const outputsCovered = sighash & 0x1f
  const { modifiable } = parseGlobalMap(psbt.maps.global, 'global', psbt.version)
  let flags = modifiable ?? 0
  if ((sighash & 0x80) === 0) flags &= ~INPUTS_MODIFIABLE
  if (outputsCovered !== Transaction.SIGHASH_NONE) flags &= ~OUTPUTS_MODIFIABLE
  if (outputsCovered === Transaction.SIGHASH_SINGLE) flags |= HAS_SINGLE
  if (flags === (modifiable ?? 0)) return psbt
  const entry = { key: Uint8Array.of(MODIFIABLE_TYPE), value: Uint8Array.of(flags) }
  const global = replaceEntries(psbt.maps.global, MODIFIABLE_TYPE, [entry])
  return { ...psbt, maps: { ...psbt.maps, global } }
}

/** The transaction that is being signed, with nothing in its inputs yet. */
export function unsignedTransaction({ transaction, inputs, outputs }: Psbt): Transaction {
  const unsigned = new Transaction()
  unsigned.version = transaction.version
  unsigned.locktime = transaction.locktime
  unsigned.ins = inputs.map(({ txid, vout, sequence }) => ({
    hash: fromHex(txid).reverse(),
    index: vout,
    script: new Uint8Array(),
    sequence,
    witness: [],
  }))
  unsigned.outs = outputs.map(({ scriptPubKey, amount }) => ({
    script: scriptPubKey,
    value: amount,
  }))
  return unsigned
}

/** The bytes of hex or base64 that begins as a PSBT does; null for any other text. */
export function parsePsbtText(text: string): Uint8Array | null {
  try {
    const bytes = /^70736274ff/i.test(text) ? fromHex(text) : fromBase64(text)
    return PSBT_MAGIC.every((byte, i) => bytes[i] === byte) ? bytes : null
  } catch {
    return null
  }
}

function toInput(
  fields: InputFields,
  { txid, vout, sequence }: Outpoint & { sequence: number },
): PsbtInput {
  const { finalScriptSig, finalScriptWitness } = fields
  return {
    txid,
    vout,
    sequence,
    nonWitnessUtxo: fields.nonWitnessUtxo,
    witnessUtxo: fields.witnessUtxo,
    partialSigs: fields.partialSigs,
    sighashType: fields.sighashType,
    redeemScript: fields.redeemScript,
    witnessScript: fields.witnessScript,
    finalScriptSig: finalScriptSig?.length ? finalScriptSig : null,
    finalScriptWitness: finalScriptWitness?.length ? finalScriptWitness : null,
    tapKeySig: fields.tapKeySig,
    tapScriptSigs: fields.tapScriptSigs,
    tapLeafScripts: fields.tapLeafScripts,
    tapInternalKey: fields.tapInternalKey,
    tapMerkleRoot: fields.tapMerkleRoot,
  }
}

function changeMap(before: readonly PsbtEntry[], change: InputChange): readonly PsbtEntry[] {
  const { partialSigs, tapKeySig, tapScriptSigs, finalScriptSig, finalScriptWitness } = change
  const { sighashType } = change
  let map = before
  if (finalScriptSig || finalScriptWitness)
    map = map.filter(({ key }) => !CLEARED_TYPES.has(typeOfKey(key)))
  const put = (type: number, values: readonly { keyData?: Uint8Array; value: Uint8Array }[]) => {
    const entries = values.map(({ keyData = new Uint8Array(), value }) => ({
      key: concatBytes(Uint8Array.of(type), keyData),
      value,
    }))
    map = replaceEntries(map, type, entries)
  }
  if (partialSigs !== undefined)
    put(
      PARTIAL_SIG_TYPE,
      partialSigs.map(({ publicKey, signature }) => ({ keyData: publicKey, value: signature })),
    )
  if (sighashType !== undefined) put(SIGHASH_TYPE, [{ value: Uint8Array.of(sighashType, 0, 0, 0) }])
  if (finalScriptSig !== undefined)
    put(FINAL_SCRIPT_SIG_TYPE, finalScriptSig ? [{ value: finalScriptSig }] : [])
  if (finalScriptWitness !== undefined)
    put(
      FINAL_SCRIPT_WITNESS_TYPE,
      finalScriptWitness ? [{ value: encodeStack(finalScriptWitness) }] : [],
    )
  if (tapKeySig !== undefined) put(TAP_KEY_SIG_TYPE, tapKeySig ? [{ value: tapKeySig }] : [])
  if (tapScriptSigs !== undefined)
    put(
      TAP_SCRIPT_SIG_TYPE,
      tapScriptSigs.map(({ publicKey, leafHash, signature }) => ({
        keyData: concatBytes(publicKey, leafHash),
        value: signature,
      })),
    )
  return map
}

/** The map with these records instead of those of their type, before the first of a greater type, as maps are usually written. */
function replaceEntries(
  map: readonly PsbtEntry[],
  type: number,
  entries: readonly PsbtEntry[],
): readonly PsbtEntry[] {
  const others = map.filter(({ key }) => typeOfKey(key) !== type)
  const next = others.findIndex(({ key }) => typeOfKey(key) > type)
  return others.toSpliced(next < 0 ? others.length : next, 0, ...entries)
}

function encodeStack(items: readonly Uint8Array[]): Uint8Array {
  const sized = items.flatMap(item => [encodeCompactSize(item.length), item])
  return concatBytes(encodeCompactSize(items.length), joinBytes(sized))
}

function assertDistinct(inputs: readonly PsbtInput[]): void {
  const seen = new Map<string, number>()
  for (const [i, input] of inputs.entries()) {
    const outpoint = formatOutpoint(input)
    const first = seen.get(outpoint)
    if (first !== undefined)
      throw new InvalidPsbtError(`input ${i}`, `it spends ${outpoint}, as input ${first} does`)
    seen.set(outpoint, i)
  }
}

function assertPossible(outputs: readonly TransactionOutput[]): void {
  const total = outputs.reduce((sum, { amount }) => sum + amount, 0n)
  if (total > MAX_SATS)
    throw new InvalidPsbtError('psbt', `the outputs hold ${total} sats, more than there can be`)
}

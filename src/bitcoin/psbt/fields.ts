import { MalformedBytesError, readCompactSize, readUint32 } from '../byte-cursor.ts'
import { toHex } from '../bytes.ts'
import { attemptAt, type PsbtEntry } from './maps.ts'
import {
  expectKeyOrigin,
  expectProprietaryKey,
  expectTaprootKeyOrigin,
  expectTapTree,
  parseEcdsaSignature,
  parsePublicKey,
  parseTransaction,
  parseTxid,
  parseUnsignedTransaction,
  readAmount,
  readLength,
  readOutput,
  readStack,
  readWhole,
} from './values.ts'

export type PsbtVersion = 0 | 2

/** `name` by the BIPs; `version` of the PSBTs that may have it, null for all; `many`: a map has it once for each key data. */
type Field<T, Many extends boolean> = {
  type: number
  name: string
  version: PsbtVersion | null
  many: Many
  read: (keyData: Uint8Array, value: Uint8Array) => T
}

type Fields = Record<string, Field<unknown, boolean>>

/** What a map says: null for a field that is absent, all the values of a keyed one. */
type Decoded<F extends Fields> = {
  [K in keyof F]: F[K] extends Field<infer T, infer Many>
    ? Many extends true
      ? T[]
      : T | null
    : never
}

const LEAST_TIME = 500_000_000

const proprietary = keyed(0xfc, 'PROPRIETARY', (keyData, value) => {
  readWhole(keyData, expectProprietaryKey)
  return value
})

/** The global map by BIP-174 and BIP-370; 0x09 by BIP-322. */
const globalFields = {
  unsignedTransaction: single(0x00, 'UNSIGNED_TX', parseUnsignedTransaction, 0),
  xpubs: keyed(0x01, 'XPUB', (keyData, value) => {
    const depth = readLength(keyData, 78)[4] ?? 0
    return readLength(value, 4 + 4 * depth)
  }),
  transactionVersion: single(0x02, 'TX_VERSION', readNumber, 2),
  fallbackLocktime: single(0x03, 'FALLBACK_LOCKTIME', readNumber, 2),
  inputCount: single(0x04, 'INPUT_COUNT', value => readWhole(value, readCompactSize), 2),
  outputCount: single(0x05, 'OUTPUT_COUNT', value => readWhole(value, readCompactSize), 2),
  modifiable: single(0x06, 'TX_MODIFIABLE', value => readLength(value, 1)[0] ?? 0, 2),
  genericSignedMessage: single(0x09, 'GENERIC_SIGNED_MESSAGE', value => value),
  version: single(0xfb, 'VERSION', readNumber),
  proprietary,
}

/** The map of an input by BIP-174, BIP-370 and BIP-371. */
const inputFields = {
  nonWitnessUtxo: single(0x00, 'NON_WITNESS_UTXO', parseTransaction),
  witnessUtxo: single(0x01, 'WITNESS_UTXO', value => readWhole(value, readOutput)),
  partialSigs: keyed(0x02, 'PARTIAL_SIG', (keyData, value) => ({
    publicKey: parsePublicKey(keyData),
    signature: parseEcdsaSignature(value),
  })),
  sighashType: single(0x03, 'SIGHASH_TYPE', readNumber),
  redeemScript: single(0x04, 'REDEEM_SCRIPT', value => value),
  witnessScript: single(0x05, 'WITNESS_SCRIPT', value => value),
  origins: keyed(0x06, 'BIP32_DERIVATION', readOrigin),
  finalScriptSig: single(0x07, 'FINAL_SCRIPTSIG', value => value),
  finalScriptWitness: single(0x08, 'FINAL_SCRIPTWITNESS', value => readWhole(value, readStack)),
  reservesProof: single(0x09, 'POR_COMMITMENT', value => value),
  ripemd160: keyed(0x0a, 'RIPEMD160', keyData => readLength(keyData, 20)),
  sha256: keyed(0x0b, 'SHA256', keyData => readLength(keyData, 32)),
  hash160: keyed(0x0c, 'HASH160', keyData => readLength(keyData, 20)),
  hash256: keyed(0x0d, 'HASH256', keyData => readLength(keyData, 32)),
  txid: single(0x0e, 'PREVIOUS_TXID', parseTxid, 2),
  vout: single(0x0f, 'OUTPUT_INDEX', readNumber, 2),
  sequence: single(0x10, 'SEQUENCE', readNumber, 2),
  requiredTime: single(0x11, 'REQUIRED_TIME_LOCKTIME', value => readLocktime(value, LEAST_TIME), 2),
  requiredHeight: single(
    0x12,
    'REQUIRED_HEIGHT_LOCKTIME',
    value => readLocktime(value, 1, LEAST_TIME - 1),
    2,
  ),
  tapKeySig: single(0x13, 'TAP_KEY_SIG', value => readLength(value, 64, 65)),
  tapScriptSigs: keyed(0x14, 'TAP_SCRIPT_SIG', (keyData, value) => ({
    publicKey: readLength(keyData, 64).subarray(0, 32),
    leafHash: keyData.subarray(32),
    signature: readLength(value, 64, 65),
  })),
  tapLeafScripts: keyed(0x15, 'TAP_LEAF_SCRIPT', readLeafScript),
  taprootOrigins: keyed(0x16, 'TAP_BIP32_DERIVATION', readTaprootOrigin),
  tapInternalKey: single(0x17, 'TAP_INTERNAL_KEY', value => readLength(value, 32)),
  tapMerkleRoot: single(0x18, 'TAP_MERKLE_ROOT', value => readLength(value, 32)),
  proprietary,
}

/** The map of an output by BIP-174, BIP-370 and BIP-371. */
const outputFields = {
  redeemScript: single(0x00, 'REDEEM_SCRIPT', value => value),
  witnessScript: single(0x01, 'WITNESS_SCRIPT', value => value),
  origins: keyed(0x02, 'BIP32_DERIVATION', readOrigin),
  amount: single(0x03, 'AMOUNT', value => readWhole(value, readAmount), 2),
  scriptPubKey: single(0x04, 'SCRIPT', value => value, 2),
  tapInternalKey: single(0x05, 'TAP_INTERNAL_KEY', value => readLength(value, 32)),
  tapTree: single(0x06, 'TAP_TREE', value => readWhole(value, expectTapTree)),
  taprootOrigins: keyed(0x07, 'TAP_BIP32_DERIVATION', readTaprootOrigin),
  proprietary,
}

export const parseGlobalMap = createMapDecoder('PSBT_GLOBAL', globalFields)
export const parseInputMap = createMapDecoder('PSBT_IN', inputFields)
export const parseOutputMap = createMapDecoder('PSBT_OUT', outputFields)

export type GlobalFields = ReturnType<typeof parseGlobalMap>
export type InputFields = ReturnType<typeof parseInputMap>
export type OutputFields = ReturnType<typeof parseOutputMap>

/** The name of a field by the BIPs, such as `PSBT_IN_WITNESS_UTXO`; for one that is not known the hex of its key. */
export function nameField(map: 'global' | 'input' | 'output', key: Uint8Array): string {
  const [prefix, fields] = {
    global: ['PSBT_GLOBAL', globalFields] as const,
    input: ['PSBT_IN', inputFields] as const,
    output: ['PSBT_OUT', outputFields] as const,
  }[map]
  const field = Object.values<Fields[string]>(fields).find(({ type }) => type === typeOfKey(key))
  return field ? `${prefix}_${field.name}` : `key ${toHex(key).slice(0, 80)}`
}

/** The type of a record; throws MalformedBytesError. */
export function typeOfKey(key: Uint8Array): number {
  return readCompactSize({ bytes: key, offset: 0 })
}

function single<T>(
  type: number,
  name: string,
  read: (value: Uint8Array) => T,
  version: PsbtVersion | null = null,
): Field<T, false> {
  return { type, name, version, many: false, read: (_, value) => read(value) }
}

function keyed<T>(
  type: number,
  name: string,
  read: (keyData: Uint8Array, value: Uint8Array) => T,
): Field<T, true> {
  return { type, name, version: null, many: true, read }
}

/** Reads a map by the fields known for it; fields that are not known are left to those who know them (BIP-174). */
function createMapDecoder<F extends Fields>(prefix: string, fields: F) {
  const byType = new Map(
    Object.entries(fields).map(
      ([property, field]) => [field.type, { property, ...field }] as const,
    ),
  )
  const known = [...byType.values()]
  const absent = Object.fromEntries(known.map(({ property }) => [property, null]))
  const keyedProperties = known.filter(({ many }) => many).map(({ property }) => property)

  /** Throws InvalidPsbtError on a field that has not the form that its BIP says, or is not for this version. */
  return (entries: readonly PsbtEntry[], where: string, version: PsbtVersion): Decoded<F> => {
    const decoded: Record<string, unknown> = { ...absent }
    for (const property of keyedProperties) decoded[property] = []
    let name = ''
    const readEntry = ({ key, value }: PsbtEntry) => {
      name = 'key'
      const cursor = { bytes: key, offset: 0 }
      const field = byType.get(readCompactSize(cursor))
      if (!field) return
      name = `${prefix}_${field.name}`
      if (field.version !== null && field.version !== version)
        throw new MalformedBytesError(`not expected in a PSBT of version ${version}`)
      const keyData = key.subarray(cursor.offset)
      if (!field.many && keyData.length > 0)
        throw new MalformedBytesError('expected a key without data')
      const read = field.read(keyData, value)
      const values = decoded[field.property]
      if (Array.isArray(values)) values.push(read)
      else decoded[field.property] = read
    }
    attemptAt(
      where,
      () => entries.forEach(readEntry),
      () => name,
    )
    return decoded as Decoded<F>
  }
}

function readNumber(value: Uint8Array): number {
  return readWhole(value, readUint32)
}

function readLocktime(value: Uint8Array, least: number, most = 0xffffffff): number {
  const locktime = readNumber(value)
  if (locktime < least || locktime > most)
    throw new MalformedBytesError(`expected ${least} to ${most}, found ${locktime}`)
  return locktime
}

function readOrigin(keyData: Uint8Array, value: Uint8Array): Uint8Array {
  readWhole(value, expectKeyOrigin)
  return parsePublicKey(keyData)
}

function readTaprootOrigin(keyData: Uint8Array, value: Uint8Array): Uint8Array {
  readWhole(value, expectTaprootKeyOrigin)
  return readLength(keyData, 32)
}

function readLeafScript(controlBlock: Uint8Array, value: Uint8Array) {
  const leafVersion = value.at(-1)
  const nodes = (controlBlock.length - 33) / 32
  if (!Number.isInteger(nodes) || nodes < 0 || nodes > 128)
    throw new MalformedBytesError(
      `expected a control block of 33 and 0 to 128 times 32 bytes, found ${controlBlock.length}`,
    )
  if (leafVersion === undefined || leafVersion !== ((controlBlock[0] ?? 0) & 0xfe))
    throw new MalformedBytesError('expected the leaf version of the control block after the script')
  return { controlBlock, script: value.subarray(0, -1), leafVersion }
}

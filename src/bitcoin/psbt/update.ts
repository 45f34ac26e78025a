import { hash160 } from 'bitcoinjs-lib/src/crypto'
import { typeOfScript, witnessProgramScript } from '../address.ts'
import { concatBytes, equalBytes, fromHex, joinBytes } from '../bytes.ts'
import { encodeCompactSize } from '../compact-size.ts'
import type { KeyOrigin } from '../key-origin.ts'
import type { SpendMethod } from '../signing/input-signature.ts'
import type { TransactionOutput } from '../transaction.ts'
import { typeOfKey } from './fields.ts'
import { encodeMaps, type PsbtEntry } from './maps.ts'
import type { Prevout } from './prevouts.ts'
import { type Psbt, type PsbtInput, parsePsbt } from './psbt.ts'
import { createOpens, listScriptMethods, type SigningKey } from './spend-method.ts'

/** The key of an account with where it comes from. */
export type OriginatedKey = SigningKey & { origin: KeyOrigin }

/** The fields of BIP-174 and BIP-371 by their types in the maps of inputs and of outputs. */
const INPUT = {
  nonWitnessUtxo: 0x00,
  witnessUtxo: 0x01,
  redeemScript: 0x04,
  origin: 0x06,
  taprootOrigin: 0x16,
  tapInternalKey: 0x17,
} as const
const OUTPUT = {
  redeemScript: 0x00,
  origin: 0x02,
  tapInternalKey: 0x05,
  taprootOrigin: 0x07,
} as const

type Fields = {
  redeemScript: number
  origin: number
  taprootOrigin: number
  tapInternalKey: number
}

/**
 * BIP-174's Updater, for a signer that has nothing but the PSBT: adds the previous transactions (raw, by txid), what segwit inputs
 * spend, and for inputs and outputs of the keys their origins and what their addresses are made of. What is there already stays.
 */
export function updatePsbt(
  psbt: Psbt,
  {
    prevouts,
    previous,
    keys,
  }: {
    prevouts: readonly (Prevout | null)[]
    previous: ReadonlyMap<string, Uint8Array>
    keys: readonly OriginatedKey[]
  },
): Psbt {
  const ways = keys.map(key => ({ key, opens: createOpens(key) }))
  const inputs = psbt.inputs.map((input, index) => {
    const prevout = prevouts[index] ?? null
    const methods: SpendMethod[] = [{ kind: 'key' }, ...listScriptMethods(input)]
    return [
      ...describeCoin(input, prevout, previous.get(input.txid)),
      ...ways.flatMap(({ key, opens }) =>
        methods
          .filter(how => prevout !== null && opens(how, prevout.scriptPubKey))
          .flatMap(how => describeKey(key, how, INPUT)),
      ),
    ]
  })
  const outputs = psbt.outputs.map(({ scriptPubKey }) =>
    ways.flatMap(({ key, opens }) =>
      opens({ kind: 'key' }, scriptPubKey) ? describeKey(key, { kind: 'key' }, OUTPUT) : [],
    ),
  )
  const { maps } = psbt
  return parsePsbt(
    encodeMaps({
      global: maps.global,
      inputs: maps.inputs.map((map, at) => addMissing(map, inputs[at] ?? [])),
      outputs: maps.outputs.map((map, at) => addMissing(map, outputs[at] ?? [])),
    }),
  )
}

/** What an input spends: its previous transaction, and the output where segwit spends it. */
export function describeCoin(
  { redeemScript }: PsbtInput,
  prevout: Prevout | null,
  previous: Uint8Array | undefined,
): PsbtEntry[] {
  const isSegwit = prevout !== null && spendsSegwit(prevout, redeemScript)
  return [
    ...(previous ? [entryOf(INPUT.nonWitnessUtxo, [], previous)] : []),
    ...(isSegwit ? [entryOf(INPUT.witnessUtxo, [], encodeOutput(prevout))] : []),
  ]
}

/** A P2SH output can be of both kinds: BIP-174 lets the field stand there for what its script says, and P2PKH must not have it. */
function spendsSegwit(
  { scriptPubKey }: TransactionOutput,
  redeemScript: Uint8Array | null,
): boolean {
  const type = typeOfScript(scriptPubKey)
  if (type !== 'p2sh') return type !== null && type !== 'p2pkh'
  return redeemScript === null || typeOfScript(redeemScript) !== null
}

function describeKey(
  { publicKey, addressType, origin }: OriginatedKey,
  how: SpendMethod,
  types: Fields,
): PsbtEntry[] {
  const xOnly = publicKey.subarray(1)
  const place = encodeOrigin(origin)
  const isKey = how.kind === 'key'
  if (how.kind === 'leaf')
    return [
      entryOf(types.taprootOrigin, [xOnly], concatBytes(encodeCompactSize(1), how.leafHash, place)),
    ]
  if (isKey && addressType === 'p2tr')
    return [
      entryOf(types.taprootOrigin, [xOnly], concatBytes(encodeCompactSize(0), place)),
      entryOf(types.tapInternalKey, [], xOnly),
    ]
  const program = witnessProgramScript(0, hash160(publicKey))
  return [
    ...(isKey && addressType === 'p2sh-p2wpkh' ? [entryOf(types.redeemScript, [], program)] : []),
    entryOf(types.origin, [publicKey], place),
  ]
}

/** Fingerprint and child numbers, each of four bytes, these in little-endian. */
export function encodeOrigin({ fingerprint, path }: KeyOrigin): Uint8Array {
  const steps = new DataView(new ArrayBuffer(4 * path.length))
  for (const [at, step] of path.entries()) steps.setUint32(4 * at, step, true)
  return concatBytes(fromHex(fingerprint), new Uint8Array(steps.buffer))
}

function encodeOutput({ amount, scriptPubKey }: TransactionOutput): Uint8Array {
  const sats = new DataView(new ArrayBuffer(8))
  sats.setBigInt64(0, amount, true)
  return joinBytes([
    new Uint8Array(sats.buffer),
    encodeCompactSize(scriptPubKey.length),
    scriptPubKey,
  ])
}

export function entryOf(
  type: number,
  keyData: readonly Uint8Array[],
  value: Uint8Array,
): PsbtEntry {
  return { key: joinBytes([Uint8Array.of(type), ...keyData]), value }
}

/** The map with those entries whose key it does not have, each behind the last of no greater type. */
export function addMissing(
  map: readonly PsbtEntry[],
  entries: readonly PsbtEntry[],
): readonly PsbtEntry[] {
  return entries.reduce((all, entry) => {
    if (all.some(({ key }) => equalBytes(key, entry.key))) return all
    const next = all.findIndex(other => typeOfKey(other.key) > typeOfKey(entry.key))
    return all.toSpliced(next < 0 ? all.length : next, 0, entry)
  }, map)
}

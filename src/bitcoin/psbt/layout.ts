import { readUint32 } from '../byte-cursor.ts'
import type { Outpoint } from '../outpoint.ts'
import type { TransactionOutput } from '../transaction.ts'
import {
  type GlobalFields,
  type InputFields,
  type OutputFields,
  type PsbtVersion,
  parseGlobalMap,
} from './fields.ts'
import { InvalidPsbtError, type PsbtEntry } from './maps.ts'

/** What the two versions of PSBTs keep in different places. Everything throws InvalidPsbtError where it is missing. */
export type PsbtLayout = {
  version: PsbtVersion
  global: GlobalFields
  transactionVersion: number
  inputCount: number
  outputCount: number
  spentBy: (fields: InputFields, index: number) => Outpoint & { sequence: number }
  outputOf: (fields: OutputFields, index: number) => TransactionOutput
  locktimeOf: (inputs: readonly InputFields[]) => number
}

const VERSION_TYPE = 0xfb

/** BIP-370: an input without a sequence has the final one. */
const FINAL_SEQUENCE = 0xffffffff

/** Reads the global map by the version that it names. */
export function parseLayout(map: readonly PsbtEntry[]): PsbtLayout {
  const named = map.find(({ key }) => key.length === 1 && key[0] === VERSION_TYPE)
  const version = named?.value.length === 4 ? readUint32({ bytes: named.value, offset: 0 }) : 0
  if (version !== 0 && version !== 2)
    throw new InvalidPsbtError('global', `PSBT_GLOBAL_VERSION: expected 0 or 2, found ${version}`)
  const global = parseGlobalMap(map, 'global', version)
  return version === 0 ? layOutVersion0(global) : layOutVersion2(global)
}

/** BIP-174: one transaction says it all. */
function layOutVersion0(global: GlobalFields): PsbtLayout {
  const unsigned = need(global.unsignedTransaction, 'global', 'PSBT_GLOBAL_UNSIGNED_TX')
  return {
    version: 0,
    global,
    transactionVersion: unsigned.version,
    inputCount: unsigned.inputs.length,
    outputCount: unsigned.outputs.length,
    spentBy: (_, i) => need(unsigned.inputs[i], `input ${i}`, 'PSBT_GLOBAL_UNSIGNED_TX'),
    outputOf: (_, i) => need(unsigned.outputs[i], `output ${i}`, 'PSBT_GLOBAL_UNSIGNED_TX'),
    locktimeOf: () => unsigned.locktime,
  }
}

/** BIP-370: each map has its part. */
function layOutVersion2(global: GlobalFields): PsbtLayout {
  return {
    version: 2,
    global,
    transactionVersion: need(global.transactionVersion, 'global', 'PSBT_GLOBAL_TX_VERSION'),
    inputCount: need(global.inputCount, 'global', 'PSBT_GLOBAL_INPUT_COUNT'),
    outputCount: need(global.outputCount, 'global', 'PSBT_GLOBAL_OUTPUT_COUNT'),
    spentBy: ({ txid, vout, sequence }, i) => ({
      txid: need(txid, `input ${i}`, 'PSBT_IN_PREVIOUS_TXID'),
      vout: need(vout, `input ${i}`, 'PSBT_IN_OUTPUT_INDEX'),
      sequence: sequence ?? FINAL_SEQUENCE,
    }),
    outputOf: ({ amount, scriptPubKey }, i) => ({
      amount: need(amount, `output ${i}`, 'PSBT_OUT_AMOUNT'),
      scriptPubKey: need(scriptPubKey, `output ${i}`, 'PSBT_OUT_SCRIPT'),
    }),
    locktimeOf: inputs => determineLocktime(inputs, global.fallbackLocktime ?? 0),
  }
}

/** BIP-370, "Determining Lock Time": the greatest of the kind that all inputs can take, a height before a time. */
function determineLocktime(inputs: readonly InputFields[], fallback: number): number {
  const bound = inputs.filter(input => input.requiredHeight !== null || input.requiredTime !== null)
  if (bound.length === 0) return fallback
  for (const kind of ['requiredHeight', 'requiredTime'] as const) {
    const locktimes = bound.flatMap(input => input[kind] ?? [])
    if (locktimes.length === bound.length)
      return locktimes.reduce((most, locktime) => Math.max(most, locktime))
  }
  throw new InvalidPsbtError(
    'psbt',
    'no locktime suits all inputs: some require a height and others a time',
  )
}

function need<T>(value: T | null | undefined, where: string, field: string): T {
  if (value === null || value === undefined)
    throw new InvalidPsbtError(where, `${field}: expected, but it is missing`)
  return value
}

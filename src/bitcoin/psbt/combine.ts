import { equalBytes, toHex } from '../bytes.ts'
import { formatOutpoint } from '../outpoint.ts'
import { InvalidTransactionError, txidOf } from '../transaction.ts'
import { nameField, typeOfKey } from './fields.ts'
import { encodeMaps, type PsbtEntry } from './maps.ts'
import {
  CLEARED_TYPES,
  HAS_SINGLE,
  INPUTS_MODIFIABLE,
  MODIFIABLE_TYPE,
  OUTPUTS_MODIFIABLE,
  type Psbt,
  type PsbtInput,
  parsePsbt,
} from './psbt.ts'
import { isFinal } from './signatures.ts'

/** PSBTs that are not of one transaction, or that say different things of one field. */
export class UncombinablePsbtsError extends Error {
  override name = 'UncombinablePsbtsError'
  /** `version`, `locktime`, `input 2`, `output 0`, or `global`. */
  readonly where: string
  /** What differs, by the BIPs, such as `PSBT_IN_PARTIAL_SIG`; null where the whole of `where` does. */
  readonly field: string | null
  constructor(where: string, field: string | null, problem: string) {
    super(`PSBTs ${where}: ${field === null ? problem : `${field}: ${problem}`}`)
    this.where = where
    this.field = field
  }
}

type MapName = 'global' | 'input' | 'output'

const NON_WITNESS_UTXO_TYPE = 0x00
const FINAL_TYPES: ReadonlySet<number> = new Set([0x07, 0x08])

/**
 * One PSBT with everything that these PSBTs of one transaction hold (BIP-174, "Combiner"). An input that is final in one of
 * them is final, without what BIP-174 clears there. Throws {@link UncombinablePsbtsError} where the transactions differ, and
 * where a field has two values, of which BIP-174 would let a combiner take any; what may differ is a previous transaction
 * with and without its witness, and what can still be modified (BIP-370): only what all of them leave open stays open.
 */
export function combinePsbts(psbts: readonly [Psbt, ...Psbt[]]): Psbt {
  return psbts.reduce(combineTwo)
}

function combineTwo(a: Psbt, b: Psbt): Psbt {
  assertSameTransaction(a, b)
  const maps = {
    global: combineGlobal(a, b),
    inputs: a.maps.inputs.map((map, i) => {
      const [one, other] = [a.inputs[i], b.inputs[i]]
      const second = b.maps.inputs[i] ?? []
      return one && other ? combineInput(i, [one, map], [other, second]) : map
    }),
    outputs: a.maps.outputs.map((map, i) =>
      mergeEntries('output', `output ${i}`, map, b.maps.outputs[i] ?? []),
    ),
  }
  const combined = parsePsbt(encodeMaps(maps))
  // Locktimes that inputs require can ask for another one together than each PSBT has by itself.
  if (combined.transaction.locktime !== a.transaction.locktime) throw locktimesDiffer(a, combined)
  return combined
}

/** BIP-370 tells PSBTs apart without their sequences; a signature covers them, so they have to be the same here. */
function assertSameTransaction(a: Psbt, b: Psbt): void {
  assertSame('version', a.version, b.version)
  assertSame('transaction version', a.transaction.version, b.transaction.version)
  assertSame('number of inputs', a.inputs.length, b.inputs.length)
  assertSame('number of outputs', a.outputs.length, b.outputs.length)
  for (const [i, input] of a.inputs.entries()) {
    const other = b.inputs[i]
    if (!other) continue
    assertSame(`input ${i}`, formatOutpoint(input), formatOutpoint(other))
    assertSame(`input ${i} sequence`, input.sequence, other.sequence)
  }
  for (const [i, output] of a.outputs.entries()) {
    const other = b.outputs[i]
    if (!other) continue
    assertSame(`output ${i} amount`, output.amount, other.amount)
    assertSame(`output ${i} script`, toHex(output.scriptPubKey), toHex(other.scriptPubKey))
  }
  if (a.transaction.locktime !== b.transaction.locktime) throw locktimesDiffer(a, b)
}

function assertSame<T extends string | number | bigint>(where: string, one: T, other: T): void {
  if (one !== other)
    throw new UncombinablePsbtsError(
      where,
      null,
      `not of the same transaction: ${shorten(one)} and ${shorten(other)}`,
    )
}

function locktimesDiffer(a: Psbt, b: Psbt): UncombinablePsbtsError {
  const [one, other] = [a.transaction.locktime, b.transaction.locktime]
  const problem = `not of the same transaction: ${one} and ${other}`
  return new UncombinablePsbtsError('locktime', null, problem)
}

function combineGlobal(a: Psbt, b: Psbt): readonly PsbtEntry[] {
  const isFlags = ({ key }: PsbtEntry) => a.version === 2 && typeOfKey(key) === MODIFIABLE_TYPE
  const flags = [a, b].map(({ maps }) => maps.global.find(isFlags))
  const [one, other] = flags.map(entry => entry?.value[0] ?? 0)
  const merged = mergeEntries(
    'global',
    'global',
    a.maps.global.filter(entry => !isFlags(entry)),
    b.maps.global.filter(entry => !isFlags(entry)),
  )
  const found = flags.find(entry => entry !== undefined)
  if (!found || one === undefined || other === undefined) return merged
  const open = one & other & (INPUTS_MODIFIABLE | OUTPUTS_MODIFIABLE)
  const value = Uint8Array.of(open | ((one | other) & HAS_SINGLE))
  return sortEntries([...merged, { key: found.key, value }])
}

function combineInput(
  index: number,
  [one, first]: readonly [PsbtInput, readonly PsbtEntry[]],
  [other, second]: readonly [PsbtInput, readonly PsbtEntry[]],
): readonly PsbtEntry[] {
  const where = `input ${index}`
  if (!isFinal(one) && !isFinal(other)) return mergeEntries('input', where, first, second)
  // Scripts of one spend belong together: half of them from each PSBT would be a third way that nobody made.
  if (isFinal(one) && isFinal(other)) assertSameFinal(where, first, second)
  const keep = (input: PsbtInput, map: readonly PsbtEntry[]) =>
    map.filter(({ key }) => {
      const type = typeOfKey(key)
      return !CLEARED_TYPES.has(type) && (isFinal(input) || !FINAL_TYPES.has(type))
    })
  return mergeEntries('input', where, keep(one, first), keep(other, second))
}

function assertSameFinal(
  where: string,
  first: readonly PsbtEntry[],
  second: readonly PsbtEntry[],
): void {
  for (const type of FINAL_TYPES) {
    const valueIn = (map: readonly PsbtEntry[]) =>
      map.find(({ key }) => typeOfKey(key) === type)?.value ?? new Uint8Array()
    if (!equalBytes(valueIn(first), valueIn(second)))
      throw conflictOf('input', where, Uint8Array.of(type))
  }
}

/** The entries of both maps; as the first has them where the second adds nothing, else in the order of their keys. */
function mergeEntries(
  map: MapName,
  where: string,
  first: readonly PsbtEntry[],
  second: readonly PsbtEntry[],
): readonly PsbtEntry[] {
  const values = new Map(first.map(({ key, value }) => [toHex(key), value]))
  const added = second.filter(({ key, value }) => {
    const before = values.get(toHex(key))
    if (before === undefined) return true
    if (!equalBytes(before, value) && !isSameTransaction(map, key, before, value))
      throw conflictOf(map, where, key)
    return false
  })
  return added.length === 0 ? first : sortEntries([...first, ...added])
}

/** Some signers leave the witnesses out of previous transactions; what they spend is the same. */
function isSameTransaction(map: MapName, key: Uint8Array, a: Uint8Array, b: Uint8Array): boolean {
  if (map !== 'input' || typeOfKey(key) !== NON_WITNESS_UTXO_TYPE) return false
  try {
    return txidOf(a) === txidOf(b)
  } catch (error) {
    if (error instanceof InvalidTransactionError) return false
    throw error
  }
}

function conflictOf(map: MapName, where: string, key: Uint8Array): UncombinablePsbtsError {
  return new UncombinablePsbtsError(where, nameField(map, key), 'has two different values')
}

function sortEntries(entries: readonly PsbtEntry[]): readonly PsbtEntry[] {
  const named = entries.map(entry => ({ entry, name: toHex(entry.key) }))
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ entry }) => entry)
}

function shorten(value: string | number | bigint): string {
  const text = String(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

// What a courier does to PSBTs between the wallet and a device, on the way there and on the way back. Made with scure-btc-signer and by
// exchanging entries of the PSBT's maps.

import { RawTx, Transaction } from '@scure/btc-signer'
import fc from 'fast-check'
import { fromHex, toHex } from '../../../bitcoin/bytes.ts'
import { encodeMaps, type PsbtEntry } from '../../../bitcoin/psbt/maps.ts'
import { parsePsbt } from '../../../bitcoin/psbt/psbt.ts'
import { PERMISSIVE } from '../../../bitcoin/testing/signature-oracle.ts'
import { createDevice, type Device } from '../../testing/device-wallet.ts'

/** Numbers are taken modulo what there is to choose from. */
export type Alteration = { kind: string; at: number; by: number }

/** How the answer for one task is altered, and in which form the device gives it. */
export type Attack = {
  scenario: number
  task: number
  form: 'version 0' | 'version 2' | 'final' | 'raw'
  alterations: Alteration[]
}

type Facts = {
  version: number
  lockTime: number
  inputs: ReturnType<Transaction['getInput']>[]
  outputs: { script: Uint8Array; amount: bigint }[]
}

/** A coin of the courier's own, which nobody asked for. */
const FOREIGN_COIN = {
  ...{ txid: fromHex('7c'.repeat(32)), index: 3, sequence: 0xfffffffd },
  witnessUtxo: { script: fromHex(`0014${'7c'.repeat(20)}`), amount: 70_000n },
}
const FOREIGN_SCRIPT = fromHex(`0014${'79'.repeat(20)}`)
const SIGHASHES = [0, 1, 2, 3, 0x81, 0x82, 0x83, 4]

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % list.length]
const swap = (list: unknown[], a: number, b: number) => {
  const [from, to] = [a % list.length, b % list.length]
  const moved = list[from]
  list[from] = list[to]
  list[to] = moved
}

/** Changes of the transaction before the device signs it. */
const ON_THE_WAY_THERE: { [kind: string]: (facts: Facts, at: number, by: number) => void } = {
  'an amount': ({ outputs }, at, by) => {
    const output = pick(outputs, at)
    if (output) output.amount += BigInt((by % 2_001) - 1_000)
  },
  'a receiver': ({ outputs }, at) => {
    const output = pick(outputs, at)
    if (output) output.script = FOREIGN_SCRIPT
  },
  'an output less': ({ outputs }, at) => outputs.splice(at % outputs.length, 1),
  'an output more': ({ outputs }, at, by) =>
    outputs.splice(at % (outputs.length + 1), 0, {
      ...{ script: FOREIGN_SCRIPT, amount: BigInt(by % 5_000) },
    }),
  'outputs in another order': ({ outputs }, at, by) => swap(outputs, at, by),
  'an input less': ({ inputs }, at) => inputs.splice(at % inputs.length, 1),
  'an input more': ({ inputs }, at) =>
    inputs.splice(at % (inputs.length + 1), 0, structuredClone(FOREIGN_COIN)),
  'inputs in another order': ({ inputs }, at, by) => swap(inputs, at, by),
  'another output of the same transaction': ({ inputs }, at, by) => {
    const input = pick(inputs, at)
    // With the whole previous transaction the other library would refuse to sign it.
    if (input) {
      input.index = (input.index ?? 0) + 1 + (by % 3)
      delete input.nonWitnessUtxo
    }
  },
  'origins for each other': ({ inputs }, at, by) => {
    const [one, other] = [pick(inputs, at), pick(inputs, by)]
    if (!one || !other) return
    const { bip32Derivation, tapBip32Derivation } = one
    Object.assign(one, {
      bip32Derivation: other.bip32Derivation,
      tapBip32Derivation: other.tapBip32Derivation,
    })
    Object.assign(other, { bip32Derivation, tapBip32Derivation })
  },
  'another coin': ({ inputs }, at) => inputs.splice(at % inputs.length, 1, { ...FOREIGN_COIN }),
  'a sequence': ({ inputs }, at, by) => {
    const input = pick(inputs, at)
    if (input) input.sequence = by
  },
  'the locktime': (facts, _, by) => {
    facts.lockTime = by % 600_000_000
  },
  'the version': (facts, _, by) => {
    facts.version = by % 4
  },
  'a sighash': ({ inputs }, at, by) => {
    const input = pick(inputs, at)
    if (input) input.sighashType = pick(SIGHASHES, by) ?? 1
  },
  'all sighashes': ({ inputs }, at, by) => {
    for (const input of inputs) input.sighashType = pick(SIGHASHES, at + by) ?? 1
  },
  'the sats of a coin': ({ inputs }, at, by) => {
    const input = pick(inputs, at)
    if (!input?.witnessUtxo) return
    const { script, amount } = input.witnessUtxo
    input.witnessUtxo = { script, amount: amount + BigInt(1 + (by % 9_000)) }
    delete input.nonWitnessUtxo
  },
}

type Maps = { global: PsbtEntry[]; inputs: PsbtEntry[][]; outputs: PsbtEntry[][] }

const flip = (bytes: Uint8Array, by: number): Uint8Array =>
  bytes.length === 0
    ? Uint8Array.of(by)
    : bytes.with(by % bytes.length, (bytes[by % bytes.length] ?? 0) ^ (1 + ((by >>> 8) % 255)))

const mapsOf = ({ global, inputs, outputs }: Maps) => [global, ...inputs, ...outputs]

/** An entry of any map, inputs more often than others, because signatures are there. */
function placeOf(maps: Maps, at: number): { map: PsbtEntry[]; index: number } {
  const all = at % 3 === 0 ? mapsOf(maps) : maps.inputs
  const map = pick(all, at >>> 2) ?? maps.global
  return { map, index: map.length === 0 ? 0 : (at >>> 5) % map.length }
}

/** Changes of the PSBT that the device has signed. `other` is one of the same device that it signed for another purpose. */
const ON_THE_WAY_BACK: {
  [kind: string]: (maps: Maps, at: number, by: number, other: Maps) => void
} = {
  'a value': (maps, at, by) => {
    const { map, index } = placeOf(maps, at)
    const entry = map[index]
    if (entry) map[index] = { ...entry, value: flip(entry.value, by) }
  },
  'a key': (maps, at, by) => {
    const { map, index } = placeOf(maps, at)
    const entry = map[index]
    if (entry) map[index] = { ...entry, key: flip(entry.key, by) }
  },
  'an entry less': (maps, at) => {
    const { map, index } = placeOf(maps, at)
    map.splice(index, 1)
  },
  'an entry of another place': (maps, at, by) => {
    const [to, from] = [placeOf(maps, at), placeOf(maps, by)]
    const entry = from.map[from.index]
    if (entry) to.map[to.index] = entry
  },
  'unknown fields': (maps, at, by) => {
    for (const map of mapsOf(maps)) {
      const value = Uint8Array.from({ length: by % 40 }, (_, index) => index ^ at)
      if ((at + map.length) % 2 === 0) map.push({ key: Uint8Array.of(0xf0, at & 0xff), value })
    }
  },
  'two signatures for each other': ({ inputs }, at, by) => swap(inputs, at, by),
  'signatures of the two keys for each other': ({ inputs }) => {
    const isOf = (type: number) => (entry: PsbtEntry) => entry.key[0] === type
    const [partial, taproot] = [0x02, 0x13].map(type => inputs.flat().find(isOf(type)))
    if (!partial || !taproot) return
    const values = [partial.value, taproot.value]
    partial.value = Uint8Array.of(...(values[1] ?? []))
    taproot.value = Uint8Array.of(...(values[0] ?? []))
  },
  'signatures of another PSBT': (maps, at, _, other) => {
    const from = pick(other.inputs, at) ?? []
    const isSignature = ({ key }: PsbtEntry) => [0x02, 0x07, 0x08, 0x13].includes(key[0] ?? 0)
    maps.inputs = maps.inputs.map(map => [
      ...map.filter(entry => !isSignature(entry)),
      ...from.filter(isSignature),
    ])
  },
  'another PSBT': (maps, _, __, other) => Object.assign(maps, structuredClone(other)),
}

type Raw = ReturnType<typeof RawTx.decode>

/** Changes of the transaction that the device has made final. */
const FINAL: { [kind: string]: (raw: Raw, at: number, by: number) => void } = {
  'a final amount': ({ outputs }, at, by) => {
    const output = pick(outputs, at)
    if (output) output.amount += BigInt((by % 2_001) - 1_000)
  },
  'a final receiver': ({ outputs }, at) => {
    const output = pick(outputs, at)
    if (output) output.script = FOREIGN_SCRIPT
  },
  'the final locktime': (raw, _, by) => {
    raw.lockTime = by
  },
  'a final sequence': ({ inputs }, at, by) => {
    const input = pick(inputs, at)
    if (input) input.sequence = by
  },
  'a witness': ({ witnesses }, at, by) => {
    const witness = pick(witnesses ?? [], at)
    const index = witness && witness.length > 0 ? by % witness.length : 0
    if (witness?.[index]) witness[index] = flip(witness[index], by >>> 3)
  },
  'an element of a witness more': ({ witnesses }, at, by) => {
    const witness = pick(witnesses ?? [], at)
    witness?.splice(by % (witness.length + 1), 0, Uint8Array.of(by & 0xff))
  },
  'no witness': ({ witnesses }, at) => pick(witnesses ?? [], at)?.splice(0),
  'witnesses for each other': ({ witnesses }, at, by) => swap(witnesses ?? [], at, by),
  'a scriptSig': ({ inputs }, at, by) => {
    const input = pick(inputs, at)
    if (input) input.finalScriptSig = flip(input.finalScriptSig, by)
  },
  'inputs in another final order': ({ inputs, witnesses }, at, by) => {
    swap(inputs, at, by)
    swap(witnesses ?? [], at, by)
  },
}

/** Changes of the bytes as such, and of the list of answers. */
const BYTES: { [kind: string]: (bytes: Uint8Array, at: number, by: number) => Uint8Array } = {
  'a byte': (bytes, at, by) => flip(bytes, at * 65_537 + by),
  'the end': (bytes, at) => bytes.slice(0, at % bytes.length),
  'bytes behind': (bytes, _, by) => Uint8Array.of(...bytes, by & 0xff, 0),
}
const LISTS: { [kind: string]: (answers: string[], at: number) => string[] } = {
  'an answer less': (answers, at) => answers.toSpliced(at % answers.length, 1),
  'an answer twice': (answers, at) => [...answers, pick(answers, at) ?? ''],
  'answers in another order': answers => answers.toReversed(),
  'the first for all': answers => answers.map(() => answers[0] ?? ''),
}
const STRANGER = 'the signatures of another device'
const UNSIGNED = 'nothing signed'

export const KINDS: readonly string[] = [
  ...[ON_THE_WAY_THERE, ON_THE_WAY_BACK, FINAL, BYTES, LISTS].flatMap(Object.keys),
  ...[STRANGER, UNSIGNED],
]

/** Attacks on any of so many scenarios. */
export function attacks(scenarios: number): fc.Arbitrary<Attack> {
  const number = fc.nat(0xffffffff)
  const alteration = fc.record({ kind: fc.constantFrom(...KINDS), at: number, by: number })
  return fc.record({
    scenario: fc.nat(scenarios - 1),
    task: fc.nat(9),
    form: fc.constantFrom('version 0', 'version 2', 'final', 'raw'),
    alterations: fc.array(alteration, { minLength: 1, maxLength: 3 }),
  })
}

/** What the courier hands in (hex, one a task) instead of what the device signed. */
export function alterAnswers(
  device: Device,
  tasks: readonly string[],
  { task, form, alterations }: Attack,
  other: Uint8Array,
): string[] {
  const at = task % tasks.length
  const has = (kind: string) => alterations.some(one => one.kind === kind)
  const signer = has(STRANGER) ? createDevice(new Uint8Array(32).fill(0x78)) : device
  const answers = tasks.map((psbt, index) => {
    if (index !== at) return toHex(device.sign(psbt).toPSBT(0))
    if (has(UNSIGNED)) return psbt
    return toHex(alterAnswer(signer, psbt, form, alterations, other))
  })
  return alterations.reduce((list, one) => LISTS[one.kind]?.(list, one.at) ?? list, answers)
}

function alterAnswer(
  signer: Device,
  psbt: string,
  form: Attack['form'],
  alterations: readonly Alteration[],
  other: Uint8Array,
): Uint8Array {
  const before = alterations.filter(({ kind }) => kind in ON_THE_WAY_THERE)
  const sent = before.length === 0 ? psbt : toHex(rebuild(psbt, before))
  const signed = signElseUnsigned(signer, sent)
  const bytes = alterations.some(({ kind }) => kind in FINAL)
    ? alterFinal(signed, alterations)
    : alterMaps(writeAs(signed, form), alterations, other)
  return alterations.reduce((all, { kind, at, by }) => BYTES[kind]?.(all, at, by) ?? all, bytes)
}

function rebuild(psbt: string, changes: readonly Alteration[]): Uint8Array {
  const read = Transaction.fromPSBT(fromHex(psbt), PERMISSIVE)
  const facts: Facts = {
    ...{ version: read.version, lockTime: read.lockTime },
    inputs: Array.from({ length: read.inputsLength }, (_, at) => ({ ...read.getInput(at) })),
    outputs: Array.from({ length: read.outputsLength }, (_, at) => {
      const { script = new Uint8Array(), amount = 0n } = read.getOutput(at)
      return { script, amount }
    }),
  }
  for (const { kind, at, by } of changes) ON_THE_WAY_THERE[kind]?.(facts, at, by)
  const { version, lockTime, inputs, outputs } = facts
  const built = new Transaction({ ...PERMISSIVE, version, lockTime })
  // The other library refuses some of them: then the PSBT goes on as it was.
  try {
    for (const input of inputs) built.addInput(input, true)
    for (const output of outputs) built.addOutput(output, true)
    return built.toPSBT(0)
  } catch {
    return fromHex(psbt)
  }
}

function signElseUnsigned(signer: Device, psbt: string): Transaction {
  try {
    return signer.sign(psbt)
  } catch {
    return Transaction.fromPSBT(fromHex(psbt), PERMISSIVE)
  }
}

function writeAs(signed: Transaction, form: Attack['form']): Uint8Array {
  if (form === 'version 2') return signed.toPSBT(2)
  const final = signed.clone()
  // Not everything that was altered can be made final.
  try {
    if (form === 'version 0') return signed.toPSBT(0)
    final.finalize()
    return form === 'final' ? final.toPSBT(0) : final.extract()
  } catch {
    return signed.toPSBT(0)
  }
}

function alterMaps(
  bytes: Uint8Array,
  alterations: readonly Alteration[],
  other: Uint8Array,
): Uint8Array {
  const changes = alterations.filter(({ kind }) => kind in ON_THE_WAY_BACK)
  if (changes.length === 0 || bytes[0] !== 0x70) return bytes
  const read = (psbt: Uint8Array): Maps => structuredClone(parsePsbt(psbt).maps) as Maps
  try {
    const maps = read(bytes)
    for (const { kind, at, by } of changes) ON_THE_WAY_BACK[kind]?.(maps, at, by, read(other))
    return encodeMaps(maps)
  } catch {
    // It was no PSBT before.
    return bytes
  }
}

function alterFinal(signed: Transaction, alterations: readonly Alteration[]): Uint8Array {
  const bytes = writeAs(signed, 'raw')
  if (bytes[0] === 0x70) return bytes
  const raw = structuredClone(RawTx.decode(bytes)) as Raw
  for (const { kind, at, by } of alterations) FINAL[kind]?.(raw, at, by)
  try {
    return RawTx.encode(raw)
  } catch {
    return bytes
  }
}

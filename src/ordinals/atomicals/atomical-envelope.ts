// atomicals: parses the operations that witnesses give to the Atomicals protocol, as atomicals-electrumx does
// (https://github.com/atomicals/atomicals-electrumx). It never says what an operation does to an Atomical: that is
// `flow/`.

import { joinBytes, toHex } from '../../bitcoin/bytes.ts'
import { type CborMap, type CborValue, decodePayload, isCborMap } from './atomical-payload.ts'

const OPERATIONS = ['nft', 'ft', 'dft', 'dmt', 'mod', 'evt', 'dat', 'sl', 'x', 'y', 'z'] as const

/**
 * Mints (`nft`, `ft`, `dft`, `dmt`), changes of state and notes (`mod`, `evt`, `dat`), and what bears on where Atomicals go: seal (`sl`), splat (`x`), split (`y`), custom
 * colouring (`z`).
 */
export type AtomicalOperationName = (typeof OPERATIONS)[number]

export type AtomicalOperation = {
  operation: AtomicalOperationName
  payload: CborMap
  /**
   * As the index counts inputs, which passes over those without an operation: 0 but for transactions of which earlier inputs
   * have an operation without a payload. An operation counts only at 0.
   */
  input: number
}

/** An envelope of one input; `payload` is the bytes of its pushes, joined. */
export type AtomicalEnvelope = {
  /** By the transaction's own count. */
  input: number
  operation: AtomicalOperationName
  payload: Uint8Array
}

const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA4 = 0x4e
const OP_IF = 0x63
const OP_ENDIF = 0x68
/** The push of an x-only key, with which a leaf has to begin. */
const KEY_PUSH = 0x20
const KEY_SIZE = 32
const LEAST_SIZE = 39
/** The push of `atom`. */
const MARKER = '0461746f6d'
const MARKER_SIZE = 5

/** As the index looks for them: the long ones first. */
const OPCODES = OPERATIONS.toSorted((a, b) => b.length - a.length).map(operation => {
  const bytes = [operation.length, ...[...operation].map(letter => letter.charCodeAt(0))]
  return { operation, push: toHex(Uint8Array.from(bytes)) }
})

/**
 * The one operation of a transaction by its inputs' witnesses, as atomicals-electrumx finds it (util_atomicals.py,
 * parse_protocols_operations_from_witness_array): the first with a payload that is a map and says nothing in its known
 * sections that must not stand there. Null for none.
 */
export function parseAtomicalOperation(
  witnesses: readonly (readonly Uint8Array[])[],
): AtomicalOperation | null {
  let input = 0
  for (const { operation, payload } of findAtomicalEnvelopes(witnesses)) {
    if (payload.length === 0) {
      input++
      continue
    }
    const map = decodePayload(payload)
    if (map && isSound(map)) return { operation, payload: map, input }
  }
  return null
}

/** The envelope of each input that has one, whatever its payload. */
export function findAtomicalEnvelopes(
  witnesses: readonly (readonly Uint8Array[])[],
): AtomicalEnvelope[] {
  return witnesses.flatMap((witness, input) => {
    // Any item of the witness is taken for a leaf that looks like one.
    for (const item of witness) {
      const found = findEnvelope(item)
      if (found) return [{ input, ...found }]
    }
    return []
  })
}

/** The first marker decides, wherever its bytes lie behind the key: nothing asks whether they are opcodes. */
function findEnvelope(script: Uint8Array): Omit<AtomicalEnvelope, 'input'> | null {
  if (script.length < LEAST_SIZE || script[0] !== KEY_PUSH) return null
  for (let at = 1 + KEY_SIZE; at < script.length - MARKER_SIZE; at++) {
    if (script[at] !== OP_IF) continue
    const start = at + 1 + MARKER_SIZE
    if (toHex(script.subarray(at + 1, start)) !== MARKER) continue
    for (const { operation, push } of OPCODES) {
      const end = start + push.length / 2
      if (end >= script.length || toHex(script.subarray(start, end)) !== push) continue
      const payload = joinPushes(script, end)
      return payload && { operation, payload }
    }
    return null
  }
  return null
}

/** Pushes up to OP_ENDIF or the end, other opcodes passed over; null where one runs past the end. */
function joinPushes(script: Uint8Array, start: number): Uint8Array | null {
  const pushes: Uint8Array[] = []
  let at = start
  while (at < script.length) {
    const opcode = script[at++] ?? 0
    if (opcode === OP_ENDIF) break
    if (opcode > OP_PUSHDATA4) continue
    const prefix = opcode < OP_PUSHDATA1 ? 0 : 2 ** (opcode - OP_PUSHDATA1)
    let size = prefix === 0 ? opcode : 0
    for (let i = 0; i < prefix; i++) size += (script[at + i] ?? 0) * 256 ** i
    at += prefix
    if (at + size > script.length) return null
    pushes.push(script.subarray(at, at + size))
    at += size
  }
  return joinBytes(pushes)
}

/** The sections that an index keeps hold maps of plain values; bytes only where they may be. */
function isSound(payload: CborMap): boolean {
  const section = (name: string) => payload.get(name) ?? (payload.has(name) ? null : new Map())
  return (
    isPlain(section('meta'), false) &&
    isPlain(section('args'), true) &&
    isPlain(section('ctx'), false) &&
    isPlain(section('init'), true)
  )
}

/** The index leaves it at what the first inner map says. */
function isPlain(section: CborValue, withBytes: boolean): boolean {
  if (!isCborMap(section)) return false
  for (const value of section.values()) {
    if (isCborMap(value)) return isPlain(value, withBytes)
    if (value instanceof Uint8Array && !withBytes) return false
    if (value === null || isOpaque(value)) return false
  }
  return true
}

function isOpaque(value: Exclude<CborValue, null>): boolean {
  return typeof value === 'object' && 'opaque' in value
}

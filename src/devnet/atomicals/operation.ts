import type { Transaction } from 'bitcoinjs-lib'
import { joinBytes, toHex } from '../../bitcoin/bytes.ts'
import { toDisplayHash } from '../chain/hex.ts'
import { type CborMap, type CborValue, decodeCborItem, isCborList, isCborMap } from './cbor.ts'

const NAMES = ['nft', 'dft', 'mod', 'evt', 'dmt', 'dat', 'ft', 'sl', 'x', 'y', 'z'] as const
export type OperationName = (typeof NAMES)[number]

/** What a transaction does with Atomicals beyond moving them. */
export interface Operation {
  op: OperationName
  payload: CborMap
  payloadBytes: Uint8Array
  /** Most operations count only where this is 0. */
  input: number
  /** What that input spends; the id of what is minted. */
  commit: { txid: string; vout: number }
}

const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA4 = 0x4e
const OP_IF = 0x63
const OP_ENDIF = 0x68
/** A push of `atom`. */
const MARKER = '0461746f6d'
const KEY_PUSH = 0x20
const LEAST_SIZE = 39
const BEFORE_ENVELOPE = 33

/**
 * The one operation of a transaction, as atomicals-electrumx finds it: the first, in the order of the inputs, with a payload
 * that is a map. Inputs without an operation are not counted there, so an envelope in any input has the number 0, and mints
 * what the first input spends; only an envelope without a payload counts.
 */
export function parseOperation(tx: Transaction): Operation | null {
  let input = 0
  for (const { witness } of tx.ins) {
    const envelope = findEnvelope(witness)
    if (!envelope) continue
    if (envelope.bytes.length === 0) {
      input++
      continue
    }
    const payload = readPayload(envelope.bytes)
    const spent = tx.ins[input]
    if (!payload || !spent) continue
    return {
      op: envelope.op,
      payload,
      payloadBytes: envelope.bytes,
      input,
      commit: { txid: toDisplayHash(spent.hash), vout: spent.index },
    }
  }
  return null
}

/** The fields of a payload that must be maps, an empty one where it is missing; null where one is not. */
export function parseSections(payload: CborMap) {
  const args = readSection(payload, 'args')
  const meta = readSection(payload, 'meta')
  const ctx = readSection(payload, 'ctx')
  const init = readSection(payload, 'init')
  return args && meta && ctx && init ? { args, meta, ctx, init } : null
}

function readSection(payload: CborMap, name: string): CborMap | null {
  const value = payload.has(name) ? payload.get(name) : new Map()
  return isCborMap(value) ? value : null
}

/** Scripts are searched byte by byte there, not operation by operation, wherever they stand in the witness. */
function findEnvelope(
  witness: readonly Uint8Array[],
): { op: OperationName; bytes: Uint8Array } | null {
  for (const script of witness) {
    if (script.length < LEAST_SIZE || script[0] !== KEY_PUSH) continue
    for (let at = BEFORE_ENVELOPE; at < script.length - 5; at++) {
      if (script[at] !== OP_IF || toHex(script.subarray(at + 1, at + 6)) !== MARKER) continue
      const op = NAMES.find(name => startsWithPush(script, at + 6, name))
      const bytes = op && readPushes(script, at + 7 + op.length)
      if (op && bytes) return { op, bytes }
      break
    }
  }
  return null
}

function startsWithPush(script: Uint8Array, at: number, name: string): boolean {
  const push = Uint8Array.of(name.length, ...new TextEncoder().encode(name))
  return (
    at + push.length < script.length && toHex(script.subarray(at, at + push.length)) === toHex(push)
  )
}

/** All pushes up to OP_ENDIF together, other operations left out; null for one that runs past the end. */
function readPushes(script: Uint8Array, from: number): Uint8Array | null {
  const parts: Uint8Array[] = []
  for (let at = from; at < script.length; ) {
    const opcode = script[at++] ?? 0
    if (opcode === OP_ENDIF) break
    if (opcode > OP_PUSHDATA4) continue
    const prefix = opcode < OP_PUSHDATA1 ? 0 : 2 ** (opcode - OP_PUSHDATA1)
    let size = prefix === 0 ? opcode : 0
    for (let i = 0; i < prefix; i++) size += (script[at + i] ?? 0) * 256 ** i
    at += prefix
    if (at + size > script.length) return null
    parts.push(script.subarray(at, at + size))
    at += size
  }
  return joinBytes(parts)
}

function readPayload(bytes: Uint8Array): CborMap | null {
  let payload: CborValue
  try {
    payload = decodeCborItem(bytes)
  } catch {
    return null
  }
  if (!isCborMap(payload)) return null
  const sections = parseSections(payload)
  if (!sections) return null
  const isClean =
    holdsPlainValues(sections.meta, false) &&
    holdsPlainValues(sections.args, true) &&
    holdsPlainValues(sections.ctx, false) &&
    holdsPlainValues(sections.init, true)
  return isClean ? payload : null
}

/** Neither null nor tagged values. A map within ends the search there: what it says of itself is the answer. */
function holdsPlainValues(map: CborMap, withBytes: boolean): boolean {
  for (const value of map.values()) {
    if (isCborMap(value)) return holdsPlainValues(value, withBytes)
    const isPlain =
      typeof value === 'number' ||
      typeof value === 'bigint' ||
      typeof value === 'boolean' ||
      typeof value === 'string' ||
      isCborList(value) ||
      (withBytes && value instanceof Uint8Array)
    if (!isPlain) return false
  }
  return true
}

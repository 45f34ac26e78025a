import { equalBytes, joinBytes } from '../bytes.ts'
import { encodePushes } from '../script.ts'
import { OP } from './opcodes.ts'

/** An operation, what it pushes (null for other opcodes than pushes of data), and where the next one begins. */
export type ReadOperation = { opcode: number; data: Uint8Array | null; end: number }

/** The operation at a place of a script; null where a push runs past the script's end. */
export function readOperation(script: Uint8Array, at: number): ReadOperation | null {
  const opcode = script[at] ?? 0
  let start = at + 1
  if (opcode > OP.PUSHDATA4) return { opcode, data: null, end: start }
  let size: number = opcode
  if (opcode >= OP.PUSHDATA1) {
    const sizeBytes = 2 ** (opcode - OP.PUSHDATA1)
    if (start + sizeBytes > script.length) return null
    size = 0
    for (let i = 0; i < sizeBytes; i++) size += (script[start + i] ?? 0) * 256 ** i
    start += sizeBytes
  }
  const end = start + size
  return end > script.length ? null : { opcode, data: script.subarray(start, end), end }
}

/** Whether data is pushed by the shortest operation that pushes it (MINIMALDATA). */
export function isMinimalPush(opcode: number, data: Uint8Array): boolean {
  const [first = 0] = data
  if (data.length === 0) return opcode === 0
  if (data.length === 1 && first >= 1 && first <= 16) return opcode === OP.OP_1 + first - 1
  if (data.length === 1 && first === 0x81) return opcode === OP.NEGATE1
  if (data.length < OP.PUSHDATA1) return opcode === data.length
  if (data.length <= 0xff) return opcode === OP.PUSHDATA1
  return data.length > 0xffff || opcode === OP.PUSHDATA2
}

/** Whether a script has pushes alone; OP_RESERVED counts as one, as for Bitcoin Core. */
export function isPushOnly(script: Uint8Array): boolean {
  for (let at = 0; at < script.length; ) {
    const operation = readOperation(script, at)
    if (!operation || operation.opcode > OP.OP_16) return false
    at = operation.end
  }
  return true
}

/** The script without the operations that equal the push of a signature, and how many they were (FindAndDelete). */
export function findAndDelete(
  script: Uint8Array,
  signature: Uint8Array,
): { script: Uint8Array; found: number } {
  const pushed = encodePushes([signature])
  return dropOperations(script, at =>
    equalBytes(script.subarray(at, at + pushed.length), pushed) ? at + pushed.length : null,
  )
}

/** The script without OP_CODESEPARATOR, as signatures of before segwit sign it. */
export function withoutCodeSeparators(script: Uint8Array): Uint8Array {
  return dropOperations(script, (_, { opcode, end }) => (opcode === OP.CODESEPARATOR ? end : null))
    .script
}

/** `dropTo` says where what is dropped ends; what follows a push that runs past the end stays. */
function dropOperations(
  script: Uint8Array,
  dropTo: (at: number, operation: ReadOperation) => number | null,
): { script: Uint8Array; found: number } {
  const kept: Uint8Array[] = []
  let found = 0
  let at = 0
  while (at < script.length) {
    const operation = readOperation(script, at)
    if (!operation) break
    const end = dropTo(at, operation)
    if (end === null) kept.push(script.subarray(at, operation.end))
    else found++
    at = end ?? operation.end
  }
  return { script: found === 0 ? script : joinBytes([...kept, script.subarray(at)]), found }
}

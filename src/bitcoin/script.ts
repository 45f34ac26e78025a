import { concatBytes } from './bytes.ts'

/** One operation of a script; `data` is what a push puts on the stack, null for every other opcode. */
export type ScriptOperation = { opcode: number; data: Uint8Array | null }

/** Bytes of a memo: Bitcoin Core relayed no more before version 30 (OP_RETURN scripts of 83 bytes). */
export const MAX_MEMO_SIZE = 80

const OP_0 = 0x00
const OP_PUSHDATA1 = 0x4c
const OP_PUSHDATA4 = 0x4e
const OP_1NEGATE = 0x4f
const OP_1 = 0x51
const OP_16 = 0x60

/** The operations of a script; null when a push runs past its end. */
export function parseScript(script: Uint8Array): ScriptOperation[] | null {
  const operations: ScriptOperation[] = []
  let at = 0
  while (at < script.length) {
    const opcode = script[at++] ?? 0
    if (opcode > OP_PUSHDATA4) {
      operations.push({ opcode, data: null })
      continue
    }
    const prefix = opcode < OP_PUSHDATA1 ? 0 : 2 ** (opcode - OP_PUSHDATA1)
    let size = prefix === 0 ? opcode : 0
    for (let i = 0; i < prefix; i++) size += (script[at + i] ?? 0) * 256 ** i
    at += prefix
    if (at + size > script.length) return null
    operations.push({ opcode, data: script.subarray(at, at + size) })
    at += size
  }
  return operations
}

/** What a script of pushes puts on the stack, numbers included; null when it does anything else. */
export function parseStack(script: Uint8Array): Uint8Array[] | null {
  const operations = parseScript(script)
  return operations?.every(isPush) ? operations.map(parsePush) : null
}

/** What a push puts on the stack; a number opcode puts one byte there. */
export function parsePush({ opcode, data }: ScriptOperation): Uint8Array {
  return data ?? Uint8Array.of(opcode === OP_1NEGATE ? 0x81 : opcode - OP_1 + 1)
}

/** What a script of data pushes puts on the stack; null when it does anything else, such as push a number by its opcode. */
export function parsePushes(script: Uint8Array): Uint8Array[] | null {
  const items = parseScript(script)?.map(({ data }) => data)
  return items?.every(data => data !== null) ? items : null
}

/** The data that a script of any kind pushes; none where one of its pushes runs past its end. */
export function parsePushedData(script: Uint8Array): Uint8Array[] {
  return parseScript(script)?.flatMap(({ data }) => data ?? []) ?? []
}

/** A script that puts these items of up to 65,535 bytes on the stack, each by the shortest push of its length. */
export function encodePushes(items: readonly Uint8Array[]): Uint8Array {
  return concatBytes(...items.flatMap(item => [encodePushOpcode(item.length), item]))
}

function encodePushOpcode(size: number): Uint8Array {
  if (size < OP_PUSHDATA1) return Uint8Array.of(size)
  if (size <= 0xff) return Uint8Array.of(OP_PUSHDATA1, size)
  return Uint8Array.of(OP_PUSHDATA1 + 1, size & 0xff, size >> 8)
}

/** Whether an operation only puts something on the stack, numbers included. */
export function isPush({ opcode, data }: ScriptOperation): boolean {
  return data !== null || opcode === OP_1NEGATE || (opcode >= OP_1 && opcode <= OP_16)
}

/** A number from 0 to 32,767 in its one minimal form (BIP-62); null for any other operation. */
export function parseNumber({ opcode, data }: ScriptOperation): number | null {
  if (opcode === OP_0) return 0
  if (data === null) return opcode >= OP_1 && opcode <= OP_16 ? opcode - OP_1 + 1 : null
  const [low = 0, high = 0] = data
  const value = low + 256 * high
  const least = data.length === 1 ? 17 : 0x80
  // The highest bit of the last byte is the sign.
  const isNegative = (data.at(-1) ?? 0) >= 0x80
  return opcode !== data.length || data.length > 2 || value < least || isNegative ? null : value
}

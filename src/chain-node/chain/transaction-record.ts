import { readHeight } from '../store/keys.ts'

/** A mined transaction as the store has it: height, index in the block, and its JSON text. */
export function encodeTransaction(height: bigint, index: number, json: string): Uint8Array {
  return join(height, index, json)
}

export function decodeTransaction(bytes: Uint8Array) {
  const { height, number, json } = divide(bytes)
  return { height, index: number, json }
}

/**
 * A receipt as the store has it: height, where its logs begin in the text, and its JSON text.
 *
 * @param logsStart - in characters
 */
export function encodeReceipt(height: bigint, logsStart: number, json: string): Uint8Array {
  return join(height, logsStart, json)
}

export function decodeReceipt(bytes: Uint8Array) {
  const { height, number, json } = divide(bytes)
  return { height, logsStart: number, json }
}

function join(height: bigint, number: number, json: string): Uint8Array {
  const bytes = Buffer.allocUnsafe(BEFORE_TEXT + json.length)
  bytes.writeBigUInt64BE(height)
  bytes.writeUInt32BE(number, 8)
  bytes.write(json, BEFORE_TEXT, 'latin1')
  return bytes
}

function divide(bytes: Uint8Array): { height: bigint; number: number; json: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    height: readHeight(buffer),
    number: buffer.readUInt32BE(8),
    json: buffer.toString('latin1', BEFORE_TEXT),
  }
}

const BEFORE_TEXT = 12

import { format } from 'node:util'
import { encodeHex } from '../codec/hex.ts'
import { keccak256 } from '../engine/crypto.ts'

/** What a value of `console.log` can be, in the types of Solidity. */
type Type = 'uint256' | 'int256' | 'string' | 'bool' | 'address' | 'bytes' | `bytes${number}`

/** Those that come together, up to four of them. */
const JOINED: readonly Type[] = ['uint256', 'string', 'bool', 'address']
const MOST_VALUES = 4
const WORD = 32

let known: ReadonlyMap<string, readonly Type[]> | null = null

/**
 * The line that a contract writes with Hardhat's or Foundry's `console.log`: its values with spaces between, or in the places that a
 * first text has for them, as Node's own `console.log` does. Null for what is no such call.
 *
 * @param input - of a call of the console's address
 */
export function readConsoleLog(input: Uint8Array): string | null {
  known ??= listSelectors()
  const types = known.get(encodeHex(input.subarray(0, 4)))
  if (types === undefined) return null
  const data = input.subarray(4)
  try {
    return format(...types.map((type, index) => readValue(data, WORD * index, type)))
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function listSelectors(): Map<string, readonly Type[]> {
  const single: Type[] = ['int256', 'bytes']
  for (let size = 1; size <= 32; size++) single.push(`bytes${size}`)
  let longest: (readonly Type[])[] = [[]]
  const all: (readonly Type[])[] = [[], ...single.map(type => [type])]
  for (let count = 1; count <= MOST_VALUES; count++) {
    longest = longest.flatMap(types => JOINED.map(type => [...types, type]))
    all.push(...longest)
  }
  const selectors = all.map(types => [nameSelector(types), types] as const)
  return new Map(selectors)
}

function nameSelector(types: readonly Type[]): string {
  return encodeHex(keccak256(Buffer.from(`log(${types.join(',')})`)).subarray(0, 4))
}

/** Throws `RangeError` where the data are too short. */
function readValue(data: Uint8Array, place: number, type: Type): unknown {
  if (type === 'string' || type === 'bytes') {
    const start = Number(readInteger(data, place))
    const length = Number(readInteger(data, start))
    const bytes = take(data, start + WORD, length)
    return type === 'string' ? Buffer.from(bytes).toString() : encodeHex(bytes)
  }
  const integer = readInteger(data, place)
  if (type === 'bool') return integer !== 0n
  if (type === 'uint256') return integer.toString()
  if (type === 'int256') return BigInt.asIntN(256, integer).toString()
  if (type === 'address') return encodeHex(take(data, place + 12, 20))
  return encodeHex(take(data, place, Number(type.slice('bytes'.length))))
}

function readInteger(data: Uint8Array, place: number): bigint {
  return BigInt(encodeHex(take(data, place, WORD)))
}

function take(data: Uint8Array, start: number, length: number): Uint8Array {
  if (!(start + length <= data.length)) throw new RangeError('the data end before that')
  return data.subarray(start, start + length)
}

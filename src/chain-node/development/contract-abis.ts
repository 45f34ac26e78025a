import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Decoder, decodeError } from 'micro-eth-signer/abi.js'
import { encodeHex } from '../codec/hex.ts'

/** What the ABIs of somebody's contracts say of calls and errors. */
export interface ContractAbis {
  /** The function and its arguments, `transfer(0xab…, 5)`; null where no ABI has it. */
  describeCall(input: Uint8Array): string | null
  /** The contract's own error and its arguments; null for those of Solidity, and where no ABI has it. */
  describeError(reverted: Uint8Array): string | null
}

type Abi = Parameters<Decoder['add']>[1]

/** Milliseconds: contracts are compiled while the node runs, and their artifacts are read anew where one is not known. */
const BETWEEN_READS = 2_000
/** Selectors stand for functions, whatever the address is. */
const ANY_ADDRESS = `0x${'00'.repeat(20)}`
const MOST_CHARACTERS = 400

/**
 * The ABIs in files that hold one, alone or as `abi` of an artifact of Hardhat's or forge's, and in all such files of folders.
 * What is no such file is passed over. Throws where a path is not there.
 *
 * @param now - milliseconds
 */
export function openContractAbis(
  paths: readonly string[],
  now: () => number = Date.now,
): ContractAbis {
  for (const path of paths) statSync(path)
  let lastRead = Number.NEGATIVE_INFINITY
  let decoder = new Decoder()
  let errors: Abi = []

  function readAgain(): boolean {
    if (now() - lastRead < BETWEEN_READS) return false
    lastRead = now()
    decoder = new Decoder()
    const abis = paths.flatMap(readAbis)
    for (const abi of abis) decoder.add(ANY_ADDRESS, abi)
    errors = abis.flatMap(abi => abi.filter(({ type }) => type === 'error'))
    return true
  }

  function find<T>(read: () => T | null): T | null {
    return read() ?? (readAgain() ? read() : null)
  }

  return {
    describeCall: input =>
      find(() => {
        try {
          const found = decoder.decode(ANY_ADDRESS, input)
          const call = Array.isArray(found) ? found[0] : found
          return call ? format(call.name, call.signature, call.value) : null
        } catch {
          return null
        }
      }),
    describeError: reverted =>
      find(() => {
        try {
          const error = decodeError(reverted, errors)
          if (error === undefined || error.name === 'Error' || error.name === 'Panic') return null
          return format(error.name, error.signature, error.args)
        } catch {
          return null
        }
      }),
  }
}

function readAbis(path: string): Abi[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.json') && !name.endsWith('.dbg.json'))
      .flatMap(name => readAbi(join(path, name)))
  }
  return readAbi(path)
}

/** None where it is not there, not whole yet, or something else. */
function readAbi(file: string): Abi[] {
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'))
    const abi = Array.isArray(json) ? json : Object(json).abi
    new Decoder().add(ANY_ADDRESS, abi)
    return [abi]
  } catch {
    return []
  }
}

/** @param value - of all arguments: itself where there is one, an array where they have no names */
function format(name: string, signature: string, value: unknown): string {
  const count = countArguments(signature)
  const values = count === 0 ? [] : count === 1 ? [value] : Object.values(Object(value))
  const text = `${name}(${values.map(formatValue).join(', ')})`
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS - 1)}…`
}

/** Of a canonical signature, in which tuples and arrays have brackets of their own. */
function countArguments(signature: string): number {
  const list = signature.slice(signature.indexOf('(') + 1, -1)
  if (list === '') return 0
  let depth = 0
  let count = 1
  for (const character of list) {
    if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth === 0) count++
  }
  return count
}

function formatValue(value: unknown): string {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'string')
    return /^0x[0-9a-fA-F]{40}$/.test(value) ? value : JSON.stringify(value)
  if (value instanceof Uint8Array) return encodeHex(value)
  if (Array.isArray(value)) return `[${value.map(formatValue).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `(${Object.values(value).map(formatValue).join(', ')})`
  return String(value)
}

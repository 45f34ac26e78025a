import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The chain and the calls of https://github.com/ethereum/execution-apis; see the README there. */
const FOLDER = new URL('vectors/execution-apis/', import.meta.url)

/** For `--genesis`. */
export const EXECUTION_APIS_GENESIS = fileURLToPath(new URL('genesis.json', FOLDER))

/** For `--import`: 54 blocks in RLP. */
export const EXECUTION_APIS_CHAIN = fileURLToPath(new URL('chain.rlp', FOLDER))

export interface ExecutionApisCall {
  /** Method and case, such as `eth_getCode/get-code-default-block`. */
  readonly name: string
  /** The answer shows its schema; its values are those of another node. */
  readonly specOnly?: true
  readonly request: { readonly method: string; readonly params?: readonly unknown[] }
  readonly response: { readonly result?: unknown; readonly error?: object }
}

/** The genesis file of the chain, as JSON gives it. */
export function readExecutionApisGenesis(): unknown {
  return readJson('genesis.json')
}

/** Hash of the last block of the chain. */
export function readExecutionApisHead(): string {
  const { params } = readJson('headfcu.json') as { params: [{ headBlockHash: string }] }
  return params[0].headBlockHash
}

/** The blocks after the genesis in RLP, in their order. */
export function readExecutionApisBlocks(): Uint8Array[] {
  return splitLists(Uint8Array.from(readFileSync(EXECUTION_APIS_CHAIN)))
}

const FILES = {
  specified: 'calls.json',
  extended: 'extended-calls.json',
  simulated: 'simulate-calls.json',
} as const

/** All calls with their answers, by name: the order in which they are to be asked. Those but `specified` are beyond the specification. */
export function listExecutionApisCalls(which: keyof typeof FILES = 'specified') {
  const calls = readJson(FILES[which]) as { [name: string]: Omit<ExecutionApisCall, 'name'> }
  return Object.entries(calls).map(([name, call]): ExecutionApisCall => ({ name, ...call }))
}

/** One call with its answer. */
export function readExecutionApisCall(name: string): ExecutionApisCall {
  const call = listExecutionApisCalls().find(call => call.name === name)
  if (!call) throw new Error(`No call of execution-apis is named ${name}`)
  return call
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}

/** Lists of RLP that stand one after the other, each longer than 55 bytes. */
function splitLists(bytes: Uint8Array): Uint8Array[] {
  const lists: Uint8Array[] = []
  for (let position = 0; position < bytes.length; ) {
    const lengthBytes = (bytes[position] as number) - 0xf7
    const start = position + 1 + lengthBytes
    const length = Number.parseInt(
      Buffer.from(bytes.subarray(position + 1, start)).toString('hex'),
      16,
    )
    lists.push(bytes.subarray(position, start + length))
    position = start + length
  }
  return lists
}

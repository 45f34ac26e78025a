import { existsSync, readFileSync } from 'node:fs'

/** The chain and the questions of https://github.com/ethereum/execution-apis, kept beside the repository. */
const FOLDER = new URL('../../../../shared/vectors/execution-apis/', import.meta.url)

/** For `describe.skipIf`: the vectors are not on this machine. */
export const executionApisMissing = !existsSync(FOLDER)

/** The genesis file of the chain, as JSON gives it. */
export function readExecutionApisGenesis(): unknown {
  return JSON.parse(readFileSync(new URL('genesis.json', FOLDER), 'utf8'))
}

/** The blocks after the genesis in RLP, in their order. */
export function readExecutionApisBlocks(): Uint8Array[] {
  return splitLists(Uint8Array.from(readFileSync(new URL('chain.rlp', FOLDER))))
}

/** The questions of a file with their answers, as JSON gives them. */
export function readExecutionApisCalls(
  file: string,
): { request: { method: string; params: unknown[] }; response: { result: unknown } }[] {
  const lines = readFileSync(new URL(file, FOLDER), 'utf8').split('\n')
  const read = (mark: string) =>
    lines.filter(line => line.startsWith(mark)).map(line => JSON.parse(line.slice(mark.length)))
  const responses = read('<< ')
  return read('>> ').map((request, index) => ({ request, response: responses[index] }))
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

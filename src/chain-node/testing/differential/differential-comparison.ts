import type { Answer, Exchange } from './differential-nodes.ts'
import type { EstimateCheck } from './differential-run.ts'

/** One place where the answers are not equal. */
export interface Difference {
  readonly exchange: Exchange
  /** Fields from the answer down, such as `result.logs.0.data`. */
  readonly path: string
  readonly ours: unknown
  readonly theirs: unknown
}

const names = (text: string) => text.split(' ')

/** The specification's fields. */
const BLOCK = names(
  'difficulty extraData gasLimit gasUsed hash logsBloom miner nonce number parentHash sha3Uncles size stateRoot timestamp totalDifficulty transactions transactionsRoot uncles',
)
const TRANSACTION = names(
  'blockHash blockNumber from gas gasPrice hash input nonce to transactionIndex value v r s',
)
const RECEIPT = names(
  'blockHash blockNumber contractAddress cumulativeGasUsed from gasUsed logs logsBloom status to transactionHash transactionIndex',
)
const LOG = names(
  'address blockHash blockNumber data logIndex removed topics transactionHash transactionIndex',
)

/** Everything that is not equal in an exchange: each of the specification's fields, and others that both have. */
export function listDifferences(exchange: Exchange): Difference[] {
  const { ours, theirs, request } = exchange
  const found: Difference[] = []
  const differ = (path: string, first: unknown, second: unknown) =>
    found.push({ exchange, path, ours: first, theirs: second })

  function compare(path: string, first: unknown, second: unknown): void {
    if (isObject(first) && isObject(second)) {
      compareObjects(path, first, second)
    } else if (Array.isArray(first) && Array.isArray(second) && first.length === second.length) {
      for (const [index, item] of first.entries()) compare(`${path}.${index}`, item, second[index])
    } else if (JSON.stringify(first) !== JSON.stringify(second)) {
      differ(path, first, second)
    }
  }

  function compareObjects(path: string, first: Fields, second: Fields): void {
    const specified = [BLOCK, RECEIPT, TRANSACTION, LOG].find(fields =>
      fields.every(field => field in first || field === 'totalDifficulty'),
    )
    const shared = Object.keys(first).filter(field => field in second)
    for (const field of new Set([...(specified ?? Object.keys(first)), ...shared])) {
      compare(`${path}.${field}`, first[field], second[field])
    }
  }

  if (ours.error && theirs.error) compareErrors()
  else if (ours.error || theirs.error) differ('answer', ours, theirs)
  // Anvil's own estimate is an upper bound; ours is checked by running it on both.
  else if (request.method !== 'eth_estimateGas') compare('result', ours.result, theirs.result)
  return found

  function compareErrors(): void {
    if (describeError(ours) === describeError(theirs)) return
    differ('error', ours.error, theirs.error)
  }
}

/** The estimate has to be enough, and a unit less must not be. */
export function listEstimateFaults({ estimate, enough, less }: EstimateCheck): Difference[] {
  const differ = (path: string, exchange: Exchange): Difference => ({
    exchange: estimate,
    path,
    ours: exchange.ours,
    theirs: exchange.theirs,
  })
  return [
    ...(enough.ours.error || enough.theirs.error ? [differ('is not enough', enough)] : []),
    ...(less.ours.error && less.theirs.error ? [] : [differ('is not the least', less)]),
  ]
}

function describeError({ error }: Answer): string {
  return JSON.stringify([error?.code, error?.message, error?.data])
}

type Fields = { readonly [name: string]: unknown }

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

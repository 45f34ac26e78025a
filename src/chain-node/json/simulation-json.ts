import { encodeHex, formatQuantity } from '../codec/hex.ts'
import type { SimulatedCallResult, SimulationResult } from '../engine/engine.ts'
import { blockFieldsJson, joinTransactions, quoteHash } from './block-json.ts'
import { logJson } from './log-json.ts'
import { minedTransactionJson } from './transaction-json.ts'

/** A call failed, but was not reverted. */
const VM_ERROR = -32015
const REVERTED = 3

/** A block of a simulation with what its calls did, as geth gives it. */
export function simulatedBlockJson(result: SimulationResult, fullTransactions: boolean): string {
  const { block } = result
  const transactions = block.transactions.map((transaction, index) =>
    fullTransactions
      ? minedTransactionJson(transaction, block.header, index, 'complete')
      : quoteHash(transaction.hash),
  )
  const text = joinTransactions(blockFieldsJson(block, 0n, 'complete'), transactions)
  const calls = result.calls.map((call, index) => callJson(result, call, index))
  return `${text.slice(0, -1)},"calls":[${calls.join()}]}`
}

function callJson({ block }: SimulationResult, call: SimulatedCallResult, index: number): string {
  const { failure } = call
  const transactionHash = block.transactions[index]?.hash ?? block.header.hash
  const logs = call.logs.map(log =>
    logJson(
      log,
      block.header,
      { transactionHash, transactionIndex: index, logIndex: log.index },
      'complete',
    ),
  )
  const fields = JSON.stringify({
    returnData: encodeHex(call.returned),
    gasUsed: formatQuantity(call.gasUsed),
    maxUsedGas: formatQuantity(call.maxUsedGas),
    status: formatQuantity(failure === null ? 1 : 0),
    ...(failure !== null && {
      error: {
        message: failure.message,
        ...(failure.reverted === null
          ? { code: VM_ERROR }
          : { code: REVERTED, data: encodeHex(failure.reverted) }),
      },
    }),
  })
  return `${fields.slice(0, -1)},"logs":[${logs.join()}]}`
}

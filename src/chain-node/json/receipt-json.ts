import { formatQuantity } from '../codec/hex.ts'
import type { Header, Receipt } from '../engine/block.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Shape } from './shape.ts'

/**
 * A receipt; its logs come last in the text, so that they can be cut out of it.
 *
 * @param logs - each as JSON text
 */
export function receiptJson(
  receipt: Receipt,
  transaction: Transaction,
  header: Header,
  index: number,
  logs: readonly string[],
  shape: Shape,
): string {
  const { blobGasUsed, blobGasPrice } = receipt
  const fields = JSON.stringify({
    blockHash: header.hash,
    blockNumber: formatQuantity(header.number),
    transactionHash: transaction.hash,
    transactionIndex: formatQuantity(index),
    type: formatQuantity(transaction.type),
    from: transaction.from,
    to: transaction.to,
    contractAddress: receipt.contractAddress,
    ...(receipt.status === null
      ? { root: receipt.root }
      : { status: formatQuantity(receipt.status ? 1 : 0) }),
    gasUsed: formatQuantity(receipt.gasUsed),
    cumulativeGasUsed: formatQuantity(receipt.cumulativeGasUsed),
    effectiveGasPrice: formatQuantity(receipt.effectiveGasPrice),
    logsBloom: receipt.logsBloom,
    ...(shape === 'complete' && blobGasUsed !== undefined && blobGasPrice !== undefined
      ? {
          blobGasUsed: formatQuantity(blobGasUsed),
          blobGasPrice: formatQuantity(blobGasPrice),
        }
      : {}),
  })
  return `${fields.slice(0, -1)},"logs":${joinLogs(logs)}}`
}

/** Where the array of the logs begins in a receipt's text. */
export function findLogs(receipt: string, logs: readonly string[]): number {
  return receipt.length - 1 - joinLogs(logs).length
}

/** The array of the logs, from where it begins. */
export function cutLogs(receipt: string, start: number): string {
  return receipt.slice(start, -1)
}

function joinLogs(logs: readonly string[]): string {
  return `[${logs.join()}]`
}

import { encodeHex, formatQuantity } from '../codec/hex.ts'
import type { Header } from '../engine/block.ts'
import type { Authorization, Transaction } from '../engine/transaction.ts'
import type { Shape } from './shape.ts'

export function minedTransactionJson(
  transaction: Transaction,
  header: Header,
  index: number,
  shape: Shape,
): string {
  return JSON.stringify({
    blockHash: header.hash,
    blockNumber: formatQuantity(header.number),
    ...(shape === 'complete' && { blockTimestamp: formatQuantity(header.timestamp) }),
    transactionIndex: formatQuantity(index),
    ...listFields(transaction, effectiveGasPrice(transaction, header.baseFeePerGas), shape),
  })
}

/** One that is in no block yet. */
export function pooledTransactionJson(transaction: Transaction, shape: Shape): string {
  return JSON.stringify({
    blockHash: null,
    blockNumber: null,
    ...(shape === 'complete' && { blockTimestamp: null }),
    transactionIndex: null,
    ...listFields(transaction, transaction.gasPrice, shape),
  })
}

/** EIP-1559: the base fee and the tip, as far as the sender's maximum reaches. */
function effectiveGasPrice(transaction: Transaction, baseFee: bigint | undefined): bigint {
  const { gasPrice, maxPriorityFeePerGas } = transaction
  if (baseFee === undefined || maxPriorityFeePerGas === undefined) return gasPrice
  const wanted = baseFee + maxPriorityFeePerGas
  return wanted < gasPrice ? wanted : gasPrice
}

function listFields(transaction: Transaction, gasPrice: bigint, shape: Shape) {
  return {
    hash: transaction.hash,
    nonce: formatQuantity(transaction.nonce),
    from: transaction.from,
    to: transaction.to,
    value: formatQuantity(transaction.value),
    gas: formatQuantity(transaction.gas),
    gasPrice: formatQuantity(gasPrice),
    input: encodeHex(transaction.input),
    v: formatQuantity(transaction.v),
    r: formatQuantity(transaction.r),
    s: formatQuantity(transaction.s),
    ...(shape === 'complete' ? listLaterFields(transaction) : listTypedFields(transaction)),
  }
}

function listTypedFields({ type, chainId }: Transaction) {
  if (type === 0 || chainId === null) return {}
  return { type: formatQuantity(type), chainId: formatQuantity(chainId) }
}

function listLaterFields(transaction: Transaction) {
  const { type, chainId, gasPrice, accessList, authorizationList, blobVersionedHashes } =
    transaction
  const { maxPriorityFeePerGas, maxFeePerBlobGas } = transaction
  return {
    type: formatQuantity(type),
    ...(chainId !== null && { chainId: formatQuantity(chainId) }),
    ...(type !== 0 && { yParity: formatQuantity(transaction.v) }),
    ...(accessList && { accessList }),
    ...(maxPriorityFeePerGas !== undefined && {
      maxFeePerGas: formatQuantity(gasPrice),
      maxPriorityFeePerGas: formatQuantity(maxPriorityFeePerGas),
    }),
    ...(maxFeePerBlobGas !== undefined && { maxFeePerBlobGas: formatQuantity(maxFeePerBlobGas) }),
    ...(blobVersionedHashes && { blobVersionedHashes }),
    ...(authorizationList && { authorizationList: authorizationList.map(formatAuthorization) }),
  }
}

function formatAuthorization(authorization: Authorization) {
  return {
    chainId: formatQuantity(authorization.chainId),
    address: authorization.address,
    nonce: formatQuantity(authorization.nonce),
    yParity: formatQuantity(authorization.yParity),
    r: formatQuantity(authorization.r),
    s: formatQuantity(authorization.s),
  }
}

import type { Common } from '@ethereumjs/common'
import { toChecksumAddress } from '@ethereumjs/util'
import type { BlockEnvironment } from './block-environment.ts'
import { isDelegation } from './delegation.ts'
import { isImpersonated } from './encoding/transaction-codec.ts'
import { TransactionError } from './engine.ts'
import { computeFloorGas, computeIntrinsicGas, countBlobGas } from './intrinsic-gas.ts'
import type { State } from './state/state.ts'
import { EMPTY_CODE_HASH, equalBytes } from './state/state-reader.ts'
import type { Transaction } from './transaction.ts'
import { assertAllowed } from './transaction-limits.ts'

/** EIP-2681. */
const LAST_NONCE = 2n ** 64n - 1n

/**
 * Says in geth's words why a transaction cannot be next in a block, or null where it can. Whether there is room for its gas
 * is not looked at.
 */
export function checkTransaction(
  common: Common,
  state: State,
  environment: BlockEnvironment,
  transaction: Transaction,
  sender: Uint8Array,
): string | null {
  const account = state.readAccount(sender)
  const nonce = account?.nonce ?? 0n
  if (transaction.nonce < nonce) {
    return `nonce too low: ${nameSender(transaction)}, tx: ${transaction.nonce} state: ${nonce}`
  }
  if (transaction.nonce > nonce) {
    return `nonce too high: ${nameSender(transaction)}, tx: ${transaction.nonce} state: ${nonce}`
  }
  if (nonce === LAST_NONCE)
    return `nonce has max value: ${nameSender(transaction)}, nonce: ${nonce}`
  return (
    checkForm(common, transaction) ??
    (isImpersonated(transaction) ? null : checkSender(common, state, transaction, sender)) ??
    checkFees(common, environment, transaction) ??
    checkGas(common, transaction) ??
    checkFunds(common, transaction, account?.balance ?? 0n)
  )
}

/** What a sender must have at least: gas and blobs at the highest price, and the value. */
export function computeHighestCost(transaction: Transaction, blobGas: bigint): bigint {
  return (
    transaction.gas * transaction.gasPrice +
    blobGas * (transaction.maxFeePerBlobGas ?? 0n) +
    transaction.value
  )
}

/** What no block of this fork takes. */
function checkForm(common: Common, transaction: Transaction): string | null {
  try {
    assertAllowed(common, transaction)
  } catch (error) {
    if (error instanceof TransactionError) return error.message
    throw error
  }
  if (transaction.type === 3 && transaction.blobVersionedHashes?.length === 0) {
    return 'blob transaction missing blob hashes'
  }
  if (transaction.type === 4 && transaction.authorizationList?.length === 0) {
    return 'EIP-7702 transaction with empty auth list'
  }
  return null
}

/** EIP-3607, and EIP-7702's exception from it. */
function checkSender(
  common: Common,
  state: State,
  transaction: Transaction,
  sender: Uint8Array,
): string | null {
  const account = state.readAccount(sender)
  if (account === null || equalBytes(account.codeHash, EMPTY_CODE_HASH)) return null
  const code = state.readCode(sender)
  if (common.isActivatedEIP(7702) && isDelegation(code)) return null
  return `sender not an eoa: ${nameSender(transaction)}, len(code): ${code.length}`
}

function checkFees(
  common: Common,
  environment: BlockEnvironment,
  transaction: Transaction,
): string | null {
  const { gasPrice, maxPriorityFeePerGas, maxFeePerBlobGas } = transaction
  if (maxPriorityFeePerGas !== undefined && maxPriorityFeePerGas > gasPrice) {
    return `max priority fee per gas higher than max fee per gas: ${nameSender(transaction)}, maxPriorityFeePerGas: ${maxPriorityFeePerGas}, maxFeePerGas: ${gasPrice}`
  }
  if (common.isActivatedEIP(1559) && gasPrice < environment.baseFee) {
    return `max fee per gas less than block base fee: ${nameSender(transaction)}, maxFeePerGas: ${gasPrice}, baseFee: ${environment.baseFee}`
  }
  if (maxFeePerBlobGas !== undefined && maxFeePerBlobGas < environment.blobGasPrice) {
    return `max fee per blob gas less than block blob gas fee: ${nameSender(transaction)} blobGasFeeCap: ${maxFeePerBlobGas}, blobBaseFee: ${environment.blobGasPrice}`
  }
  return null
}

function checkGas(common: Common, transaction: Transaction): string | null {
  const { gas, input } = transaction
  const intrinsic = computeIntrinsicGas(common, transaction)
  if (gas < intrinsic) return `intrinsic gas too low: have ${gas}, want ${intrinsic}`
  const floor = computeFloorGas(common, input)
  if (gas < floor) return `insufficient gas for floor data gas cost: have ${gas}, want ${floor}`
  return null
}

function checkFunds(common: Common, transaction: Transaction, balance: bigint): string | null {
  const cost = computeHighestCost(transaction, countBlobGas(common, transaction))
  if (balance >= cost) return null
  return `insufficient funds for gas * price + value: ${nameSender(transaction)} have ${balance} want ${cost}`
}

/** Takes a hash, so that it is done for errors alone. */
function nameSender({ from }: Transaction): string {
  return `address ${toChecksumAddress(from)}`
}

import { encodeHex } from '../codec/hex.ts'
import { CallError, TransactionError } from '../engine/engine.ts'
import { SimulationError } from '../engine/simulation/simulation-error.ts'
import { KeystoreError } from '../keystore/keystore.ts'
import { PoolError } from '../pool/pool.ts'
import { EXECUTION_REVERTED, RpcError, SERVER_ERROR } from '../rpc/rpc-error.ts'

/** What a caller is told of a failure that the parts of the node know; null for a fault of the node itself. */
export function describeError(error: unknown): RpcError | null {
  if (error instanceof RpcError) return error
  if (error instanceof CallError && error.reverted) {
    return new RpcError(EXECUTION_REVERTED, error.message, encodeHex(error.reverted))
  }
  if (error instanceof SimulationError) return new RpcError(error.code, error.message)
  if (
    error instanceof CallError ||
    error instanceof TransactionError ||
    error instanceof PoolError ||
    error instanceof KeystoreError
  ) {
    return new RpcError(SERVER_ERROR, error.message)
  }
  return null
}

import { describeError } from '../methods/describe-error.ts'
import type { MethodTable } from '../rpc/method.ts'
import { createRpc } from '../rpc/rpc.ts'

/** What a caller reads in an answer. */
export interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string }
}

/** Calls a method of a table through JSON text, as a client without a connection does. A fault of the node is thrown. */
export function callMethod(
  table: MethodTable,
  method: string,
  ...params: unknown[]
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const rpc = createRpc({ table, describeError, onFault: reject })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    rpc.handle(body, null, text => {
      const { result, error } = JSON.parse(text ?? '{}')
      resolve(error ? { error } : { result })
    })
  })
}

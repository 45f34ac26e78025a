import { JsonText } from './method.ts'
import type { RpcError } from './rpc-error.ts'

/** @param id - JSON text */
export function formatResult(id: string, result: unknown): string {
  const text = result instanceof JsonText ? result.text : (JSON.stringify(result) ?? 'null')
  return `{"jsonrpc":"2.0","id":${id},"result":${text}}`
}

/** @param id - JSON text */
export function formatError(id: string, { code, message, data }: RpcError): string {
  const error = data === undefined ? { code, message } : { code, message, data }
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`
}

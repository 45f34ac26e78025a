/** Codes of JSON-RPC 2.0, and the two that geth adds to them. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const SERVER_ERROR = -32000
export const RESPONSE_TOO_LARGE = -32003
export const LIMIT_EXCEEDED = -32005
/** A call was reverted; `data` is what it returned. */
export const EXECUTION_REVERTED = 3

/** What a caller is told: `code`, the text, and for reverts the data. Everything else that is thrown is a fault of the node. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: string | undefined

  constructor(code: number, message: string, data?: string) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** A parameter that cannot be read. The text says what is wrong with it; its position is put before it by who reads the parameters. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

import { Agent, request } from 'node:http'

/** Calls a JSON-RPC method of bitcoind and resolves its `result`; rejects with RpcError in the node's words. */
export type Rpc = <Result = unknown>(method: string, params?: unknown[]) => Promise<Result>

export class RpcError extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}

export interface RpcClient {
  rpc: Rpc
  close(): void
}

/** `credentials` is `user:password`, as in the node's cookie file; `path` is `/wallet/NAME` for one of several wallets. */
export function createRpcClient(port: number, credentials: string, path = '/'): RpcClient {
  const agent = new Agent({ keepAlive: true })
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  const post = (body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const call = request(
        {
          host: '127.0.0.1',
          port,
          path,
          method: 'POST',
          agent,
          headers: { authorization, 'content-type': 'application/json' },
        },
        response => {
          const chunks: Buffer[] = []
          response.on('data', chunk => chunks.push(chunk))
          response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
          response.on('error', reject)
        },
      )
      call.on('error', reject)
      call.end(body)
    })
  return {
    async rpc<Result>(method: string, params: unknown[] = []) {
      const text = await post(JSON.stringify({ jsonrpc: '1.0', id: 0, method, params }))
      let answer: { result: Result; error: { code: number; message: string } | null }
      try {
        answer = JSON.parse(text)
      } catch {
        throw new RpcError(-32700, `bitcoind answered ${method} with: ${text.slice(0, 200)}`)
      }
      if (answer.error) throw new RpcError(answer.error.code, answer.error.message)
      return answer.result
    },
    close: () => agent.destroy(),
  }
}

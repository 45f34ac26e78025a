import type { Hex } from '../codec/hex.ts'

export interface Call {
  readonly method: string
  readonly params: readonly unknown[]
}

/** Answers to calls, in their order; more than one are sent as a batch. Throws `TypeError` where the server is gone. */
export async function askEach<T>(url: string, calls: readonly Call[]): Promise<Answer<T>[]> {
  const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }))
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(requests.length === 1 ? requests[0] : requests),
  })
  return [(await response.json()) as Answer<T> | Answer<T>[]].flat() as Answer<T>[]
}

/** Results of calls. Throws `RefusedError` with the first error that is answered, and `TypeError` as `askEach` does. */
export async function askAll<T>(url: string, calls: readonly Call[]): Promise<T[]> {
  const answers = await askEach<T>(url, calls)
  return answers.map(({ error, result }, index) => {
    if (error) throw new RefusedError(`${calls[index]?.method}: ${error.code} ${error.message}`)
    return result
  })
}

interface Answer<T> {
  readonly result: T
  readonly error?: { readonly code: number; readonly message: string }
}

export const formatQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** An error that a server answered. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

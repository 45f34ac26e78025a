/** What has to be answered: the id of each response; null where there must be no answer. */
export type Expectation =
  | { readonly single: ExpectedResponse }
  | { readonly batch: readonly ExpectedResponse[] }
  | null

interface ExpectedResponse {
  readonly id: unknown
  /** Where the request itself is wrong. */
  readonly code?: number
}

const MAX_BATCH = 1000
/** Of Go's encoding/json. */
const MAX_DEPTH = 10_000

function measureDepth(text: string): number {
  let depth = 0
  let deepest = 0
  for (const bracket of text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/gs, '').match(/[[\]{}]/g) ?? []) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** Tells by JSON-RPC 2.0 what a body asks for; as in the specification's samples `jsonrpc` may be missing. */
export function expectAnswer(body: Uint8Array): Expectation {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  let value: unknown
  try {
    value = measureDepth(text) > MAX_DEPTH ? JSON.parse('') : JSON.parse(text)
  } catch {
    return { single: { id: null, code: -32700 } }
  }
  if (!Array.isArray(value)) {
    const single = expectResponse(value)
    return single && { single }
  }
  if (value.length === 0) return { single: { id: null, code: -32600 } }
  const batch = value.map(expectResponse)
  if (value.length > MAX_BATCH) {
    const call = batch.find(expected => expected !== null && expected.code === undefined)
    return { batch: [{ id: call?.id ?? null, code: -32600 }] }
  }
  const answered = batch.filter(expected => expected !== null)
  return answered.length > 0 ? { batch: answered } : null
}

function expectResponse(value: unknown): ExpectedResponse | null {
  const wrong = { id: null, code: -32600 }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong
  const read = (key: string) => Object.getOwnPropertyDescriptor(value, key)?.value
  const [version, id, method] = ['jsonrpc', 'id', 'method'].map(read)
  const isNamed = id === null || typeof id === 'string' || typeof id === 'number'
  if (id !== undefined && !isNamed) return wrong
  const isCall =
    (version === undefined || version === '2.0') && typeof method === 'string' && method !== ''
  if (isCall) return isNamed ? { id } : null
  return { ...wrong, id: isNamed ? id : null }
}

/** What is wrong with an answer; null where it is what JSON-RPC 2.0 asks for. */
export function findFault(expected: Expectation, answer: string): string | null {
  if (expected === null) return answer === '' ? null : 'a notification was answered'
  let value: unknown
  try {
    value = JSON.parse(answer)
  } catch {
    return 'the answer is not JSON'
  }
  if ('single' in expected) return findResponseFault(expected.single, value)
  if (!Array.isArray(value)) return 'the answer to a batch is not an array'
  if (value.length !== expected.batch.length) return 'the batch has another number of answers'
  for (const [i, one] of expected.batch.entries()) {
    const fault = findResponseFault(one, value[i])
    if (fault) return fault
  }
  return null
}

function findResponseFault(expected: ExpectedResponse, value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'the response is not an object'
  }
  const { jsonrpc, id, result, error, ...rest } = value as Record<string, unknown>
  if (jsonrpc !== '2.0') return 'jsonrpc is not 2.0'
  if (!Object.is(id, expected.id)) return `the id is ${id}, not ${expected.id}`
  if (Object.keys(rest).length > 0) return `there is also ${Object.keys(rest)}`
  if (error === undefined) {
    if (result === undefined) return 'there is neither result nor error'
    return expected.code === undefined ? null : 'what is no request has a result'
  }
  if (result !== undefined) return 'there are both result and error'
  if (typeof error !== 'object' || error === null) return 'the error is not an object'
  const { code, message, data: _, ...others } = error as Record<string, unknown>
  if (!Number.isInteger(code)) return 'the code is not an integer'
  if (typeof message !== 'string' || message === '') return 'the message is not a text'
  if (Object.keys(others).length > 0) return `the error has also ${Object.keys(others)}`
  if (code === -32603) return 'an error inside the node'
  return expected.code === undefined || expected.code === code
    ? null
    : `the code is ${code}, not ${expected.code}`
}

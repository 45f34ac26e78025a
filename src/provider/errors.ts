import type { Network } from '../bitcoin/network.ts'

/** Codes that a page can see; the table is in the README. */
export type ProviderErrorCode =
  | 4001
  | 4100
  | 4200
  | 4900
  | -32000
  | -32002
  | -32005
  | -32601
  | -32602
  | -32603

/** Why a known failure (-32000) happened; `data.reason` of the error. */
export type FailureReason =
  | 'INSUFFICIENT_FUNDS'
  | 'COINS_HELD'
  | 'PROTECTED_ASSET'
  | 'TOO_LARGE'
  | 'PLAN_OUTDATED'
  | 'BUMP_IMPOSSIBLE'
  | 'WATCHED_ONLY'
  | 'DEVICE_CANNOT'
  | 'SEVERAL_SIGNERS'
  | 'TOO_MANY_PAYMENTS'
  | 'SILENT_PAYMENT_IMPOSSIBLE'
  | 'BROADCAST_REJECTED'
  | 'BACKEND_UNAVAILABLE'
  | 'UNVERIFIED_INPUT'
  | 'SIGHASH_REFUSED'
  | 'NOT_OURS'
  | 'NOTHING_TO_SIGN'
  | 'MESSAGE_IN_PSBT'
  | 'BAD_AMOUNTS'
  | 'BAD_SIGNATURE'
  | 'ABSURD_FEE'
  | 'ACCOUNT_EXISTS'
  | 'LAST_ACCOUNT'
  | 'NO_ORDINALS_ADDRESS'
  | 'ONE_ADDRESS_ONLY'
  | 'NO_PHRASE'
  | 'PHRASE_EXISTS'
  | 'JOBS_UNDER_WAY'
  | 'TOO_MANY_PHRASES'
  | 'ELECTRUM_PHRASE'
  | 'NAME_TAKEN'

export type WireErrorData = { [key: string]: WireFact | WireFact[] }

type WireFact = string | number | boolean | null | { [key: string]: string | number }

/** An error as it crosses to the page. */
export type WireError = { code: number; message: string; data?: WireErrorData }

/** The only errors that a page can see. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly code: ProviderErrorCode
  readonly data: WireErrorData | undefined
  constructor(
    code: ProviderErrorCode,
    message: string,
    options?: ErrorOptions & { data?: WireErrorData },
  ) {
    super(message, options)
    this.code = code
    this.data = options?.data
  }
}

/** The person said no, closed the window, or let the request expire. Never used for a failure. */
export function userRejected(): ProviderError {
  return new ProviderError(4001, 'User rejected the request.')
}

/** This origin is not connected to the account it asks about. */
export function unauthorized(message = 'Not connected. Call connect() first.'): ProviderError {
  return new ProviderError(4100, message)
}

/** The wallet cannot answer at all: it is not set up, or what it stored is damaged. */
export function notReady(message: string): ProviderError {
  return new ProviderError(4900, message)
}

/** The page called for one network alone, and another is in use. */
export function wrongNetwork(inUse: Network, wanted: Network): ProviderError {
  const [here, there] = [inUse, wanted].map(name => `${name[0]?.toUpperCase()}${name.slice(1)}`)
  const message = `The wallet is on ${here}. Choose ${there} in Satchel and try again.`
  return new ProviderError(4200, message)
}

export function unknownMethod(method: string): ProviderError {
  return new ProviderError(-32601, `Unknown method: ${method}`)
}

/** Invalid parameter: names the field, the kind of value that came, and what was expected. */
export function invalidParams(
  field: string,
  got: unknown,
  expected: string,
  data?: WireErrorData,
): ProviderError {
  const message = `${field}: expected ${expected}, got ${describeValue(got)}`
  return new ProviderError(-32602, message, data && { data })
}

/** There is no room for another request: of this origin, or of all pages together. */
export function tooManyPending(): ProviderError {
  return new ProviderError(
    -32002,
    'Too many requests are waiting for an answer. Try again when some have theirs.',
  )
}

/** The origin asks faster than it may. `data.retryAfter` is in seconds. */
export function rateLimited(waitMs: number): ProviderError {
  const retryAfter = Math.ceil(waitMs / 1000)
  const message = `Too many requests. Slow down and try again in ${retryAfter} s.`
  return new ProviderError(-32005, message, { data: { retryAfter } })
}

/** The operation failed; `reason` is what a page can tell cases apart by, in `data.reason`. */
export function failure(
  reason: FailureReason,
  message: string,
  options?: ErrorOptions & { data?: WireErrorData },
): ProviderError {
  return new ProviderError(-32000, message, { ...options, data: { reason, ...options?.data } })
}

/** The kind of a value, and the value itself where it is short and harmless. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'string') {
    return value.length <= 40
      ? `the string ${JSON.stringify(value)}`
      : `a string of ${value.length} characters`
  }
  if (typeof value === 'number' || typeof value === 'boolean') return `the ${typeof value} ${value}`
  return `a value of type ${typeof value}`
}

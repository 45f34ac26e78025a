import type { Network } from '../../bitcoin/network.ts'
import type { Request } from '../../provider/envelope.ts'
import { invalidParams } from '../../provider/errors.ts'
import { parseNetwork } from '../../provider/first-params.ts'
import type { MethodName } from '../../provider/method-names.ts'
import type { PagePort } from './pages.ts'
import { isConnection, type StoredRequest } from './requests.ts'

/** `purpose` is the operation that it is a step of, for one that the wallet makes itself. */
export type ServedRequest = Request & { purpose?: MethodName }

/** Characters of JSON: PSBTs of 4 MB in hex, with options for each input. */
export const MAX_PARAMS_LENGTH = 4_800_000

/** Values in lists and objects, at any depth: options for 50,000 inputs have some 300,000. */
const MAX_PARAMS_VALUES = 400_000
const MAX_PARAMS_DEPTH = 20

/**
 * A request with an id, or null for anything else; the content script is not trusted. Ids with a slash are the router's own.
 */
export function readRequest(message: unknown): Request | null {
  const { id, method, params, network } = Object(message)
  if (typeof id !== 'string' || id.length === 0 || id.length > 64 || id.includes('/')) return null
  if (typeof method !== 'string' || !Array.isArray(params)) return null
  return { id, method: method.slice(0, 64), params, ...(network !== undefined && { network }) }
}

/** The network that the call is for alone, if there is one. Throws -32602. */
export function parseWantedNetwork(network: string | undefined): Network | null {
  return network === undefined ? null : parseNetwork('network', network)
}

/**
 * Characters of JSON that the parameters have, escapes not counted. Looks at no text and stops at the limits, so that it
 * costs little whatever comes. Throws -32602 beyond them.
 */
export function measureParams(params: readonly unknown[]): number {
  let length = 0
  let values = 0

  function add(value: unknown, depth: number): void {
    values++
    if (typeof value === 'string') length += value.length + '"",'.length
    else if (typeof value !== 'object' || value === null) length += `${value},`.length
    else {
      length += '[],'.length
      assertWithin(depth + 1)
      if (Array.isArray(value)) for (const item of value) add(item, depth + 1)
      else {
        for (const name of Object.keys(value)) {
          length += name.length + '"":'.length
          add(value[name as keyof typeof value], depth + 1)
        }
      }
    }
    assertWithin(depth)
  }

  function assertWithin(depth: number): void {
    if (length > MAX_PARAMS_LENGTH) throw tooLong(params)
    if (values > MAX_PARAMS_VALUES || depth > MAX_PARAMS_DEPTH) {
      throw invalidParams(
        'params',
        params,
        `at most ${MAX_PARAMS_VALUES} values, ${MAX_PARAMS_DEPTH} levels deep`,
      )
    }
  }

  add(params, 0)
  return length
}

/** Throws -32602 for more than is stored, as it is written. */
export function assertStorable(params: readonly unknown[]): void {
  if (JSON.stringify(params).length > MAX_PARAMS_LENGTH) throw tooLong(params)
}

function tooLong(params: readonly unknown[]) {
  return invalidParams('params', params, `at most ${MAX_PARAMS_LENGTH} characters of JSON`)
}

/** Parameters in excess are not stored: methods without any have none, whatever a page hands them. */
export function describeRequest(
  { origin, tabId, frameId }: PagePort,
  { id, params, purpose }: ServedRequest,
  key: string,
  method: MethodName,
  createdAt: number,
): StoredRequest {
  const stored = isConnection({ method }) ? [] : params
  assertStorable(stored)
  return {
    key,
    origin,
    tabId,
    frameId,
    id,
    method,
    purpose: purpose ?? method,
    params: stored,
    createdAt,
    accountId: null,
    network: null,
    review: null,
    digest: null,
    approvedDigest: null,
    input: null,
    journal: {},
    outcome: null,
  }
}

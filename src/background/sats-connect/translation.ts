// sats-connect: The requests of sats-connect, each worked out with operations that the page could have called
// itself. It promises that nothing can be done in these words that could not be done in ours; it never touches a
// part of the wallet.

import type { Request } from '../../provider/envelope.ts'
import {
  ProviderError,
  type ProviderErrorCode,
  unauthorized,
  unknownMethod,
  userRejected,
  type WireError,
} from '../../provider/errors.ts'
import type { MethodName } from '../../provider/method-names.ts'
import type { Methods } from '../../provider/methods.ts'
import type { PagePort } from '../requests/pages.ts'
import type { ServedRequest } from '../requests/router.ts'
import { findRequest } from './requests.ts'

/** What requests of sats-connect have before their own name. */
const PREFIX = 'satsConnect.'

type Serve = (
  port: PagePort,
  request: ServedRequest,
) => Promise<{ result: unknown } | { error: WireError }>

/** Told by the prefix of its method. */
export function isSatsConnect({ method }: Request): boolean {
  return method.startsWith(PREFIX)
}

/**
 * Resolves sats-connect's own result of a request, worked out with operations that the page could have called itself. They go
 * through `serve` under the ids `<id>/0`, `<id>/1` and so on, and are stored and found again like any other; so a request
 * that is sent again asks and sends nothing twice. Throws what the page gets instead.
 */
export async function translate(
  port: PagePort,
  { id, method, params }: Request,
  {
    serve,
    mayAsk,
    isOpen,
  }: { serve: Serve; mayAsk(): Promise<boolean>; isOpen(port: PagePort): boolean },
): Promise<unknown> {
  const name = method.slice(PREFIX.length)
  const request = findRequest(name)
  if (!request) throw unknownMethod(name)
  let count = 0
  const step = async <M extends MethodName>(method: M, params: unknown[], purpose: MethodName) => {
    const inner = { id: `${id}/${count++}`, method, params, purpose }
    // Nobody is asked for a page that has left between two of them.
    if (!isOpen(port)) throw userRejected()
    const outcome = await serve(port, inner)
    if ('error' in outcome) throw fromWireError(outcome.error)
    return outcome.result as Methods[M]['result']
  }
  const call = <M extends MethodName>(method: M, ...params: unknown[]) =>
    step(method, params, method)
  async function requireAddress(purpose: MethodName): Promise<string> {
    if (!(await mayAsk())) throw unauthorized()
    // Always, so that the calls after it have the same ids when all of it runs again.
    return (await step('connect', [], purpose)).address
  }
  return request({ origin: port.origin, call, requireAddress }, params[0])
}

function fromWireError({ code, message, data }: WireError): ProviderError {
  return new ProviderError(code as ProviderErrorCode, message, data && { data })
}

import { InvalidServerUrlError } from '../chain/access/http.ts'
import { BackendUnavailableError } from '../chain/chain-source.ts'
import { invalidParams, unknownMethod, type WireError } from '../provider/errors.ts'
import { toWireError } from './requests/wire-error.ts'
import type { UiContext, UiMethod } from './ui-methods/ui-context.ts'
import type { UiMethodName } from './ui-methods/ui-methods.ts'
import { uiMethods } from './views/ui-method-table.ts'

/** Answers `{ ui: method, params }` of our own pages with `{ result }` or `{ error }`. */
export function createUiRouter(
  context: UiContext,
  log: (message: string, error: unknown) => void,
): (message: unknown) => Promise<{ result: unknown } | { error: WireError }> {
  return async message => {
    try {
      const { ui, params } = readMessage(message)
      const method = uiMethods[ui] as UiMethod<UiMethodName>
      return { result: await method(context, params as Parameters<typeof method>[1]) }
    } catch (cause) {
      const error = toWireError(
        cause instanceof InvalidServerUrlError
          ? invalidParams('url', cause.message, 'https://… or http://127.0.0.1')
          : cause,
      )
      if (error.code === -32603) log('A popup method failed', cause)
      return { error: withServerProblem(error, cause) }
    }
  }
}

/** Which server it is, and what it said, is for our own pages alone: `kind`, `host`, `detail` and `retryInMs` of the data. */
function withServerProblem(error: WireError, cause: unknown): WireError {
  if (cause instanceof BackendUnavailableError) {
    return { ...error, data: { ...error.data, ...cause.problem } }
  }
  return cause instanceof Error ? withServerProblem(error, cause.cause) : error
}

function readMessage(message: unknown): { ui: UiMethodName; params: unknown } {
  const { ui, params } = Object(message)
  if (typeof ui !== 'string' || !Object.hasOwn(uiMethods, ui)) throw unknownMethod(String(ui))
  return { ui: ui as UiMethodName, params: params ?? null }
}

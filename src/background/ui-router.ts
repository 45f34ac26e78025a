import { InvalidServerUrlError } from '../chain/access/http.ts'
import { BackendUnavailableError } from '../chain/chain-source.ts'
import { invalidParams, unknownMethod, type WireError } from '../provider/errors.ts'
import { toWireError } from './requests/wire-error.ts'
import type { UiContext, UiMethod } from './ui-methods/ui-context.ts'
import { type UiParts, uiMethods } from './ui-methods/ui-method-table.ts'
import type { UiMethodName } from './views/ui-methods.ts'

/**
 * Answers `{ ui: method, params }` of our own pages with `{ result }` or `{ error }`, and never throws. Who may send such a
 * message is checked by the listener in background.ts. An error that is a bug (-32603) goes to `log`.
 */
export function createUiRouter(
  context: UiContext<UiParts>,
  log: (message: string, error: unknown) => void,
): (message: unknown) => Promise<{ result: unknown } | { error: WireError }> {
  return async message => {
    try {
      const { ui, params } = parseMessage(message)
      const method = uiMethods[ui] as UiMethod<UiMethodName, UiParts>
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

/** Adds which server failed and how to the error's data. Sites never get this, only our own pages. */
function withServerProblem(error: WireError, cause: unknown): WireError {
  if (cause instanceof BackendUnavailableError) {
    return { ...error, data: { ...error.data, ...cause.problem } }
  }
  return cause instanceof Error ? withServerProblem(error, cause.cause) : error
}

/** Throws -32601 for a method that does not exist. */
function parseMessage(message: unknown): { ui: UiMethodName; params: unknown } {
  const { ui, params } = Object(message)
  if (typeof ui !== 'string' || !Object.hasOwn(uiMethods, ui)) throw unknownMethod(String(ui))
  return { ui: ui as UiMethodName, params: params ?? null }
}

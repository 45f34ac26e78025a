import { InvalidServerUrlError } from '../chain/access/invalid-server-url.ts'
import { BackendUnavailableError } from '../chain/chain-source.ts'
import { invalidParams, unknownMethod, type WireError } from '../provider/errors.ts'
import { NewerStorageError } from '../storage/versioned-area.ts'
import { toWireError } from './requests/wire-error.ts'
import { approvalMethods } from './ui-methods/approvals.ts'
import { stateMethods } from './ui-methods/state.ts'
import type { UiContext, UiMethod } from './ui-methods/ui-context.ts'
import type { UiParts } from './ui-methods/ui-method-table.ts'
import type { UiMethodName } from './views/ui-methods.ts'

/** What is there when the worker starts: what every screen begins with, and a decision, which takes its turn at once. */
const FIRST = { ...stateMethods, ...approvalMethods }

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
      const method = findFirst(ui) ?? (await findLater(ui))
      return { result: await method(context, params as Parameters<typeof method>[1]) }
    } catch (cause) {
      const error = await toWireError(
        cause instanceof InvalidServerUrlError
          ? invalidParams('url', cause.message, 'https://… or http://127.0.0.1')
          : cause,
      )
      if (cause instanceof NewerStorageError)
        return { error: { ...error, data: { storedBy: cause.writtenBy } } }
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

function parseMessage(message: unknown): { ui: string; params: unknown } {
  const { ui, params } = Object(message)
  return { ui: String(ui), params: params ?? null }
}

/** The other methods come with the first that is asked for. Throws -32601 for a name that is none. */
async function findLater(name: string): Promise<UiMethod<UiMethodName, UiParts>> {
  const { uiMethods } = await import('./ui-methods/ui-method-table.ts')
  if (!Object.hasOwn(uiMethods, name)) throw unknownMethod(name)
  return uiMethods[name as UiMethodName] as UiMethod<UiMethodName, UiParts>
}

function findFirst(name: string): UiMethod<UiMethodName, UiParts> | null {
  return Object.hasOwn(FIRST, name)
    ? (FIRST[name as keyof typeof FIRST] as UiMethod<UiMethodName, UiParts>)
    : null
}

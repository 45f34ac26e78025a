import type { Network } from '../../bitcoin/network.ts'
import type { AccountInfo, Request } from '../../provider/envelope.ts'
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
import { type Connected, nameNetwork, type PagePort } from './pages.ts'
import type { Translator } from './router.ts'

/** Runs an operation of the wallet as if the page had called it; throws what the page would have got. */
export type Call = <M extends MethodName>(
  method: M,
  ...params: unknown[]
) => Promise<Methods[M]['result']>

export type TranslationContext = {
  origin: string
  call: Call
  /**
   * The connected account, after the person has unlocked the wallet for this purpose if need be. Throws 4100 for a page that may
   * not ask.
   */
  requireAccount(purpose: MethodName): Promise<AccountInfo>
  /** Account and network as they are together now; never asks. Throws 4100 where the page is not connected. */
  readConnected(): Promise<Connected>
  /** The same for one network alone: what is called in it is refused with 4200 on any other. */
  on(network: Network): TranslationContext
  /** Runs what has servers look up much: only so many of one origin are at it at once, -32002 for more. */
  withinLimit<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Translates one request in another wallet's words into operations of this one, and their results back. When the worker
 * dies it runs again from its start, and calls that a person had decided have their outcome: so which calls are made, in
 * which order and with what, may follow from the parameters and from earlier results only.
 */
export type Translation = (
  context: TranslationContext,
  params: readonly unknown[],
) => Promise<unknown>

/**
 * Serves requests whose names begin with a prefix, each worked out with operations that the page could have called itself.
 * They go through the router under the ids `<id>/0`, `<id>/1` and so on, and are stored and found again like any other; so
 * a request that is sent again asks and sends nothing twice. `find` gives null for a name that is not known. `ofAccount`
 * names those that do nothing for a page that is not connected: it is refused before anybody looks at what it gives.
 */
export function createTranslator(
  prefix: string,
  find: (name: string) => Promise<Translation | null>,
  ofAccount: readonly string[],
): Translator {
  return {
    handles: ({ method }) => method.startsWith(prefix),
    needsGrant: ({ method }) => ofAccount.includes(method.slice(prefix.length)),
    async translate(port, request, { serve, mayAsk, isOpen, withinLimit, readConnected }) {
      const name = request.method.slice(prefix.length)
      const translation = await find(name)
      if (!translation) throw unknownMethod(name)
      const step = createSteps(port, request, { serve, isOpen })
      return translation(contextFor(request.network), request.params)

      function contextFor(network: string | undefined): TranslationContext {
        return {
          origin: port.origin,
          call: (method, ...params) => step(method, params, { purpose: method, network }),
          async requireAccount(purpose) {
            if (!(await mayAsk())) throw unauthorized()
            // Always, so that the calls after it have the same ids when all of it runs again.
            return step('connect', [], { purpose, network })
          },
          readConnected: () => readConnected(port, network),
          withinLimit,
          on: wanted => contextFor(nameNetwork(wanted)),
        }
      }
    },
  }
}

/** Runs calls whose parameters the page knows by other names: an error that begins with ours begins with the page's. */
export function withNames<T>(names: { [ours: string]: string }, run: () => Promise<T>): Promise<T> {
  return withNamesBy(ours => (Object.hasOwn(names, ours) ? names[ours] : undefined), run)
}

/**
 * Runs `signPsbt` for inputs that the page has named by other words: `field` is the parameter that has them all,
 * `fieldAt` that of one.
 */
export function withInputNames<T>(
  field: string,
  fieldAt: (at: number) => string | undefined,
  run: () => Promise<T>,
): Promise<T> {
  return withNamesBy(ours => {
    if (ours === 'options.toSignInputs') return field
    const at = /^options\.toSignInputs\[(\d+)\](?:\.(?:index|address))?$/.exec(ours)?.[1]
    return at === undefined ? undefined : fieldAt(Number(at))
  }, run)
}

async function withNamesBy<T>(
  nameOf: (ours: string) => string | undefined,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (!(cause instanceof ProviderError)) throw cause
    const { code, message, data } = cause
    const [ours = ''] = message.split(': ', 1)
    const theirs = nameOf(ours)
    if (theirs === undefined) throw cause
    const renamed = `${theirs}${message.slice(ours.length)}`
    throw new ProviderError(code, renamed, { cause, ...(data && { data }) })
  }
}

/** The first that handles a request translates it. */
export function joinTranslators(...translators: readonly Translator[]): Translator {
  const find = (request: Request) => translators.find(({ handles }) => handles(request))
  return {
    handles: request => find(request) !== undefined,
    needsGrant: request => find(request)?.needsGrant(request) ?? false,
    translate: async (port, request, deps) => find(request)?.translate(port, request, deps),
  }
}

function createSteps(
  port: PagePort,
  { id }: Request,
  { serve, isOpen }: Pick<Parameters<Translator['translate']>[2], 'serve' | 'isOpen'>,
) {
  let count = 0
  return async <M extends MethodName>(
    method: M,
    params: unknown[],
    { purpose, network }: { purpose: MethodName; network: string | undefined },
  ) => {
    // What is asked for one network alone is translated into calls for that one.
    const inner = {
      id: `${id}/${count++}`,
      method,
      params,
      purpose,
      ...(network !== undefined && { network }),
    }
    // Nobody is asked for a page that has left between two of them.
    if (!isOpen(port)) throw userRejected()
    const outcome = await serve(port, inner)
    if ('error' in outcome) throw fromWireError(outcome.error)
    return outcome.result as Methods[M]['result']
  }
}

function fromWireError({ code, message, data }: WireError): ProviderError {
  return new ProviderError(code as ProviderErrorCode, message, data && { data })
}

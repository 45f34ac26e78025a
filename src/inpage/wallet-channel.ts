// inpage: `window.satchel` and the names by which pages find a wallet. It runs in pages, among their code: it
// takes what it uses of the language before any page script runs (`primordials.ts`), hands out frozen objects, and
// never trusts a prototype. It holds no secret and decides nothing.

import type { PageState } from '../provider/envelope.ts'
import type { WireError } from '../provider/errors.ts'
import type { Emitter } from './emitter.ts'
import {
  createId,
  createTable,
  freeze,
  getPrototypeOf,
  PristinePromise,
  parse,
  setPrototypeOf,
  stringify,
} from './primordials.ts'
import { toError } from './provider-error.ts'
import { encodeParams } from './snapshot.ts'

/** Takes the answer to a call; the error has no prototype. */
export type Answer = (error: WireError | undefined, result?: unknown) => void

export type Done = (value: unknown) => void
export type Fail = (reason: unknown) => void

/** Called with each state; `before` is undefined for the first, which is no change. */
export type Watcher = (before: PageState | undefined, after: PageState) => void

type Message = {
  id?: string
  result?: unknown
  error?: WireError
  state?: PageState
  alias?: boolean
}

export type WalletChannel = ReturnType<typeof createWalletChannel>

/**
 * A page's channel to the wallet, shared by every object that stands for the wallet in the page. `post` takes the JSON
 * text of a `Request`, or of `{}` to ask only for the state; `receive` takes the JSON text of each
 * `BackgroundMessage`, and of the content script's own word that the page is to have the aliases (true) or may be (false).
 */
export function createWalletChannel(deps: {
  post: (text: string) => void
  onAlias?: (isSure: boolean) => void
}) {
  const { post, onAlias } = deps
  const calls = createTable<Answer>()
  const watchers = createTable<Watcher>()
  let watcherCount = 0
  let state: PageState | undefined
  let stateRequested = false

  /** Where a `network` is named, the wallet refuses the call on any other. Throws -32602 for arguments that cannot be sent. */
  function call(
    method: string,
    params: readonly unknown[],
    answer: Answer,
    network?: string,
  ): void {
    const id = createId()
    const only = network ? `,"network":"${network}"` : ''
    const text = `{"id":"${id}","method":${stringify(method)},"params":${encodeParams(params)}${only}}`
    calls[id] = answer
    post(text)
  }

  /** Like `call`, with an `Error` of the page's, also for arguments that cannot be sent. */
  function ask(
    method: string,
    params: readonly unknown[],
    done: Done,
    fail: Fail,
    network?: string,
  ): void {
    try {
      call(
        method,
        params,
        (error, result) => (error ? fail(toError(error)) : done(result)),
        network,
      )
    } catch (error) {
      fail(error)
    }
  }

  function requestState(): void {
    if (stateRequested) return
    stateRequested = true
    post('{}')
  }

  function receive(text: string): void {
    const message: Message = setPrototypeOf(parse(text), null)
    const { id, error, result, alias } = message
    if (message.state) {
      // What an account has not must not come from a prototype of the page's.
      if (message.state.account) setPrototypeOf(message.state.account, null)
      applyState(setPrototypeOf(message.state, null))
    }
    if (alias !== undefined) onAlias?.(alias)
    if (id === undefined) return
    const answer = calls[id]
    delete calls[id]
    answer?.(error && setPrototypeOf(error, null), result)
  }

  function applyState(next: PageState): void {
    const before = state
    // An unconnected page gets no state; it learns of another network when it is connected (again).
    if (before && !before.account && !next.account) return
    state = next
    for (let i = 0; i < watcherCount; i++) watchers[i]?.(before, next)
  }

  return {
    call,
    ask,
    request: (method: string, params: readonly unknown[], network?: string) =>
      promise((done, fail) => ask(method, params, done, fail, network)),
    requestState,
    /** Adds a listener to an event that states cause; returns what removes it. */
    listen(emitter: Emitter, event: PropertyKey, handler: unknown): () => void {
      const listener = emitter.add(event, handler, false)
      requestState()
      return freeze(() => emitter.remove(event, listener))
    },
    receive,
    state: () => state,
    /** Watchers are called in the order in which they were added; a late one is called at once with the current state. */
    watch(watcher: Watcher): void {
      watchers[watcherCount++] = watcher
      if (state) watcher(undefined, state)
    },
  }
}

/**
 * A promise of the page. It resolves with the value itself: while `resolve` looks for a `then`, no prototype can
 * offer one. What `run` throws at once rejects it.
 */
export function promise(run: (done: Done, fail: Fail) => void): Promise<unknown> {
  return new PristinePromise((resolve, reject) =>
    run(value => {
      const prototype = typeof value === 'object' && value ? getPrototypeOf(value) : undefined
      if (prototype) setPrototypeOf(value, null)
      resolve(value)
      if (prototype) setPrototypeOf(value, prototype)
    }, reject),
  )
}

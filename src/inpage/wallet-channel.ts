// inpage: `window.satchel` and the names by which pages find a wallet. It runs in pages, among their code: it
// takes what it uses of the language before any page script runs (`primordials.ts`), hands out frozen objects, and
// never trusts a prototype. It holds no secret and decides nothing.

import type { PageState } from '../provider/envelope.ts'
import type { WireError } from '../provider/errors.ts'
import { createId } from './bytes.ts'
import type { Emitter } from './emitter.ts'
import {
  freeze,
  getPrototypeOf,
  PristinePromise,
  parse,
  setPrototypeOf,
  stringify,
} from './primordials.ts'
import { createError } from './provider-error.ts'
import { encodeParams } from './snapshot.ts'
import { type Table, withoutPrototype } from './tables.ts'

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
}

export type WalletChannel = ReturnType<typeof createWalletChannel>

/**
 * A page's channel to the wallet, shared by every object that stands for the wallet in the page. `post` takes the JSON
 * text of a `Request`, or of `{}` to ask only for the state; `receive` takes the JSON text of each `BackgroundMessage`.
 */
export function createWalletChannel({ post }: { post: (text: string) => void }) {
  const calls: Table<Answer> = withoutPrototype({})
  const watchers: Watcher[] = withoutPrototype([])
  let state: PageState | undefined
  let opened = false

  /** Where a `network` is named, the wallet refuses the call on any other. Throws -32602 for arguments that cannot be sent. */
  function call(
    method: string,
    params: readonly unknown[],
    answer: Answer,
    network?: string | null,
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
    done: (result: never) => void,
    fail: Fail,
    network?: string | null,
  ): void {
    try {
      call(
        method,
        params,
        (error, result) =>
          error ? fail(createError(error.code, error.message, error.data)) : done(result as never),
        network,
      )
    } catch (error) {
      fail(error)
    }
  }

  /** Asks for the state, once: it then comes with each change. */
  function open(): void {
    if (opened) return
    opened = true
    post('{}')
  }

  function receive(text: string): void {
    const message: Message = parse(text)
    const { id = '', error, result, state: next } = withoutPrototype(message)
    if (next) applyState(withoutPrototype(next))
    const answer = calls[id]
    delete calls[id]
    answer?.(error && withoutPrototype(error), result)
  }

  function applyState(next: PageState): void {
    const before = state
    // What an account has not must not come from a prototype of the page's.
    if (next.account) withoutPrototype(next.account)
    // An unconnected page gets no state; it learns of another network when it is connected (again).
    else if (before && !before.account) return
    state = next
    for (let i = 0; i < watchers.length; i++) watchers[i]?.(before, next)
  }

  return {
    call,
    ask,
    open,
    /** Adds a listener to an event that states cause; returns what removes it. */
    listen(emitter: Emitter, event: PropertyKey, handler: unknown): () => void {
      const listener = emitter.add(event, handler)
      open()
      return freeze(() => emitter.remove(event, listener))
    },
    receive,
    state: () => state,
    /** Watchers are called in the order in which they were added; a late one is called at once with the current state. */
    watch(watcher: Watcher): void {
      watchers[watchers.length] = watcher
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
      const prototype = value && getPrototypeOf(value)
      if (prototype) setPrototypeOf(value, null)
      resolve(value)
      if (prototype) setPrototypeOf(value, prototype)
    }, reject),
  )
}

import type { AccountInfo, PageState } from '../provider/envelope.ts'
import type { WireError } from '../provider/errors.ts'
import { METHOD_NAMES } from '../provider/method-names.ts'
import { createEmitter } from './emitter.ts'
import {
  createId,
  createTable,
  defineProperty,
  freeze,
  getPrototypeOf,
  PristinePromise,
  parse,
  setPrototypeOf,
  stringify,
} from './primordials.ts'
import { toError } from './provider-error.ts'
import { encodeParams } from './snapshot.ts'
import { announceChange, copyAccount } from './state-events.ts'

type Call = { resolve: (value: unknown) => void; reject: (reason: Error) => void }

type Message = { id?: string; result?: unknown; error?: WireError; state?: PageState }

/**
 * The frozen `bitcoin` object of a page. `post` takes the JSON text of a `Request`, or of `{}` to ask
 * only for the state; `receive` takes the JSON text of each `BackgroundMessage`.
 */
export function createProvider({ post }: { post: (text: string) => void }) {
  const calls = createTable<Call>()
  const emitter = createEmitter()
  let state: PageState | undefined
  let selectedAccount: AccountInfo | null = null
  let stateRequested = false

  function request(method: string, params: readonly unknown[]): Promise<unknown> {
    return new PristinePromise((resolve, reject) => {
      const id = createId()
      const text = `{"id":"${id}","method":${stringify(method)},"params":${encodeParams(params)}}`
      calls[id] = { resolve, reject }
      post(text)
    })
  }

  function requestState(): void {
    if (stateRequested) return
    stateRequested = true
    post('{}')
  }

  function receive(text: string): void {
    const { id, error, result, state }: Message = setPrototypeOf(parse(text), null)
    if (state) applyState(setPrototypeOf(state, null))
    const call = id === undefined ? undefined : calls[id]
    if (id === undefined || !call) return
    delete calls[id]
    if (error) call.reject(toError(setPrototypeOf(error, null)))
    else settle(call.resolve, result)
  }

  function applyState(next: PageState): void {
    const before = state
    // An unconnected page hears nothing; it hears of another network when it is connected (again).
    if (before && !before.account && !next.account) return
    state = next
    selectedAccount = next.account && freeze(copyAccount(next.account))
    if (before)
      announceChange(before, next, (event, payload) => emitter.emit(event, bitcoin, payload))
  }

  function listen(event: PropertyKey, handler: unknown, once: boolean): object {
    emitter.add(event, handler, once)
    requestState()
    return bitcoin
  }

  const on = (event: PropertyKey, handler: unknown) => listen(event, handler, false)
  const off = (event: PropertyKey, handler: unknown) => {
    emitter.remove(event, handler)
    return bitcoin
  }

  const bitcoin: { [name: string]: unknown } = {
    on,
    addListener: on,
    once: (event: PropertyKey, handler: unknown) => listen(event, handler, true),
    off,
    removeListener: off,
    removeAllListeners: (event?: PropertyKey) => {
      emitter.clear(event)
      return bitcoin
    },
  }
  for (const name of METHOD_NAMES) {
    const methods = { [name]: (...params: unknown[]) => request(name, params) }
    bitcoin[name] = methods[name]
  }
  for (const name in bitcoin) freeze(bitcoin[name])
  // A page that looks whether it is connected wants to know it at its next look too.
  const get = freeze(() => {
    requestState()
    return selectedAccount
  })
  defineProperty(bitcoin, 'selectedAccount', { get, enumerable: true })
  return { bitcoin: freeze(bitcoin), receive }
}

/** Resolves with the value itself: while `resolve` looks for a `then`, no prototype can offer one. */
function settle(resolve: (value: unknown) => void, value: unknown): void {
  const prototype = typeof value === 'object' && value ? getPrototypeOf(value) : undefined
  if (prototype) setPrototypeOf(value, null)
  resolve(value)
  if (prototype) setPrototypeOf(value, prototype)
}

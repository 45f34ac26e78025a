import { apply, createTable, runSoon, setPrototypeOf } from './primordials.ts'
import { invalidArgument } from './provider-error.ts'

type Handler = (...payload: unknown[]) => unknown
type Listener = { handler: Handler; once: boolean }

/**
 * The listeners of a page, as Node's EventEmitter keeps them: a handler may be added several times,
 * a removal takes the latest one, and an event goes to those that were there when it began.
 */
export function createEmitter() {
  // Lists are never changed in place, so an event that is being delivered keeps its own.
  let lists = createTable<ArrayLike<Listener>>()

  /** Returns what removes this very addition. Throws -32602 where the handler is not a function. */
  function add(event: PropertyKey, handler: unknown, once: boolean): object {
    if (typeof handler !== 'function') {
      const message = `handler: expected a function, got ${typeof handler}`
      throw invalidArgument(message)
    }
    const list = copyWithout(lists[event], -1)
    const listener = { handler: handler as Handler, once }
    list[list.length] = listener
    lists[event] = list
    return listener
  }

  function has(event: PropertyKey): boolean {
    return !!lists[event]?.length
  }

  /** Removes one listener, named by itself or by its handler. */
  function remove(event: PropertyKey, target: unknown): void {
    const list = lists[event]
    if (!list) return
    let last = list.length - 1
    while (last >= 0 && list[last] !== target && list[last]?.handler !== target) last--
    if (last >= 0) lists[event] = copyWithout(list, last)
  }

  /** Removes the listeners of one event, or of all where no event is named. */
  function clear(event?: PropertyKey): void {
    if (event === undefined) lists = createTable()
    else delete lists[event]
  }

  /** Calls each handler with a payload of its own; what a handler throws reaches the page's error event. */
  function emit(event: PropertyKey, self: object, createPayload: () => unknown[]): void {
    const list = lists[event]
    if (!list) return
    for (let i = 0; i < list.length; i++) {
      const listener = list[i]
      if (!listener) continue
      if (listener.once) remove(event, listener)
      try {
        apply(listener.handler, self, createPayload())
      } catch (error) {
        runSoon(() => {
          throw error
        })
      }
    }
  }

  return { add, has, remove, clear, emit }
}

export type Emitter = ReturnType<typeof createEmitter>

/** A copy without the element at `index`, and without a prototype, on which a page could catch the writes. */
function copyWithout(list: ArrayLike<Listener> | undefined, index: number): Listener[] {
  const copy: Listener[] = setPrototypeOf([], null)
  if (!list) return copy
  for (let i = 0; i < list.length; i++) {
    const listener = list[i]
    if (listener && i !== index) copy[copy.length] = listener
  }
  return copy
}

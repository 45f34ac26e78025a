import { apply, runSoon } from './primordials.ts'
import { invalidArgument } from './provider-error.ts'
import { type Table, withoutPrototype } from './tables.ts'

type Handler = (...payload: unknown[]) => unknown
type Listener = { handler: Handler; once: boolean | undefined }

const NONE: ArrayLike<Listener> = withoutPrototype([])

/**
 * The listeners of a page, as Node's EventEmitter keeps them: a handler may be added several times,
 * a removal takes the latest one, and an event goes to those that were there when it began.
 */
export function createEmitter() {
  // Lists are never changed in place, so an event that is being delivered keeps its own.
  let lists: Table<ArrayLike<Listener>> = withoutPrototype({})

  function listOf(event: PropertyKey): ArrayLike<Listener> {
    return lists[event] ?? NONE
  }

  /** A copy of an event's list without the element at `index`. */
  function copyWithout(event: PropertyKey, index: number): Listener[] {
    const list = listOf(event)
    const copy: Listener[] = withoutPrototype([])
    for (let i = 0; i < list.length; i++) {
      if (i !== index) copy[copy.length] = list[i] as Listener
    }
    return copy
  }

  /** Returns what removes this very addition. Throws -32602 where the handler is not a function. */
  function add(event: PropertyKey, handler: unknown, once?: boolean): object {
    if (typeof handler !== 'function') {
      throw invalidArgument(`handler: expected a function, got ${typeof handler}`)
    }
    const list = copyWithout(event, -1)
    const listener = { handler: handler as Handler, once }
    list[list.length] = listener
    lists[event] = list
    return listener
  }

  function has(event: PropertyKey): boolean {
    return listOf(event).length > 0
  }

  /** Removes one listener, named by itself or by its handler: the latest one. */
  function remove(event: PropertyKey, target: unknown): void {
    const list = listOf(event)
    for (let i = list.length; i--; ) {
      const listener = list[i] as Listener
      if (listener === target || listener.handler === target) {
        lists[event] = copyWithout(event, i)
        return
      }
    }
  }

  /** Removes the listeners of one event, or of all where no event is named. */
  function clear(event?: PropertyKey): void {
    if (event === undefined) lists = withoutPrototype({})
    else delete lists[event]
  }

  /** Calls each handler with a payload of its own; what a handler throws reaches the page's error event. */
  function emit(event: PropertyKey, self: object, createPayload: () => unknown[]): void {
    const list = listOf(event)
    for (let i = 0; i < list.length; i++) {
      const listener = list[i] as Listener
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

/** What all functions of a part resolve comes later anyway. */
type AsyncPart<T> = { [K in keyof T]: (...args: never[]) => Promise<unknown> }

/**
 * A part of the wallet whose code is read when one of its functions is called for the first time. Where that fails, the call rejects
 * with the reason, and the next one tries again.
 */
export function laterPart<T extends AsyncPart<T>>(load: () => Promise<T>): T {
  let loading: Promise<T> | null = null
  const loadOnce = () => {
    loading ??= load().catch(error => {
      loading = null
      throw error
    })
    return loading
  }
  const call =
    (name: keyof T) =>
    (...args: never[]) =>
      loadOnce().then(part => part[name](...args))
  return new Proxy({} as T, {
    get(known, name: string & keyof T) {
      // A promise that resolved to it would take it for another promise, were there a `then`.
      if (name !== 'then') known[name] ??= call(name) as T[typeof name]
      return known[name]
    },
  })
}

import { callExpression, type Engine, poll } from './engine.ts'

/** A call that the background makes, and whether it hangs just before it or when it has been answered. */
export type HangPoint = {
  /** `fetch` in a world with hooks alone. */
  call:
    | 'fetch'
    | 'storage.local.set'
    | 'storage.session.set'
    | 'storage.session.remove'
    | 'storage.local.remove'
    | 'windows.create'
  /** Only calls whose arguments, as JSON, contain this text. */
  containing?: string
  /** The so many-th of those; the first unless said. */
  nth?: number
  /** `before`: the call is never made. `after`: it is made, and its answer never arrives. */
  when: 'before' | 'after'
}

/** Makes one later call of the background hang for ever; `reached` waits until it does. */
export async function armHangPoint(engine: Engine, point: HangPoint) {
  const expression = callExpression(installHang, [
    point.call,
    point.containing ?? '',
    point.nth ?? 1,
    point.when,
  ])
  await engine.evaluateInBackground(expression)
  return {
    reached: (timeout = 30_000): Promise<void> =>
      poll(`the background to reach ${point.when} ${point.call}`, timeout, async () =>
        (await engine.evaluateInBackground('self.hangPointReached === true')) === true
          ? undefined
          : null,
      ),
  }
}

/** Runs in the background. `chrome` and `browser` may be one object or two, so both are wrapped. */
function installHang(call: string, containing: string, nth: number, when: string): void {
  type Callable = (...args: unknown[]) => unknown
  type Holder = { [key: string]: unknown }
  const scope = globalThis as unknown as Holder
  scope.hangPointReached = false
  const path = call.split('.')
  if (call === 'fetch' && !scope.testHooks)
    throw new Error('fetch hangs in a world with hooks alone')
  const roots = call === 'fetch' ? [scope.testHooks] : [scope.chrome, scope.browser]
  const wrapped = new Set<unknown>()
  let seen = 0
  for (const root of roots) {
    let holder = root as Holder | undefined
    for (const key of path.slice(0, -1)) holder = holder?.[key] as Holder | undefined
    const key = path.at(-1) ?? ''
    if (!holder || wrapped.has(holder)) continue
    wrapped.add(holder)
    const original = holder[key] as Callable
    const owner = holder
    owner[key] = async (...args: unknown[]) => {
      const isMeant = !scope.hangPointReached && describe(args).includes(containing)
      if (!isMeant || ++seen !== nth) return original.apply(owner, args)
      // Taken at once: a second call must not hang while the first is on its way.
      if (when === 'after') await original.apply(owner, args)
      scope.hangPointReached = true
      return await new Promise(() => {})
    }
  }

  function describe(args: unknown[]): string {
    return JSON.stringify(args, (_, value: unknown) =>
      value instanceof Request ? { url: value.url, method: value.method } : value,
    )
  }
}

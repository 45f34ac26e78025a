import { startTransition, useEffect, useState } from 'react'

/**
 * Parts of the path in the page's hash: `#/send/bc1q…` is `['send', 'bc1q…']`, the start screen is `[]`.
 * A part that is badly encoded is left as it stands.
 */
export function parseRoute(hash: string): string[] {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(part => part !== '')
    .map(decodePart)
}

/** The route in use. The old screen stays until the code of the new one is there. */
export function useRoute(): string[] {
  const [route, setRoute] = useState(() => parseRoute(location.hash))
  useEffect(() => {
    const follow = () =>
      startTransition(() =>
        setRoute(before => {
          const next = parseRoute(location.hash)
          return next.join('/') === before.join('/') ? before : next
        }),
      )
    addEventListener('popstate', follow)
    // The address may have changed between the first drawing and now.
    follow()
    return () => removeEventListener('popstate', follow)
  }, [])
  return route
}

/** Goes to a path such as `/activity`; with `replace`, going back skips the screen that is left. */
export function navigate(path: string, { replace = false } = {}): void {
  if (parseRoute(path).join('/') === parseRoute(location.hash).join('/')) return
  const url = `#${path}`
  if (replace) history.replaceState({ depth: depth() }, '', url)
  else history.pushState({ depth: depth() + 1 }, '', url)
  dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
}

/** Goes to the screen that the person came from; from the first one, to the start screen. */
export function goBack(): void {
  if (depth() > 0) history.back()
  else navigate('/', { replace: true })
}

/** How many screens of the wallet are in the history before this one; going back further would leave the wallet. */
function depth(): number {
  const state: unknown = history.state
  if (typeof state !== 'object' || state === null || !('depth' in state)) return 0
  return typeof state.depth === 'number' ? state.depth : 0
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { loadAllWords } from '../platform/words.ts'

/**
 * A component whose code, and the words that it may use, are fetched when it is first shown; until then the fallback is. React's `lazy` would keep the fallback
 * for 300 ms, however soon the code is there. What the fetch throws is thrown when the component is drawn.
 */
export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Loadable(props: Props) {
    const [Loaded, show] = useState(() => loaded)
    useEffect(() => {
      let isShown = true
      Promise.all([load(), loadAllWords()]).then(
        ([component]) => {
          loaded = component
          if (isShown) show(() => component)
        },
        error => {
          if (isShown)
            show(() => {
              throw error
            })
        },
      )
      return () => {
        isShown = false
      }
    }, [])
    return Loaded ? <Loaded {...props} /> : fallback
  }
}

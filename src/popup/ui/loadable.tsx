import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import type { FetchedWords } from '../platform/word-files.ts'
import { loadMoreWords } from '../platform/words.ts'

/** A component that {@link loadable} fetches. */
export type Loadable<Props> = ComponentType<Props> & {
  /** Fetches it before it is shown, and is there when that has ended; where it fails, it is fetched when it is shown. */
  preload(): Promise<unknown>
}

/**
 * A component whose code, and the words that it may use, are fetched when it is first shown; until then the fallback is. React's
 * `lazy` would keep the fallback for 300 ms, however soon the code is there. What the fetch throws is thrown when the component is
 * drawn. Which words it waits for is read here by the build, which makes the parts so that each has those of its components: an
 * `import()` in `load`, and the part's name right after it (`release/first-words.ts`).
 */
export function loadable<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  part: FetchedWords = 'rest',
  fallback: ReactNode = null,
): Loadable<Props> {
  let loaded: ComponentType<Props> | null = null
  return Object.assign(LoadableComponent, { preload: () => fetchAll().catch(() => {}) })

  async function fetchAll(): Promise<ComponentType<Props>> {
    const [component] = await Promise.all([load(), loadMoreWords(part)])
    loaded = component
    return component
  }

  function LoadableComponent(props: Props) {
    const [Loaded, show] = useState(() => loaded)
    useEffect(() => {
      if (Loaded) return
      let isShown = true
      fetchAll().then(
        component => {
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
    }, [Loaded])
    return Loaded ? <Loaded {...props} /> : fallback
  }
}

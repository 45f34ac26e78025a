import type { DrawnContent } from './drawn-content.ts'

/** What became of a question: the content, or null when nobody answered. */
type Listener = (content: DrawnContent | null) => void

type ContentShelfDeps = {
  ask: (key: string) => Promise<DrawnContent>
  /** Gives back what a content that is forgotten takes. */
  discard: (content: DrawnContent) => void
  /** How many are asked for at the same time. */
  atOnce: number
  /** Bytes of pixels and characters of text that are kept when nothing shows them any more. */
  most: number
}

/** Contents of inscriptions that are shown or were lately: few questions at a time, and no more kept than there is room for. */
export function createContentShelf({ ask, discard, atOnce, most }: ContentShelfDeps) {
  /** The one used longest ago comes first. */
  const known = new Map<string, DrawnContent>()
  /** By whom; the newest wish comes last. */
  const wanted = new Map<string, Set<Listener>>()
  /** Asked, and not to be asked again while somebody still waits for the next wish. */
  const asked = new Set<string>()
  let underWay = 0
  let weight = 0

  return {
    /** Calls `listener` when the content is there, at once if it is; returns how to want it no more. */
    want(key: string, listener: Listener): () => void {
      const listeners = wanted.get(key) ?? new Set()
      listeners.add(listener)
      wanted.set(key, listeners)
      const content = known.get(key)
      if (content) {
        known.delete(key)
        known.set(key, content)
        listener(content)
      } else pump()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || wanted.get(key) !== listeners) return
        wanted.delete(key)
        clear()
      }
    },
    /** Bytes and characters that are kept now. */
    weight: () => weight,
  }

  /** Whoever scrolls wants to see where the list stands, not what it passed: the newest wish goes first. */
  function pump(): void {
    if (underWay >= atOnce) return
    const key = [...wanted.keys()].findLast(key => !known.has(key) && !asked.has(key))
    if (key === undefined) return
    asked.add(key)
    underWay += 1
    ask(key)
      .catch(() => null)
      .then(content => {
        underWay -= 1
        asked.delete(key)
        // An answer that may be another one next time is told and not kept.
        if (content && !isPassing(content)) keep(key, content)
        const listeners = wanted.get(key)
        if (content === null || isPassing(content)) wanted.delete(key)
        for (const listener of listeners ?? []) listener(content)
        pump()
      })
    pump()
  }

  function keep(key: string, content: DrawnContent): void {
    known.set(key, content)
    weight += weigh(content)
    clear()
  }

  function clear(): void {
    for (const [key, content] of known) {
      if (weight <= most) return
      if (wanted.has(key)) continue
      known.delete(key)
      weight -= weigh(content)
      discard(content)
    }
  }
}

export type ContentShelf = ReturnType<typeof createContentShelf>

function isPassing(content: DrawnContent): boolean {
  return content.kind === 'placeholder' && content.why === 'unanswered'
}

function weigh(content: DrawnContent): number {
  // A pixel is four bytes.
  if (content.kind === 'pixels') return content.bitmap.width * content.bitmap.height * 4
  return content.kind === 'placeholder' ? 1 : content.text.length
}

import { useEffect, useRef } from 'react'
import layoutStyles from './styles/layout.module.css'

/** Stands at the end of a list and calls `onNear` while it is about to be seen; `turn` changes when the list has grown. */
export function Sentinel({ turn, onNear }: { turn: number; onNear: () => void }) {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(onNear)
  latest.current = onNear
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list that has grown is to be looked at anew
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      entries => {
        if (entries.some(entry => entry.isIntersecting)) latest.current()
      },
      { root: element.current.closest('main'), rootMargin: '600px' },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [turn])
  return <div ref={element} className={layoutStyles.sentinel} aria-hidden="true" />
}

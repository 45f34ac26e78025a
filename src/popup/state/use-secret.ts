import { useEffect, useReducer, useRef } from 'react'

/** Like state, but held in one place that is emptied when the screen goes away. */
export function useSecret<T>(): [T | null, (value: T | null) => void] {
  const held = useRef<T | null>(null)
  const [, redraw] = useReducer((turn: number) => turn + 1, 0)
  useEffect(() => {
    return () => {
      held.current = null
    }
  }, [])
  const hold = (value: T | null) => {
    held.current = value
    redraw()
  }
  return [held.current, hold]
}

import { useEffect, useState } from 'react'

/** Whole seconds left of a wait, and a way to start another one. */
export function useCountdown(firstMs: number): [number, (ms: number) => void] {
  const [until, setUntil] = useState(() => performance.now() + firstMs)
  const [seconds, setSeconds] = useState(Math.ceil(firstMs / 1000))
  useEffect(() => {
    const tick = () => setSeconds(Math.max(0, Math.ceil((until - performance.now()) / 1000)))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [until])
  return [seconds, ms => setUntil(performance.now() + ms)]
}

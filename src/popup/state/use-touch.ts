import { useEffect } from 'react'
import { call } from '../platform/rpc.ts'

const PAUSE_MS = 10_000

/** While `active`, tells the background that the person is there: at most once in ten seconds. */
export function useTouch(active: boolean): void {
  useEffect(() => {
    if (!active) return
    let last = Number.NEGATIVE_INFINITY
    const touch = () => {
      if (performance.now() - last < PAUSE_MS) return
      last = performance.now()
      // Refused when the wallet was locked meanwhile; the screen then changes by itself.
      call('touch', null).catch(() => {})
    }
    addEventListener('pointerdown', touch)
    addEventListener('keydown', touch)
    return () => {
      removeEventListener('pointerdown', touch)
      removeEventListener('keydown', touch)
    }
  }, [active])
}

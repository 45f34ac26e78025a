import { useEffect, useState } from 'react'

const PAUSE_MS = 500

/**
 * False for half a second after the screen appears, gets the focus back, or shows another `digest`: a press that was
 * meant for something else then decides nothing.
 */
export function useArmed(digest: string): boolean {
  const [armed, setArmed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another digest is another content
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const pause = () => {
      setArmed(false)
      clearTimeout(timer)
      timer = setTimeout(() => setArmed(true), PAUSE_MS)
    }
    const onVisibility = () => {
      if (!document.hidden) pause()
    }
    pause()
    addEventListener('focus', pause)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', pause)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [digest])
  return armed
}

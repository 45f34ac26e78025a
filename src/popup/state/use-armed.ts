import { useEffect, useState } from 'react'

const PAUSE_MS = 500

/**
 * False while the window, or the panel beside a page, does not have the focus, and for half a second after it gets it, after the
 * screen appears, after it shows another `digest` and after a dialog over it is closed: a press that was meant for something
 * else then decides nothing.
 */
export function useArmed(digest: string): boolean {
  const [armed, setArmed] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another digest is another content
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const disarm = () => {
      setArmed(false)
      clearTimeout(timer)
    }
    const pause = () => {
      disarm()
      timer = setTimeout(() => setArmed(true), PAUSE_MS)
    }
    const onVisibility = () => {
      if (document.hidden) disarm()
      else if (document.hasFocus()) pause()
    }
    const onClose = () => {
      if (document.hasFocus()) pause()
    }
    if (document.hasFocus()) pause()
    else disarm()
    addEventListener('focus', pause)
    addEventListener('blur', disarm)
    // It does not bubble.
    addEventListener('close', onClose, true)
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      clearTimeout(timer)
      removeEventListener('focus', pause)
      removeEventListener('blur', disarm)
      removeEventListener('close', onClose, true)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [digest])
  return armed
}

import { useEffect, useState } from 'react'
import styles from './toast.module.css'

const SHOWN_MS = 2500

let onToast: (text: string) => void = () => {}

/** Says in few words that something was done; never the only place of anything that matters. */
export function showToast(text: string): void {
  onToast(text)
}

/** Where toasts appear; the page has one. */
export function Toasts() {
  const [toast, setToast] = useState<{ text: string; turn: number } | null>(null)
  useEffect(() => {
    onToast = text => setToast(before => ({ text, turn: (before?.turn ?? 0) + 1 }))
    return () => {
      onToast = () => {}
    }
  }, [])
  useEffect(() => {
    if (toast === null) return
    const timer = setTimeout(() => setToast(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [toast])
  return (
    <div className={styles.toasts} role="status">
      {toast ? (
        <span key={toast.turn} className={styles.toast}>
          {toast.text}
        </span>
      ) : null}
    </div>
  )
}

import { useCallback, useEffect, useRef, useState } from 'react'
import { words } from '../platform/words.ts'
import textStyles from '../ui/styles/text.module.css'

/** Which of the long texts have been seen to their end; approving waits for all of them. */
export function useReadToEnd(count: number) {
  const [read, setRead] = useState<ReadonlySet<number>>(new Set())
  const markRead = useCallback((index: number) => {
    setRead(before => (before.has(index) ? before : new Set([...before, index])))
  }, [])
  const isUnread = read.size < count
  return {
    isUnread,
    markRead,
    note: isUnread ? (
      <p role="status" className={textStyles.note}>
        {words('signReadFirst')}
      </p>
    ) : null,
  }
}

type EndOfTextProps = { index: number; onRead: (index: number) => void }

/**
 * Stands at the end of a long text and tells when it was seen, whatever box scrolls it there. The focus can be put on it, so that
 * keyboards and screen readers reach the end without a wheel.
 */
export function EndOfText({ index, onRead }: EndOfTextProps) {
  const element = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) onRead(index)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [index, onRead])
  return (
    <p
      ref={element}
      className={textStyles.note}
      data-testid="end-of-text"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the end of a long text has to be reachable by keyboard
      tabIndex={0}
      onFocus={() => onRead(index)}
    >
      {words('signEnd')}
    </p>
  )
}

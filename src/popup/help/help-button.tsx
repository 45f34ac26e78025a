/**
 * What words mean that a person may not know: each in a few sentences with an example and a picture. Beside a word stands a
 * button that explains it in a dialog over the screen, which is as it was when that is closed. Texts and pictures are loaded when
 * they are first asked for. Nothing here knows of the wallet's state, asks the background or decides anything.
 */

import { CircleQuestionMark } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { words } from '../platform/words.ts'
import styles from '../ui/styles/help-button.module.css'
import { TERMS, type Term } from './terms.ts'

/** A question mark that explains a word; it takes no more room than a line of text, and can be hit in more. */
export function HelpButton({ term }: { term: Term }) {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (!isOpen) return
    let isShown = true
    let close: (() => void) | null = null
    const forget = () => setIsOpen(false)
    import('./help-dialog.tsx').then(({ openHelp }) => {
      if (isShown) close = openHelp(term, forget)
    }, forget)
    return () => {
      isShown = false
      close?.()
    }
  }, [isOpen, term])
  const label = words('termAsk', { term: words(TERMS[term]) })
  return (
    <button
      type="button"
      className={styles.help}
      aria-label={label}
      aria-haspopup="dialog"
      title={label}
      onClick={() => setIsOpen(true)}
    >
      <CircleQuestionMark size={16} aria-hidden />
    </button>
  )
}

/** A title, a label or a line of text, with the button behind it. */
export function WithHelp({ term, children }: { term: Term; children: ReactNode }) {
  return (
    <div className={styles.explained}>
      {children}
      <HelpButton term={term} />
    </div>
  )
}

import { useEffect, useRef, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { words } from '../platform/words.ts'
import { Dialog } from '../ui/dialog.tsx'
import textStyles from '../ui/styles/text.module.css'
import { Explanation } from './explanation.tsx'
import { TERMS, type Term } from './terms.ts'

/**
 * Explains a word over the screen, in a tree of its own: no press or key in it reaches the screen below, and no style of that
 * reaches it. `onClose` is called when the person closes it; what is returned takes it away with the screen.
 */
export function openHelp(term: Term, onClose: () => void): () => void {
  const container = document.body.appendChild(document.createElement('div'))
  const root = createRoot(container)
  root.render(<HelpDialog term={term} onClose={onClose} />)
  return () =>
    // Another tree may be in the midst of its own change.
    setTimeout(() => {
      root.unmount()
      container.remove()
    })
}

/** A word, and related ones in its place. */
function HelpDialog({ term, onClose }: { term: Term; onClose: () => void }) {
  const [shown, setShown] = useState(term)
  const text = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the button that was pressed has gone with the last word
  useEffect(() => {
    if (document.activeElement === document.body) text.current?.focus()
  }, [shown])
  return (
    <Dialog title={words(TERMS[shown])} onClose={onClose}>
      <div ref={text} tabIndex={-1}>
        <Explanation
          key={shown}
          term={shown}
          related={other => (
            <button type="button" className={textStyles.link} onClick={() => setShown(other)}>
              {words(TERMS[other])}
            </button>
          )}
        />
      </div>
    </Dialog>
  )
}

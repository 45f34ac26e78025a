import { X } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { words } from '../platform/words.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'

/** A modal sheet: the browser keeps the focus inside, closes it on Escape and gives the focus back. */
export function Dialog(props: { title: string; onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // A layout effect is undone while the element is still there: only then does closing give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // What is chosen now is where a person starts from; the browser would take the first button.
    element?.querySelector<HTMLElement>('[aria-current="true"], :checked')?.focus()
    return () => {
      if (!element?.open) return
      element.close()
      // Its own event comes when it is out of the page, which then does not hear it.
      dispatchEvent(new Event('close'))
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same as a press beside the sheet
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={titleId}
      onClose={props.onClose}
      onClick={event => {
        if (event.target === dialog.current) dialog.current.close()
      }}
    >
      <div className={styles.inside}>
        <div className={styles.title}>
          <h2 id={titleId}>{props.title}</h2>
          <IconButton label={words('commonClose')} onClick={() => dialog.current?.close()}>
            <X size={20} aria-hidden />
          </IconButton>
        </div>
        {props.children}
      </div>
    </dialog>
  )
}

import { useSyncExternalStore } from 'react'
import { words } from '../platform/words.ts'
import { classNames } from '../ui/class-names.ts'
import textStyles from '../ui/styles/text.module.css'
import styles from './focus-hint.module.css'

/** Says why the approving button cannot be pressed while the focus is elsewhere: beside a page it is the page that has it. */
export function FocusHint() {
  const isFocused = useSyncExternalStore(
    watchFocus,
    () => document.hasFocus(),
    () => true,
  )
  return isFocused ? null : (
    <p role="status" className={classNames(textStyles.note, styles.hint)}>
      {words('approvalFocus')}
    </p>
  )
}

function watchFocus(onChange: () => void): () => void {
  addEventListener('focus', onChange)
  addEventListener('blur', onChange)
  return () => {
    removeEventListener('focus', onChange)
    removeEventListener('blur', onChange)
  }
}

import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
} from 'react'
import { classNames } from '../class-names.ts'
import fieldStyles from '../fields/field.module.css'
import { FieldNote } from './field.tsx'
import styles from './secret-text.module.css'

type SecretTextProps = {
  label: string
  onText: (text: string) => void
  /** Room for a whole phrase instead of one word. */
  many?: boolean
  masked?: boolean
  placeholder?: string
  note?: ReactNode
  error?: string | null
  /** Takes the focus when it appears. */
  first?: boolean
  /** Puts another text in the place of what was typed, as if it had been typed, and the focus behind it. */
  writer?: Ref<(text: string) => void>
}

/**
 * A text box for recovery words. It is an editable element and not a form control, because browsers write what is
 * typed into form controls to disk for session restore (CVE-2022-32969) and offer it to autofill.
 */
export function SecretText(props: SecretTextProps) {
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const { first } = props
  useEffect(() => {
    const element = box.current
    if (element === null) return
    allowPlainText(element)
    if (first) element.focus()
    return () => {
      element.textContent = ''
    }
  }, [first])
  useImperativeHandle(props.writer, () => text => {
    const element = box.current
    if (element === null) return
    element.focus()
    getSelection()?.selectAllChildren(element)
    document.execCommand('insertText', false, text)
  })
  return (
    <div className={fieldStyles.field}>
      <span className={fieldStyles.label} id={`${id}-label`}>
        {props.label}
      </span>
      {/* biome-ignore lint/a11y/useSemanticElements: a form control would be saved by session restore */}
      <div
        ref={box}
        className={classNames(
          fieldStyles.input,
          styles.secret,
          props.many && styles.many,
          props.masked && styles.masked,
        )}
        role="textbox"
        tabIndex={0}
        aria-labelledby={`${id}-label`}
        aria-multiline={props.many ?? false}
        aria-invalid={props.error ? true : undefined}
        aria-describedby={props.error || props.note ? `${id}-note` : undefined}
        data-placeholder={props.placeholder}
        spellCheck={false}
        autoCapitalize="none"
        onInput={event => props.onText(event.currentTarget.textContent)}
        onKeyDown={submitOnEnter}
        onPaste={pastePlainText}
        onDrop={event => event.preventDefault()}
      />
      <FieldNote id={`${id}-note`} note={props.note} error={props.error} />
    </div>
  )
}

/** Firefox before 136 knows only `true` here and throws on the stricter value. */
function allowPlainText(element: HTMLElement) {
  try {
    element.contentEditable = 'plaintext-only'
  } catch {
    element.contentEditable = 'true'
  }
}

function submitOnEnter(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.closest('form')?.requestSubmit()
}

/** `insertText` is the one way to insert at the caret that keeps undo and needs no handling of ranges. */
function pastePlainText(event: ClipboardEvent<HTMLElement>) {
  event.preventDefault()
  document.execCommand(
    'insertText',
    false,
    event.clipboardData.getData('text/plain').replace(/[\r\n]+/g, ' '),
  )
}

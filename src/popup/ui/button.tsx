import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  variant: 'primary' | 'secondary' | 'quiet'
  /** Work is under way: the button keeps its place and the focus, tells so, and takes no further press. */
  busy?: boolean
  start?: boolean
}

export function Button({ variant, busy = false, start = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(styles.button, styles[variant], start && styles.start)}
      aria-busy={busy}
      aria-disabled={busy || undefined}
      onClick={busy ? refuse : onClick}
    />
  )
}

/** Of a submit button, this also keeps Enter in a field from submitting once more. */
function refuse(event: MouseEvent) {
  event.preventDefault()
}

/** A button that shows an icon only; `label` is its name and its tooltip. */
export function IconButton(props: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className={styles.iconButton}
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  )
}

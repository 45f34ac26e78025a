import type { ComponentProps, ReactNode } from 'react'

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  look: 'primary' | 'secondary' | 'quiet'
  /** Work is under way: the button stays in place, tells so, and takes no further press. */
  busy?: boolean
  start?: boolean
}

export function Button({ look, busy = false, start = false, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${look}${start ? ' start' : ''}`}
      disabled={disabled || busy}
      aria-busy={busy}
    />
  )
}

/** A button that shows an icon only; `label` is its name and its tooltip. */
export function IconButton(props: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      {props.children}
    </button>
  )
}

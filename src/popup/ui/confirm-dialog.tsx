import type { ReactNode } from 'react'
import { words } from '../platform/words.ts'
import { Button } from './button.tsx'
import dialogStyles from './dialog.module.css'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

type ConfirmDialogProps = {
  title: string
  /** What the button does that goes on; the other one cancels. */
  action: string
  busy: boolean
  disabled?: boolean
  failure: string | null
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}

/** Asks once more before something that cannot be taken back by the next press. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      {props.children}
      {props.failure ? (
        <Notice tone="danger" live>
          {props.failure}
        </Notice>
      ) : null}
      <div className={dialogStyles.answers}>
        <Button variant="secondary" onClick={props.onClose}>
          {words('commonCancel')}
        </Button>
        <Button
          variant="primary"
          busy={props.busy}
          disabled={props.disabled ?? false}
          onClick={props.onConfirm}
        >
          {props.action}
        </Button>
      </div>
    </Dialog>
  )
}

import { useState } from 'react'
import { call } from '../rpc.ts'
import { Check } from '../ui/choice.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { showToast } from '../ui/toast.tsx'
import { useTask } from '../use-task.ts'
import { words } from '../words.ts'

/** The way out for who once asked an index that lied: what was said of coins before is dropped. */
export function ForgetSeenDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [trusted, setTrusted] = useState(false)
  const task = useTask()
  const forget = () =>
    task.run(async () => {
      await call('forgetSeenAssets', null)
      onDone()
      showToast(words('coinsForgotten'))
    })
  return (
    <ConfirmDialog
      title={words('coinsForgetTitle')}
      action={words('coinsForget')}
      busy={task.busy}
      disabled={!trusted}
      failure={task.failure}
      onConfirm={() => void forget()}
      onClose={onClose}
    >
      <p>{words('coinsForgetNote')}</p>
      <p className="muted">{words('coinsForgetRest')}</p>
      <Check checked={trusted} onCheck={setTrusted} testId="confirm-forget">
        {words('coinsForgetConsent')}
      </Check>
    </ConfirmDialog>
  )
}

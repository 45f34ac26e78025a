import { useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import { showToast } from '../../ui/toast.tsx'

/** Drops what indexes said about coins before, for a person who once used an index that lied. */
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

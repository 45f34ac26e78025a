import { useState } from 'react'
import { call } from '../../app/rpc.ts'
import { words } from '../../app/words.ts'
import { useTask } from '../../state/use-task.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { showToast } from '../../ui/toast.tsx'

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
      <p className={textStyles.muted}>{words('coinsForgetRest')}</p>
      <Check checked={trusted} onCheck={setTrusted} testId="confirm-forget">
        {words('coinsForgetConsent')}
      </Check>
    </ConfirmDialog>
  )
}

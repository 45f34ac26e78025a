import { useState } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Check } from '../../ui/fields/choice.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'

type RemoveDialogProps = {
  account: AccountView
  onClose: () => void
  onChanged: () => Promise<void>
}

const MEANINGS = {
  seed: 'removeSeed',
  key: 'removeKey',
  device: 'removeDevice',
  multisig: 'multisigRemove',
  watch: 'removeWatch',
} as const

/** What removing means depends on where the account comes from; a key that may exist nowhere else asks for a tick. */
export function RemoveDialog({ account, onClose, onChanged }: RemoveDialogProps) {
  const [kept, setKept] = useState(false)
  const task = useTask()
  const isKey = account.source === 'key'
  const remove = () =>
    task.run(async () => {
      await call('removeAccount', { accountId: account.id })
      navigate('/accounts', { replace: true })
      await onChanged()
      showToast(words('removeDone', { name: sayName(account.name) }))
    })
  return (
    <ConfirmDialog
      title={words('removeTitle', { name: sayName(account.name) })}
      action={words('accountRemove')}
      busy={task.busy}
      disabled={isKey && !kept}
      failure={task.failure}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      <p>{words(MEANINGS[account.source])}</p>
      <p className={textStyles.muted}>{words('removeForgets')}</p>
      {isKey ? (
        <Check checked={kept} onCheck={setKept}>
          {words('removeKeyKept')}
        </Check>
      ) : null}
    </ConfirmDialog>
  )
}

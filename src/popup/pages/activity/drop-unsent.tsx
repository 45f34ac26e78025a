import { Unlink } from 'lucide-react'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Notice } from '../../ui/notice.tsx'
import { ActionRow, Rows } from '../../ui/row.tsx'
import { showToast } from '../../ui/toast.tsx'

/** Gives up a transaction that was kept back, so that payments can spend its coins. */
export function DropUnsent({ txid }: { txid: string }) {
  const task = useTask()
  const drop = async () => {
    if (!(await task.run(() => call('dropUnsent', { txid })))) return
    showToast(words('transactionDropped'))
    goBack()
  }
  return (
    <>
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      <Rows label={words('transactionDrop')}>
        <ActionRow
          icon={<Unlink size={18} aria-hidden />}
          title={words('transactionDrop')}
          note={words('transactionDropNote')}
          busy={task.busy}
          onPress={() => void drop()}
        />
      </Rows>
    </>
  )
}

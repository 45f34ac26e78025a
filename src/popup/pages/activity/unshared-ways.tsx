import type { UnsharedPayment } from '../../../background/views/activity-views.ts'
import { joinNames } from '../../platform/join-words.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { UnsharedNotice } from '../../state/unshared-notice.tsx'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { showToast } from '../../ui/toast.tsx'

/** What can be done about a payment that a server does not have: hand it over, take it elsewhere, or have another server. */
export function UnsharedWays({
  payment,
  onHandedOver,
}: {
  payment: UnsharedPayment
  onHandedOver: () => void
}) {
  const { txid } = payment
  const task = useTask()
  const handOver = async () => {
    if (!(await task.run(() => call('shareTransaction', { txid })))) return
    showToast(words('unsharedHandedOver'))
    onHandedOver()
  }
  return (
    <UnsharedNotice
      payment={payment}
      actions={
        <>
          <Button variant="quiet" busy={task.busy} onClick={() => void handOver()}>
            {words('unsharedHandOver', { lacks: joinNames(payment.lacks) })}
          </Button>
          <CopyButton text={payment.rawTx} label={words('unsharedCopy')} />
          <Button variant="quiet" onClick={() => navigate('/settings/servers')}>
            {words('serverChange')}
          </Button>
        </>
      }
    >
      {task.failure ? <p>{task.failure}</p> : null}
      <p>{words('unsharedCopyNote')}</p>
    </UnsharedNotice>
  )
}

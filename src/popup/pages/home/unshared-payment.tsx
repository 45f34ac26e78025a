import type { WalletState } from '../../../background/views/ui-methods.ts'
import { navigate } from '../../platform/route.ts'
import { words } from '../../platform/words.ts'
import { UnsharedNotice, useUnshared } from '../../state/unshared-notice.tsx'
import { Button } from '../../ui/button.tsx'

/** Says so when a payment was sent that one server keeps to itself, or lost. */
export function UnsharedPaymentNotice({ state }: { state: WalletState }) {
  const payment = useUnshared(state).answer?.payments[0]
  if (!payment) return null
  return (
    <UnsharedNotice
      payment={payment}
      actions={
        <Button variant="quiet" onClick={() => navigate(`/activity/${payment.txid}`)}>
          {words('unprovenLook')}
        </Button>
      }
    />
  )
}

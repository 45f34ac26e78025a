import type { WalletState } from '../../../background/views/ui-methods.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { NEWS, subjectOf } from '../../state/use-overview.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'

/** Says so when a payment came that is in a block by the server's word alone; nobody should hand over goods for it. */
export function UnprovenNotice({ state }: { state: WalletState }) {
  const { answer } = useQuery(() => call('getUnprovenPayments', null), subjectOf(state), NEWS)
  // One that is refuted before one that the server only kept silent about.
  const payment = answer?.find(({ fault }) => fault !== 'no-answer') ?? answer?.[0]
  if (!payment) return null
  const { txid, fault } = payment
  const isSilent = fault === 'no-answer'
  return (
    <Notice
      tone={isSilent ? 'caution' : 'danger'}
      title={words(isSilent ? 'unprovenSilentTitle' : 'unprovenTitle')}
      live
      actions={
        <Button variant="quiet" onClick={() => navigate(`/activity/${txid}`)}>
          {words('unprovenLook')}
        </Button>
      }
    >
      <p>{words(isSilent ? 'unprovenSilentText' : 'unprovenText')}</p>
    </Notice>
  )
}

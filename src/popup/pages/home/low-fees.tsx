import type { WalletState } from '../../../background/views/ui-methods.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { formatFeeRate } from '../../ui/text/btc-digits.ts'

type LowFeesProps = { state: WalletState; limit: number }

/** Says so when fees are under what the person set; asks for them once for each time that it appears. */
export function LowFees({ state, limit }: LowFeesProps) {
  const { answer } = useQuery(() => call('getFeeRates', null), `${state.network} fees`, [])
  if (answer === null || answer.halfHour >= limit) return null
  return (
    <Notice
      tone="positive"
      title={words('feeAlertTitle', { rate: formatFeeRate(answer.halfHour) })}
      actions={
        <Button variant="quiet" onClick={() => navigate('/coins/merge')}>
          {words('mergeTitle')}
        </Button>
      }
    >
      <p>{words('feeAlertNote', { limit: formatFeeRate(limit) })}</p>
    </Notice>
  )
}

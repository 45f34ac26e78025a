import { useState } from 'react'
import type { PaymentResult } from '../../../background/views/payment-views.ts'
import { PaymentOnDevice } from '../../forms/device/payment-on-device.tsx'
import { PaymentResultScreen } from '../../forms/payment-result.tsx'
import { goBack, useRoute } from '../../platform/route.ts'
import { call, saveDraft } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'

/**
 * A payment that was reviewed, on its way to the device and back. It has a path of its own, so that it goes on in a tab, where the camera is,
 * and in a popup that was closed meanwhile.
 */
export function OnDevice({ state }: PageProps) {
  const [, plan = ''] = useRoute()
  const [planId = '', digest = ''] = plan.split('.')
  const [result, setResult] = useState<PaymentResult | null>(null)
  const { answer, problem, busy, retry } = useQuery(
    () => call('getDeviceTask', { planId, digest }),
    `${planId} ${digest}`,
    [],
  )
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (answer && result) return <PaymentResultScreen review={answer.review} result={result} />
  if (answer && account?.source === 'device')
    return (
      <PaymentOnDevice
        {...{ planId, digest, account }}
        task={answer.task}
        network={state.network}
        onBack={goBack}
        onSent={sent => {
          if (answer.review.purpose === 'send') void saveDraft('draft', null)
          setResult(sent)
        }}
      />
    )
  if (problem === null && answer === null) return <ScreenSkeleton />
  return (
    <Screen head={<BackButton onBack={goBack} />}>
      <Title>{words('deviceTitle')}</Title>
      <RetryNotice
        tone="caution"
        problem={problem ?? words('deviceGone')}
        busy={busy}
        onRetry={retry}
      />
    </Screen>
  )
}

import { type ReactNode, useState } from 'react'
import type { SignOnDeviceReview } from '../../../background/views/device-views.ts'
import type { PaymentResult } from '../../../background/views/payment-views.ts'
import { PlanOnDevice } from '../../forms/device/plan-on-device.tsx'
import { nameInWords } from '../../forms/name-words.ts'
import { PaymentResultScreen } from '../../forms/payment-result.tsx'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call, saveDraft } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'

/** A plan on its way, and its end; `finish` resolves what there is to show of it here, null where it is shown elsewhere. */
type Journey = {
  task: SignOnDeviceReview | null
  /** What the button says, before and while it is done, and the head of what stops it. */
  verbs: [idle: string, busy: string]
  failed: string
  note: string | null
  finish: (returned: string) => Promise<ReactNode | null>
}

/**
 * What was reviewed, on its way to the device and back. It has a path of its own, so that it goes on in a tab, where the camera is,
 * and in a popup that was closed meanwhile.
 */
export function OnDevice({ state }: PageProps) {
  const [, plan = ''] = useRoute()
  const [result, setResult] = useState<ReactNode | null>(null)
  // Each account has plans of its own.
  const subject = `${state.accountId} ${state.network} ${plan}`
  const { answer, problem, busy, retry } = useQuery(() => load(plan), subject, [])
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (result) return result
  if (answer?.task && account?.source === 'device')
    return (
      <PlanOnDevice
        key={subject}
        digest={plan}
        task={answer.task}
        account={account}
        network={state.network}
        verbs={answer.verbs}
        failed={answer.failed}
        note={answer.note}
        onBack={goBack}
        confirm={async returned => setResult(await answer.finish(returned))}
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

/** `plan` is its id and its digest and, unless it is a payment, what it is. */
async function load(plan: string): Promise<Journey> {
  const [planId = '', digest = '', kind = 'payment'] = plan.split('.')
  const shown = { planId, digest }
  if (kind === 'psbt') return loadPsbt({ id: planId, digest })
  const verbs: Journey['verbs'] = [words('reviewSend'), words('sendSending')]
  if (kind === 'inscribe') {
    const { task, review } = await call('getInscribeTask', shown)
    const finish = async (returned: string) => {
      const { jobId } = await call('confirmInscribe', { ...shown, returned })
      const isForm = review.purpose === 'inscribe' && !review.etching && !review.delivery
      if (isForm) void saveDraft('draft.inscribe', null)
      navigate(`/inscribe/jobs/${jobId}`, { replace: true })
      return null
    }
    return { task, verbs, failed: words('jobNotSent'), note: words('deviceInscribeNote'), finish }
  }
  if (kind === 'mint') {
    const { task } = await call('getRuneMintTask', shown)
    const finish = async (returned: string) => {
      const { jobId } = await call('confirmRuneMint', { ...shown, returned })
      navigate(`/runes/mints/${jobId}`, { replace: true })
      return null
    }
    return { task, verbs, failed: words('jobNotSent'), note: null, finish }
  }
  const { task, review } = await call('getDeviceTask', shown)
  const finish = async (returned: string) => {
    const result: PaymentResult = await nameInWords(call('confirmPayment', { ...shown, returned }))
    if (review.purpose === 'send') void saveDraft('draft', null)
    return <PaymentResultScreen review={review} result={result} />
  }
  return { task, verbs, failed: words('sendFailed'), note: null, finish }
}

/** A PSBT that the person brings: its page shows what can follow. */
async function loadPsbt(shown: { id: string; digest: string }): Promise<Journey> {
  const { task } = await call('getPsbtTask', shown)
  const finish = async (returned: string) => {
    await call('signPsbt', { ...shown, returned })
    navigate('/psbt', { replace: true })
    return null
  }
  const verbs: Journey['verbs'] = [words('commonContinue'), words('psbtFileTaking')]
  return { task, verbs, failed: words('psbtFileNotSigned'), note: null, finish }
}

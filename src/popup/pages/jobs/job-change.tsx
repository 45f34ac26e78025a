import { useState } from 'react'
import type { InscribePlanView } from '../../../background/views/inscribe-views.ts'
import { RateForm } from '../../forms/rate-form.tsx'
import { ReviewStep } from '../../forms/review-step.tsx'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useFeeRates } from '../../state/use-fee-rates.ts'
import { useJob } from '../../state/use-jobs.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import textStyles from '../../ui/styles/text.module.css'

const CHANGES = {
  bump: { title: 'jobBump', lead: 'jobBumpLead', cannot: 'jobBumpCannot' },
  refund: { title: 'jobRefund', lead: 'jobRefundLead', cannot: 'jobRefundCannot' },
} as const

/** Pays more for what waits of a job, or takes back what is not inscribed. */
export function JobChange(props: PageProps) {
  // What is reviewed is one account's.
  return <ChangeSteps key={`${props.state.accountId} ${props.state.network}`} {...props} />
}

function ChangeSteps({ state }: PageProps) {
  const [, , jobId = '', wish] = useRoute()
  const change = wish === 'refund' ? 'refund' : 'bump'
  const { title, lead, cannot } = CHANGES[change]
  const { answer, problem, busy, retry } = useJob(state, jobId)
  const rates = useFeeRates(state.network)
  const [plan, setPlan] = useState<InscribePlanView | null>(null)
  if (plan) return <ReviewStep plan={plan} state={state} onBack={() => setPlan(null)} />
  const allowed = answer?.can[change] ?? null
  if (allowed && (rates.answer || rates.problem)) {
    const method = change === 'bump' ? 'planJobBump' : 'planJobRefund'
    return (
      <RateForm
        title={words(title)}
        lead={words(lead)}
        least={allowed.leastFeeRate}
        rates={rates.answer}
        plan={feeRate => call(method, { jobId, feeRate })}
        onPlanned={setPlan}
      />
    )
  }
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        problem ? (
          <Button variant="primary" busy={busy} onClick={retry}>
            {words('commonTryAgain')}
          </Button>
        ) : answer && !allowed ? (
          <Button variant="primary" onClick={goBack}>
            {words('commonBack')}
          </Button>
        ) : null
      }
    >
      <Title>{words(title)}</Title>
      {problem ? (
        <Notice tone="caution" title={words('jobsUnknown')} live>
          {problem}
        </Notice>
      ) : answer && !allowed ? (
        <Notice tone="info">{words(cannot)}</Notice>
      ) : (
        <>
          <p className={textStyles.muted}>{words(lead)}</p>
          <Skeleton size="row" />
        </>
      )}
    </Screen>
  )
}

import { useState } from 'react'
import type {
  CommitRefundDraft,
  CommitRefundView,
  InscribePlanView,
} from '../../../background/views/inscribe-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { RateForm } from '../../forms/rate-form.tsx'
import { joinSentences } from '../../platform/join-words.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, richWords, words } from '../../platform/words.ts'
import { InscribeBody } from '../../review/inscribing/inscribe-body.tsx'
import { useInscribeConsents } from '../../review/inscribing/inscribe-consents.ts'
import { describeInscribing } from '../../review/inscribing/inscribe-effect.tsx'
import { ReviewScreen } from '../../review/review-screen.tsx'
import { canSign } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useFeeRates } from '../../state/use-fee-rates.ts'
import { useTask } from '../../state/use-task.ts'
import { nameSats, nameValue } from '../../ui/text/btc-digits.ts'
import { CommitForm } from './commit-form.tsx'

type Found = Extract<CommitRefundView, { state: 'found' }>

/** Takes back the money of a commit that this wallet has no job of: what it was to inscribe, then the fee, then the review. */
export function CommitRefund(props: PageProps) {
  // What is reviewed is one account's.
  return <RefundSteps key={`${props.state.accountId} ${props.state.network}`} {...props} />
}

function RefundSteps({ state }: PageProps) {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const [asked, setAsked] = useState<CommitRefundDraft | null>(null)
  const [seen, setSeen] = useState<CommitRefundView | null>(null)
  const [plan, setPlan] = useState<InscribePlanView | null>(null)
  const rates = useFeeRates(state.network)
  if (account && !canSign(account))
    return <CannotSign account={account} title={words('commitRefund')} />
  if (plan) return <CommitReview plan={plan} state={state} onBack={() => setPlan(null)} />
  if (asked && seen?.state === 'found') {
    return (
      <RateForm
        title={words('commitRefund')}
        lead={describeFound(seen)}
        least={seen.leastFeeRate}
        rates={rates.answer}
        onBack={() => setSeen(null)}
        // What was found is what is taken, also where the history has more by now.
        plan={feeRate => call('planCommitRefund', { ...asked, txid: seen.txid, feeRate })}
        onPlanned={again => {
          if (again.state === 'found') setPlan(again.plan)
          else setSeen(again)
        }}
      />
    )
  }
  return (
    <CommitForm
      seen={seen}
      draft={asked}
      onLook={async draft => {
        setAsked(draft)
        setSeen(await call('planCommitRefund', draft))
      }}
    />
  )
}

function describeFound({ sats, outputs, confirmed }: Found): string {
  const found = countWords('commitRefundFound', outputs, { amount: nameSats(BigInt(sats)) })
  return confirmed ? found : joinSentences([found, words('commitRefundUnconfirmed')])
}

type CommitReviewProps = { plan: InscribePlanView; state: WalletState; onBack: () => void }

function CommitReview({ plan, state, onBack }: CommitReviewProps) {
  const { planId, digest, review } = plan
  const taking = useTask()
  const take = () =>
    taking.run(async () => {
      const { txid } = await call('takeCommitRefund', { planId, digest })
      navigate(`/activity/${txid}`, { replace: true })
    })
  const amount = <span>{nameValue(-BigInt(review.cost))}</span>
  return (
    <ReviewScreen
      title={
        review.items.length > 0
          ? describeInscribing(review)
          : richWords('commitRefundEffect', { amount })
      }
      account={state.accounts.find(({ id }) => id === state.accountId)}
      network={state.network}
      digest={digest}
      verb={words(taking.busy ? 'jobSigning' : 'jobRefundDo')}
      consents={useInscribeConsents(review)}
      task={taking}
      failed={words('jobNotSent')}
      onBack={onBack}
      onApprove={() => void take()}
    >
      <InscribeBody review={review} />
    </ReviewScreen>
  )
}

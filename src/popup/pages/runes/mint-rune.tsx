import { useRef, useState } from 'react'
import type { RuneDetail } from '../../../background/views/asset-views.ts'
import type { RuneMintPlanView } from '../../../background/views/mint-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { FeeField } from '../../forms/fee-field.tsx'
import { DEFAULT_FEE, type FeeForm, parseFeeRateText } from '../../forms/fee-form.ts'
import formStyles from '../../forms/form.module.css'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { goBack, navigate, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { currentLanguage, words } from '../../platform/words.ts'
import { useConsents } from '../../review/consents.tsx'
import { ReviewScreen } from '../../review/review-screen.tsx'
import { describeMints, MintBody } from '../../review/runes/mint-body.tsx'
import { canSign } from '../../state/can-sign.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RetryNotice } from '../../ui/retry-notice.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { formatRuneAmount } from '../../ui/text/asset-names.ts'
import { cleanLabel, LONGEST_LABEL } from '../../ui/text/label.ts'
import { readCount } from './mint-words.ts'
import { useRune } from './use-runes.ts'

/** What the person has typed, as typed. */
type MintForm = FeeForm & { count: string; label: string }

const EMPTY: MintForm = { ...DEFAULT_FEE, count: '1', label: '' }

/** Mints a rune, which the path names, once or several times; the mints go on from there. */
export function MintRune({ state }: PageProps) {
  const [, , name = ''] = useRoute()
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canSign(account)) return <CannotSign account={account} title={words('runeMint')} />
  // A plan is of the account that it was worked out for.
  return <Steps key={`${account.id} ${state.network}`} state={state} name={name} />
}

function Steps({ state, name }: { state: WalletState; name: string }) {
  const [form, setForm] = useState(EMPTY)
  const [plan, setPlan] = useState<RuneMintPlanView | null>(null)
  if (plan) return <Review plan={plan} state={state} onBack={() => setPlan(null)} />
  return <Form name={name} form={form} state={state} onChange={setForm} onPlan={setPlan} />
}

type FormProps = {
  name: string
  form: MintForm
  state: WalletState
  onChange: (form: MintForm) => void
  onPlan: (plan: RuneMintPlanView) => void
}

function Form({ name, form, state, onChange, onPlan }: FormProps) {
  const rune = useRune(state, name)
  const facts = useSendFacts(state)
  const planning = useTask()
  const { content, attempt, isTried, isWaiting } = useAttempt(form, facts.rates)
  const busy = planning.busy || isWaiting
  const latest = useRef(form)
  latest.current = form
  const left = rune.answer ? countLeft(rune.answer) : null
  const each = rune.answer?.facts?.terms?.amount
  const read = readCount(form.count, left)
  const rate = parseFeeRateText(form, facts.rates.answer)
  const change = (next: Partial<MintForm>) => {
    planning.forget()
    onChange({ ...latest.current, ...next })
  }
  const submit = () => {
    if ('error' in read || rate === null) return attempt()
    void planning.run(async () => {
      const plan = await call('planRuneMint', {
        rune: name,
        count: read.count,
        feeRate: rate,
        label: cleanLabel(form.label),
      })
      if (latest.current === form) onPlan(plan)
    })
  }
  return (
    <FormScreen
      title={words('runeMintTitle', { name })}
      lead={each === undefined ? null : words('runeMintLead', { amount: formatRuneAmount(each) })}
      action={words(busy ? 'sendPlanning' : 'sendReview')}
      busy={busy}
      above={
        planning.failure ? (
          <Notice tone="danger" live>
            {planning.failure}
          </Notice>
        ) : null
      }
      onBack={goBack}
      onSubmit={submit}
    >
      <div ref={content} className={formStyles.operation}>
        {rune.problem ? (
          <RetryNotice
            tone="caution"
            problem={rune.problem}
            busy={rune.busy}
            onRetry={rune.retry}
          />
        ) : null}
        <TextField
          label={words('runeMintCount')}
          note={
            left === null
              ? null
              : words('runeMintCountNote', { left: left.toLocaleString(currentLanguage()) })
          }
          inputMode="numeric"
          maxLength={3}
          value={form.count}
          error={isTried && 'error' in read ? read.error : null}
          onChange={event => change({ count: event.currentTarget.value })}
        />
        <FeeField
          form={form}
          facts={facts}
          tried={isTried}
          fee={null}
          note={words('runeMintFeeNote')}
          onChange={change}
        />
        <TextField
          label={words('sendLabel')}
          note={words('sendLabelNote')}
          value={form.label}
          maxLength={LONGEST_LABEL}
          onChange={event => change({ label: event.currentTarget.value })}
        />
      </div>
    </FormScreen>
  )
}

/** Mints that are left by what the index told; null where that is not known. */
function countLeft({ facts }: RuneDetail): bigint | null {
  if (!facts?.terms) return null
  const left = BigInt(facts.terms.cap) - BigInt(facts.mints)
  return left > 0n ? left : 0n
}

type ReviewProps = { plan: RuneMintPlanView; state: WalletState; onBack: () => void }

/** Mints before they are signed, all at once. */
function Review({ plan, state, onBack }: ReviewProps) {
  const { planId, digest, review } = plan
  const confirming = useTask()
  const account = state.accounts.find(({ id }) => id === state.accountId)
  const goesToDevice = account?.source === 'device'
  const confirm = () =>
    confirming.run(async () => {
      if (goesToDevice) return navigate(`/device/${planId}.${digest}.mint`)
      const { jobId } = await call('confirmRuneMint', { planId, digest })
      navigate(`/runes/mints/${jobId}`, { replace: true })
    })
  const { warnings, fee } = review
  return (
    <ReviewScreen
      title={describeMints(review)}
      account={account}
      network={state.network}
      digest={digest}
      verb={words(goesToDevice ? 'deviceContinue' : confirming.busy ? 'jobSigning' : 'runeMint')}
      consents={useConsents([{ warnings, fee: BigInt(fee), assets: [] }])}
      task={confirming}
      failed={words('runeMintFailed')}
      onBack={onBack}
      onApprove={() => void confirm()}
    >
      <MintBody review={review} />
    </ReviewScreen>
  )
}

import { type ReactNode, useRef, useState } from 'react'
import type { InscribePlanView } from '../../../background/views/inscribe-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import type { Brc20Operation } from '../../../ordinals/brc20/brc20-operation.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { FeeField } from '../../forms/fee-field.tsx'
import { DEFAULT_FEE, parseFeeRateText } from '../../forms/fee-form.ts'
import formStyles from '../../forms/form.module.css'
import { ReviewStep } from '../../forms/review-step.tsx'
import { useAttempt } from '../../forms/use-attempt.ts'
import { useSendFacts } from '../../forms/use-send-facts.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { canSign } from '../../state/can-sign.ts'
import { useTask } from '../../state/use-task.ts'
import { FormScreen } from '../../ui/form-screen.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'

/** Sats on each inscription: the least that every kind of address takes. */
const POSTAGE = 546

type OperationStepsProps = {
  state: WalletState
  title: string
  lead?: ReactNode
  /** What is to be inscribed; null while the form is not filled in as it should be. */
  operations: readonly Brc20Operation[] | null
  /** The fields; errors are to be shown everywhere once it was tried. */
  children: (isTried: boolean) => ReactNode
}

/** A form for BRC-20 operations, what they cost, and the review of their inscribing; begun anew where the account in use changes. */
export function OperationSteps(props: OperationStepsProps) {
  const { state, title } = props
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canSign(account)) return <CannotSign account={account} title={title} />
  return <Steps key={`${account.id} ${state.network}`} {...props} />
}

function Steps({ state, title, lead, operations, children }: OperationStepsProps) {
  const facts = useSendFacts(state)
  const [fee, setFee] = useState(DEFAULT_FEE)
  const [plan, setPlan] = useState<InscribePlanView | null>(null)
  const planning = useTask()
  const wanted = JSON.stringify([operations, fee])
  const { content, attempt, isTried, isWaiting } = useAttempt(wanted, facts.rates)
  const busy = planning.busy || isWaiting
  // A plan for a form that changed meanwhile is dropped.
  const latest = useRef(wanted)
  latest.current = wanted
  if (plan) return <ReviewStep plan={plan} state={state} onBack={() => setPlan(null)} />
  const feeRate = parseFeeRateText(fee, facts.rates.answer)
  const submit = () => {
    if (operations === null || feeRate === null) return attempt()
    void planning.run(async () => {
      const next = await call('planInscribe', {
        items: operations.map(operation => ({ kind: 'brc-20', operation })),
        postage: POSTAGE,
        feeRate,
        parent: null,
        metadata: null,
        label: '',
      })
      if (latest.current === wanted) setPlan(next)
    })
  }
  return (
    <FormScreen
      title={title}
      lead={lead}
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
        {children(isTried)}
        <FeeField
          form={fee}
          facts={facts}
          tried={isTried}
          fee={null}
          note={words('brc20FeeNote')}
          onChange={change => setFee({ ...fee, ...change })}
        />
      </div>
    </FormScreen>
  )
}

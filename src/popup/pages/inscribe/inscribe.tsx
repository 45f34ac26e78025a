import { canSign } from '../../state/can-sign.ts'
/**
 * Inscribing files, text and delegates: choosing them, what they cost, and the review. Files are read and compressed in this
 * page and leave it only in the draft that the background plans.
 */

import { useRef, useState } from 'react'
import type { SigningAccountView } from '../../../background/views/account-views.ts'
import type { InscribePlanView } from '../../../background/views/inscribe-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { CannotSign } from '../../forms/cannot-sign.tsx'
import { ReviewStep } from '../../forms/review-step.tsx'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { ScreenSkeleton } from '../../ui/skeleton.tsx'
import { InscribeFields } from './inscribe-fields.tsx'
import { useInscribeDraft } from './use-inscribe-draft.ts'

/** Writing and choosing what to inscribe, and looking at it; its job goes on from there. */
export function Inscribe({ state }: PageProps) {
  const account = state.accounts.find(({ id }) => id === state.accountId)
  if (!account) return <ScreenSkeleton />
  if (!canSign(account)) return <CannotSign account={account} title={words('inscribeTitle')} />
  return <InscribeSteps key={`${account.id} ${state.network}`} state={state} account={account} />
}

function InscribeSteps({ state, account }: { state: WalletState; account: SigningAccountView }) {
  const { form, change, forget } = useInscribeDraft(`${account.id} ${state.network}`)
  const [plan, setPlan] = useState<InscribePlanView | null>(null)
  const planning = useTask()
  // A plan for a form that changed meanwhile is dropped.
  const latest = useRef(form)
  latest.current = form
  if (form === null) return <ScreenSkeleton />
  if (plan)
    return <ReviewStep plan={plan} state={state} onBack={() => setPlan(null)} onDone={forget} />
  return (
    <InscribeFields
      form={form}
      state={state}
      account={account}
      problem={planning.failure}
      busy={planning.busy}
      onBack={goBack}
      onChange={next => {
        planning.forget()
        change(next)
      }}
      onReview={draft =>
        void planning.run(async () => {
          const next = await call('planInscribe', draft)
          if (latest.current === form) setPlan(next)
        })
      }
    />
  )
}

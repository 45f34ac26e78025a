import { useState } from 'react'
import type { PaymentResult } from '../../../background/views/payment-views.ts'
import type {
  LoadedPsbtPush,
  LoadedPsbtReview,
  LoadedPsbtView,
} from '../../../background/views/psbt-views.ts'
import type { WalletState } from '../../../background/views/ui-methods.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useQuery } from '../../state/use-query.ts'
import { useTask } from '../../state/use-task.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { PsbtForm } from './psbt-form.tsx'
import { PsbtPushed, PsbtPushReview } from './psbt-push.tsx'
import { PsbtReview } from './psbt-review.tsx'
import { PsbtSteps } from './psbt-steps.tsx'

type LoadedPsbtProps = {
  loaded: LoadedPsbtView
  state: WalletState
  onChanged: (loaded: LoadedPsbtView | null) => void
}

/** A PSBT under work: its review where there is something to sign, else the steps that can follow. */
export function LoadedPsbt({ loaded, state, onChanged }: LoadedPsbtProps) {
  const { id, psbt } = loaded
  const account = state.accounts.find(each => each.id === state.accountId)
  const subject = `${id} ${psbt} ${state.accountId} ${state.network}`
  const reviewed = useQuery(() => call('reviewPsbt', { id }), subject, ['settings'])
  const [step, setStep] = useState<'review' | 'steps' | 'combine'>('review')
  const [pushing, setPushing] = useState<{ subject: string; push: LoadedPsbtPush } | null>(null)
  // What it does was found out for this account.
  const push = pushing?.subject === subject ? pushing.push : null
  const [result, setResult] = useState<PaymentResult | null>(null)
  const [isClosing, setClosing] = useState(false)
  const task = useTask()
  const change = async (next: Promise<LoadedPsbtView>) => {
    onChanged(await next)
    setStep('steps')
  }
  const close = async () => {
    await call('closePsbt', null)
    onChanged(null)
  }
  if (result) return <PsbtPushed result={result} onClose={() => void task.run(close)} />
  if (push) {
    return (
      <PsbtPushReview
        push={push}
        account={account}
        network={state.network}
        onBack={() => setPushing(null)}
        onPushed={setResult}
      />
    )
  }
  if (step === 'combine') {
    return (
      <PsbtForm
        title={words('psbtFileCombine')}
        lead={words('psbtFileCombineLead')}
        action={words('psbtFileCombineDo')}
        onBack={() => setStep('steps')}
        onRead={other => change(call('combinePsbt', { id, psbt: other }))}
      />
    )
  }
  if (step === 'review' && waitsForUs(reviewed.answer)) {
    return (
      <PsbtReview
        // What was consented to is what was shown.
        key={reviewed.answer.digest}
        reviewed={reviewed.answer}
        account={account}
        network={state.network}
        onBack={() => setStep('steps')}
        onSigned={view => void change(Promise.resolve(view))}
      />
    )
  }
  return (
    <>
      <PsbtSteps
        loaded={loaded}
        account={account}
        reviewed={reviewed}
        task={task}
        onSign={() => setStep('review')}
        onCombine={() => setStep('combine')}
        onFinalize={() => void task.run(() => change(call('finalizePsbt', { id })))}
        onPush={() =>
          void task.run(async () =>
            setPushing({ subject, push: await call('reviewPsbtPush', { id }) }),
          )
        }
        onClose={() => (loaded.signed ? setClosing(true) : void task.run(close))}
      />
      {isClosing ? (
        <ConfirmDialog
          title={words('psbtFileCloseTitle')}
          action={words('commonClose')}
          busy={task.busy}
          failure={task.failure}
          onConfirm={() => void task.run(close)}
          onClose={() => setClosing(false)}
        >
          <p>{words('psbtFileCloseSigned')}</p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}

function waitsForUs(reviewed: LoadedPsbtReview | null): reviewed is LoadedPsbtReview {
  return reviewed !== null && reviewed.toSign > 0
}

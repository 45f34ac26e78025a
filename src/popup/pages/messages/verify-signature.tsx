import { type ReactNode, useEffect, useRef, useState } from 'react'
import type {
  MessageProofDraft,
  MessageVerdictView,
} from '../../../background/views/message-views.ts'
import type { Network } from '../../../bitcoin/network.ts'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { FormScreen } from '../../ui/form-screen.tsx'
import { TextArea } from './text-area.tsx'
import { Verdict } from './verdict.tsx'

type VerifySignatureProps = {
  tabs: ReactNode
  proof: MessageProofDraft
  onType: (proof: MessageProofDraft) => void
  network: Network
}

/** Checks a signature that somebody hands over. */
export function VerifySignature({ tabs, proof, onType, network }: VerifySignatureProps) {
  const [answer, setAnswer] = useState<{ proof: MessageProofDraft; verdict: MessageVerdictView }>()
  const verdict = useRef<HTMLDivElement>(null)
  const task = useTask()
  // The form is as high as the window: the answer would be below it.
  useEffect(() => {
    if (answer) verdict.current?.scrollIntoView()
  }, [answer])
  const type = (changed: Partial<MessageProofDraft>) => {
    setAnswer(undefined)
    task.forget()
    onType({ ...proof, ...changed })
  }
  const verify = () =>
    task.run(async isWanted => {
      // What is copied has line ends and spaces around it; those of the text are signed too.
      const given = {
        message: proof.message,
        address: proof.address.trim(),
        signature: proof.signature.replace(/\s/g, ''),
      }
      const verdict = await call('verifyMessage', given)
      // A text that is changed meanwhile is another one.
      if (isWanted()) setAnswer({ proof: given, verdict })
    })
  return (
    <FormScreen
      title={words('messagesTitle')}
      action={words(task.busy ? 'messagesVerifying' : 'messagesVerifyNow')}
      onBack={goBack}
      onSubmit={() => void verify()}
      busy={task.busy}
      disabled={proof.address.trim() === '' || proof.signature.trim() === ''}
      failure={task.failure}
    >
      {tabs}
      <TextArea
        label={words('messagesText')}
        value={proof.message}
        rows={4}
        onType={message => type({ message })}
      />
      <TextField
        label={words('messagesAddress')}
        value={proof.address}
        onChange={event => type({ address: event.currentTarget.value })}
      />
      <TextArea
        label={words('messagesSignature')}
        value={proof.signature}
        rows={3}
        code
        onType={signature => type({ signature })}
      />
      {answer ? (
        <div ref={verdict}>
          <Verdict key={network} proof={answer.proof} verdict={answer.verdict} />
        </div>
      ) : null}
    </FormScreen>
  )
}

import { useState } from 'react'
import type { UnlockResult, UnlockReview } from '../../background/ui-methods/ui-methods.ts'
import { UnlockForm } from '../pages/unlock-form.tsx'
import { Notice } from '../ui/notice.tsx'
import { Title } from '../ui/screen.tsx'
import { describeOrigin } from '../ui/site-origin.ts'
import { spellVisible } from '../ui/visible-parts.ts'
import { ApprovalHead, type ApprovalScreenProps, AskedBy, RejectButton } from './approval-frame.tsx'

type UnlockApprovalProps = ApprovalScreenProps & {
  review: UnlockReview
  onPassword: (password: string) => Promise<UnlockResult>
}

/** What waits behind the lock, by method. */
const WISHES: { [method: string]: string } = {
  connect: 'wants to see your account',
  requestAccounts: 'wants to see your account',
  getPublicKey: 'wants to see your public key',
  getBalance: 'wants to see your balance',
  signMessage: 'wants you to sign a message',
  sendBitcoin: 'wants you to send bitcoin',
  pushTx: 'wants to broadcast a transaction',
}

/** The wallet is locked while a site waits; once it is open, the request itself comes up. */
export function UnlockApproval({ view, review, onDecide, onPassword }: UnlockApprovalProps) {
  const [sent, setSent] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const reject = async () => {
    setSent(true)
    try {
      await onDecide('reject')
    } catch (problem) {
      setFailure(problem instanceof Error ? problem.message : String(problem))
      setSent(false)
    }
  }
  const wish = WISHES[review.method] ?? `asks for ${spellVisible(review.method).slice(0, 40)}`
  return (
    <UnlockForm
      delayMs={0}
      onPassword={onPassword}
      head={<ApprovalHead view={view} />}
      beside={<RejectButton disabled={sent} onReject={() => void reject()} />}
    >
      <Title focus={false}>
        Unlock: <span className="breakable">{describeOrigin(view.origin).host}</span> {wish}
      </Title>
      <AskedBy origin={view.origin} />
      <p className="muted">
        Unlocking approves nothing yet. You see the request itself next, where it needs an answer.
      </p>
      {failure ? (
        <Notice tone="danger" live>
          {failure}
        </Notice>
      ) : null}
    </UnlockForm>
  )
}

import { CircleCheck, CircleSlash } from 'lucide-react'
import type { ApprovalView, UnlockResult } from '../../background/ui-methods/ui-methods.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import { ScreenSkeleton } from '../ui/skeleton.tsx'
import { useTouch } from '../use-touch.ts'
import './approvals.css'
import { ConnectApproval } from './connect.tsx'
import { PushTxApproval } from './push-tx.tsx'
import { SendBitcoinApproval } from './send-bitcoin.tsx'
import { SignMessageApproval } from './sign-message.tsx'
import { UnlockApproval } from './unlock.tsx'
import { type ApprovalPhase, approvalId, type Decision, useApproval } from './use-approval.ts'

/** The approval window: one request after the other, then closing words. */
export function ApprovalQueue() {
  const { phase, refresh, decide, unlock } = useApproval()
  useTouch(phase.kind === 'open' && phase.view.review.kind !== 'unlock')
  if (phase.kind === 'loading') return <ScreenSkeleton />
  if (phase.kind === 'open') {
    const { view } = phase
    return (
      <Approval
        // Another request or other content is a new screen, with nothing kept from the last.
        key={approvalId(view)}
        view={view}
        onDecide={decision => decide(view, decision)}
        onPassword={password => unlock(view, password)}
      />
    )
  }
  if (phase.kind === 'failed') {
    return (
      <Screen
        foot={
          <Button look="primary" onClick={refresh}>
            Try again
          </Button>
        }
      >
        <Title>The request cannot be shown</Title>
        <Notice tone="caution">{phase.problem}</Notice>
        <p className="muted">Nothing was signed. Closing this window rejects the request.</p>
      </Screen>
    )
  }
  return <ClosingWords phase={phase} />
}

type ApprovalProps = {
  view: ApprovalView
  onDecide: (decision: Decision) => Promise<void>
  onPassword: (password: string) => Promise<UnlockResult>
}

function Approval({ view, onDecide, onPassword }: ApprovalProps) {
  const { review } = view
  switch (review.kind) {
    case 'connect':
      return <ConnectApproval view={view} onDecide={onDecide} />
    case 'sign-message':
      return <SignMessageApproval view={view} review={review} onDecide={onDecide} />
    case 'send-bitcoin':
      return <SendBitcoinApproval view={view} review={review} onDecide={onDecide} />
    case 'push-tx':
      return <PushTxApproval view={view} review={review} onDecide={onDecide} />
    case 'unlock':
      return (
        <UnlockApproval view={view} review={review} onDecide={onDecide} onPassword={onPassword} />
      )
  }
}

function ClosingWords({ phase }: { phase: ApprovalPhase & { kind: 'decided' | 'gone' } }) {
  const good = phase.kind === 'decided' && phase.decision !== 'reject'
  const Icon = good ? CircleCheck : CircleSlash
  return (
    <Screen>
      <div className={`closing${good ? ' good' : ''}`} role="status">
        <Icon size={48} strokeWidth={1.5} aria-hidden />
        <h1>{closingTitle(phase)}</h1>
        <p className="muted">{closingText(phase)}</p>
      </div>
    </Screen>
  )
}

function closingTitle(phase: ApprovalPhase & { kind: 'decided' | 'gone' }): string {
  if (phase.kind === 'gone') return 'No longer asked'
  if (phase.decision === 'unlock') return 'Unlocked'
  return phase.decision === 'approve' ? 'Approved' : 'Rejected'
}

function closingText(phase: ApprovalPhase & { kind: 'decided' | 'gone' }): string {
  if (phase.kind === 'gone')
    return 'The site took its request back, or it expired. Nothing was signed.'
  if (phase.decision === 'unlock') return 'The request goes on.'
  return phase.decision === 'approve'
    ? 'The site gets its answer now.'
    : 'Nothing was signed and nothing was shared.'
}

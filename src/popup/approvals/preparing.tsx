import { words } from '../platform/words.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import textStyles from '../ui/styles/text.module.css'
import { ApprovalHead, type ApprovalScreenProps, AskedBy, RejectButton } from './approval-frame.tsx'
import { useDecision } from './use-decision.ts'

/** Who asks, while it is still being worked out what: there is nothing to approve yet. */
export function PreparingApproval({ view, onDecide }: ApprovalScreenProps) {
  const { sent, failure, decide } = useDecision(onDecide)
  return (
    <Screen
      room="review"
      head={<ApprovalHead view={view} />}
      foot={
        <>
          {failure ? (
            <Notice tone="danger" title={words('approvalFailed')} live>
              {failure}
            </Notice>
          ) : null}
          <div className={layoutStyles.answers}>
            <RejectButton disabled={sent !== null} onReject={() => void decide('reject')} />
            <Button variant="primary" data-testid="preparing" busy>
              {words('sendPlanning')}
            </Button>
          </div>
        </>
      }
    >
      <Title>{words('approvalPreparing')}</Title>
      <AskedBy view={view} disabled={sent !== null} onBlock={() => void decide('block')} />
      <p className={textStyles.muted}>{words('approvalPreparingNote')}</p>
      <SkeletonRows count={3} />
    </Screen>
  )
}

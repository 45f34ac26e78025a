/**
 * One screen for each kind of question that a site can ask, in the order in which they came. A screen shows what the
 * background found and sends back a decision with the digest of what it showed; it never sees keys and never sends bytes to
 * sign. A press decides nothing in the first moment that a screen is there.
 */

import { CircleCheck, CircleSlash } from 'lucide-react'
import type { ApprovalView } from '../../background/views/approval-views.ts'
import { type WordKey, words } from '../platform/words.ts'
import { useTouch } from '../state/use-touch.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import { ScreenSkeleton } from '../ui/skeleton.tsx'
import textStyles from '../ui/styles/text.module.css'
import { approvalId } from './answered.ts'
import type { ApprovalScreenProps } from './approval-frame.tsx'
import styles from './approval-queue.module.css'
import { Brc20AmountApproval } from './brc20-amount.tsx'
import { ChooseAccountApproval } from './choose-account.tsx'
import { ConnectApproval } from './connect.tsx'
import { DeriveContextHashApproval } from './derive-context-hash.tsx'
import { InscribeApproval } from './inscribe.tsx'
import { PaymentApproval } from './payment.tsx'
import { PreparingApproval } from './preparing.tsx'
import { PushTxApproval } from './push-tx.tsx'
import { RuneMintApproval } from './rune-mint.tsx'
import { SendBatchApproval } from './send-batch.tsx'
import { SignMessageApproval, SignMessagesApproval } from './signing/sign-message.tsx'
import { SignOnDeviceApproval } from './signing/sign-on-device.tsx'
import { SignPsbtApproval } from './signing/sign-psbt.tsx'
import { SwitchNetworkApproval } from './switch-network.tsx'
import { UnlockApproval, type UnlockApprovalProps } from './unlock.tsx'
import { type ApprovalPhase, useApproval } from './use-approval.ts'

/** The approval window: one request after the other, then closing words. */
export function ApprovalQueue() {
  return <ApprovalScreen {...useApproval(null)} />
}

/** What is asked on a surface, or why nothing is. */
export function ApprovalScreen({ phase, refresh, decide, unlock }: ReturnType<typeof useApproval>) {
  useTouch(phase.kind === 'open' && phase.view.review.kind !== 'unlock')
  if (phase.kind === 'loading' || phase.kind === 'none') return <ScreenSkeleton />
  if (phase.kind === 'open') {
    const { view } = phase
    return (
      <Approval
        // Another request or other content is a new screen, with nothing kept from the last.
        key={approvalId(view)}
        view={view}
        onDecide={(decision, input) => decide(view, decision, input)}
        onUnlock={attempt => unlock(view, attempt)}
      />
    )
  }
  if (phase.kind === 'failed') {
    return (
      <Screen
        foot={
          <Button variant="primary" onClick={refresh}>
            {words('commonTryAgain')}
          </Button>
        }
      >
        <Title>{words('approvalCannotShow')}</Title>
        <Notice tone="caution">{phase.problem}</Notice>
        <p className={textStyles.muted}>{words('approvalCannotShowNote')}</p>
      </Screen>
    )
  }
  return <ClosingWords phase={phase} />
}

type ApprovalProps = {
  view: ApprovalView
  onDecide: ApprovalScreenProps['onDecide']
  onUnlock: UnlockApprovalProps['onUnlock']
}

function Approval({ view, onDecide, onUnlock }: ApprovalProps) {
  const { review } = view
  switch (review.kind) {
    case 'connect':
      return <ConnectApproval view={view} onDecide={onDecide} />
    case 'choose-account':
      return <ChooseAccountApproval view={view} onDecide={onDecide} />
    case 'switch-network':
      return <SwitchNetworkApproval view={view} review={review} onDecide={onDecide} />
    case 'sign-message':
      return <SignMessageApproval view={view} review={review} onDecide={onDecide} />
    case 'derive-context-hash':
      return <DeriveContextHashApproval view={view} review={review} onDecide={onDecide} />
    case 'sign-messages':
      return <SignMessagesApproval view={view} review={review} onDecide={onDecide} />
    case 'payment':
      return <PaymentApproval view={view} review={review} onDecide={onDecide} />
    case 'push-tx':
      return <PushTxApproval view={view} review={review} onDecide={onDecide} />
    case 'sign-psbt':
      return <SignPsbtApproval view={view} review={review} onDecide={onDecide} />
    case 'send-batch':
      return <SendBatchApproval view={view} review={review} onDecide={onDecide} />
    case 'inscribe':
      return <InscribeApproval view={view} review={review} onDecide={onDecide} />
    case 'rune-mint':
      return <RuneMintApproval view={view} review={review} onDecide={onDecide} />
    case 'brc20-amount':
      return <Brc20AmountApproval view={view} review={review} onDecide={onDecide} />
    case 'sign-on-device':
      return <SignOnDeviceApproval view={view} review={review} onDecide={onDecide} />
    case 'preparing':
      return <PreparingApproval view={view} onDecide={onDecide} />
    case 'unlock':
      return <UnlockApproval view={view} review={review} onDecide={onDecide} onUnlock={onUnlock} />
  }
}

type ClosingPhase = ApprovalPhase & { kind: 'decided' | 'gone' }

function ClosingWords({ phase }: { phase: ClosingPhase }) {
  const good = phase.kind === 'decided' && phase.decision !== 'reject' && phase.decision !== 'block'
  const { title, texts } = wordsOf(phase)
  const Icon = good ? CircleCheck : CircleSlash
  return (
    <Screen>
      <div className={classNames(styles.closing, good && styles.good)} role="status">
        <Icon size={48} strokeWidth={1.5} aria-hidden />
        <h1>{title}</h1>
        {texts.map(text => (
          <p key={text} className={textStyles.muted}>
            {text}
          </p>
        ))}
      </div>
    </Screen>
  )
}

function wordsOf(phase: ClosingPhase): { title: string; texts: string[] } {
  if (phase.kind === 'gone' && phase.problem)
    return {
      title: words('approvalUnprepared'),
      texts: [phase.problem, words('approvalRejectedNote')],
    }
  const { title, text } = CLOSING_WORDS[phase.kind === 'gone' ? 'gone' : phase.decision]
  return { title: words(title), texts: [words(text)] }
}

const CLOSING_WORDS: {
  [end in (ApprovalPhase & { kind: 'decided' })['decision'] | 'gone']: {
    title: WordKey
    text: WordKey
  }
} = {
  approve: { title: 'approvalApproved', text: 'approvalApprovedNote' },
  reject: { title: 'approvalRejected', text: 'approvalRejectedNote' },
  block: { title: 'approvalBlocked', text: 'approvalBlockedNote' },
  'fill-in': { title: 'approvalFilledIn', text: 'approvalFilledInNote' },
  unlock: { title: 'approvalUnlocked', text: 'approvalUnlockedNote' },
  gone: { title: 'approvalGone', text: 'approvalGoneNote' },
}

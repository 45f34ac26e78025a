import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ApprovalView } from '../../background/views/approval-views.ts'
import { words } from '../platform/words.ts'
import { ApproveButton } from '../review/approve-button.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { Identicon } from '../ui/pictures/identicon.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import pillStyles from '../ui/styles/pill.module.css'
import textStyles from '../ui/styles/text.module.css'
import { isTestNetwork, NETWORK_NAMES, sayName } from '../ui/text/names.ts'
import { describeOrigin } from '../ui/text/site-origin.ts'
import styles from './approval-frame.module.css'
import { FocusHint } from './focus-hint.tsx'
import { Unfamiliar } from './unfamiliar.tsx'
import type { Decision } from './use-approval.ts'
import { useDecision } from './use-decision.ts'

export type ApprovalScreenProps = {
  view: ApprovalView
  /** `input` is what the person was asked to fill in. */
  onDecide: (decision: Decision, input?: string) => Promise<void>
}

type ApprovalFrameProps = ApprovalScreenProps & {
  /** What happens, in plain words: the h1. */
  effect: ReactNode
  /** The word on the approving button; null where there is nothing to approve. */
  verb: string | null
  /** Something that the person has to do first. */
  blocked?: boolean
  /** What the person filled in, for a review that asks for something. */
  input?: string
  /** Stands above the buttons, where it cannot be overlooked. */
  consent?: ReactNode
  children: ReactNode
}

/** What every approval has: place in the queue, who asks, account, network, and two equal buttons. */
export function ApprovalFrame({
  view,
  onDecide,
  effect,
  verb,
  blocked = false,
  input,
  consent,
  children,
}: ApprovalFrameProps) {
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
          <FocusHint />
          {consent}
          <div className={layoutStyles.answers}>
            <RejectButton disabled={sent !== null} onReject={() => void decide('reject')} />
            {verb === null ? null : (
              <ApproveButton
                digest={view.digest}
                verb={verb}
                blocked={blocked || sent === 'reject' || sent === 'block'}
                busy={sent === 'approve'}
                onApprove={() => void decide('approve', input)}
              />
            )}
          </div>
        </>
      }
    >
      <Title>{effect}</Title>
      <AskedBy view={view} disabled={sent !== null} onBlock={() => void decide('block')} />
      <Unfamiliar view={view} />
      {children}
    </Screen>
  )
}

export function RejectButton(props: { disabled: boolean; onReject: () => void }) {
  return (
    <Button
      variant="secondary"
      data-testid="reject"
      disabled={props.disabled}
      onClick={props.onReject}
    >
      {words('approvalReject')}
    </Button>
  )
}

export function ApprovalHead({ view }: { view: ApprovalView }) {
  const { position, total, account, network } = view
  return (
    <div className={styles.head}>
      <span
        role="status"
        className={
          total > 1 ? classNames(pillStyles.pill, pillStyles.queue) : textStyles.visuallyHidden
        }
      >
        {words('approvalPlace', { position, total })}
      </span>
      {account ? (
        <span className={styles.who}>
          <Identicon text={account.id} size={20} />
          <span className={styles.name}>{sayName(account.name)}</span>
        </span>
      ) : null}
      <span
        className={classNames(
          pillStyles.pill,
          layoutStyles.push,
          isTestNetwork(network) && pillStyles.test,
        )}
      >
        {NETWORK_NAMES[network]}
      </span>
    </div>
  )
}

type AskedByProps = { view: ApprovalView; disabled: boolean; onBlock: () => void }

/** The origin that asks, and what is odd about it. Who has just said no to it can make that the last time. */
export function AskedBy({ view: { origin, wasDeclined }, disabled, onBlock }: AskedByProps) {
  const site = describeOrigin(origin)
  return (
    <div className={styles.askedBy}>
      <div className={styles.site}>
        <Identicon text={origin} size={28} />
        <span>
          <span className={textStyles.note}>{words('approvalAskedBy')}</span>
          <span className={classNames(textStyles.mono, styles.origin)} data-testid="origin">
            {origin}
          </span>
        </span>
      </div>
      {wasDeclined ? (
        <Button variant="quiet" start disabled={disabled} onClick={onBlock}>
          <Ban size={16} aria-hidden />
          {words('approvalBlock')}
        </Button>
      ) : null}
      {site.international ? (
        <Notice tone="caution" title={words('approvalForeignLetters')}>
          {words('approvalForeignLettersNote')}
        </Notice>
      ) : null}
      {site.unencrypted && !site.local ? (
        <Notice tone="caution" title={words('approvalUnencrypted')}>
          {words('approvalUnencryptedNote')}
        </Notice>
      ) : null}
    </div>
  )
}

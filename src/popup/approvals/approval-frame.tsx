import { type KeyboardEvent, type ReactNode, useState } from 'react'
import type { ApprovalView } from '../../background/ui-methods/ui-methods.ts'
import { Button } from '../ui/button.tsx'
import { Identicon } from '../ui/identicon.tsx'
import { isTestNetwork, NETWORK_NAMES } from '../ui/names.ts'
import { Notice } from '../ui/notice.tsx'
import { Screen, Title } from '../ui/screen.tsx'
import { describeOrigin } from '../ui/site-origin.ts'
import { useArmed } from '../use-armed.ts'
import type { Decision } from './use-approval.ts'

export type ApprovalScreenProps = {
  view: ApprovalView
  onDecide: (decision: Decision) => Promise<void>
}

type ApprovalFrameProps = ApprovalScreenProps & {
  /** What happens, in plain words: the h1. */
  effect: ReactNode
  /** The word on the approving button. */
  verb: string
  /** Something that the person has to do first. */
  blocked?: boolean
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
  consent,
  children,
}: ApprovalFrameProps) {
  const armed = useArmed(view.digest)
  const [sent, setSent] = useState<Decision | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const decide = async (decision: Decision) => {
    setSent(decision)
    setFailure(null)
    try {
      await onDecide(decision)
    } catch (problem) {
      setFailure(problem instanceof Error ? problem.message : String(problem))
      setSent(null)
    }
  }
  return (
    <Screen
      head={<ApprovalHead view={view} />}
      foot={
        <>
          {failure ? (
            <Notice tone="danger" title="That did not work" live>
              {failure}
            </Notice>
          ) : null}
          {consent}
          <div className="answers">
            <RejectButton disabled={sent !== null} onReject={() => void decide('reject')} />
            <Button
              look="primary"
              data-testid="approve"
              disabled={!armed || blocked || sent === 'reject'}
              busy={sent === 'approve'}
              onKeyDown={ignoreHeldKey}
              onClick={() => void decide('approve')}
            >
              {verb}
            </Button>
          </div>
        </>
      }
    >
      <Title>{effect}</Title>
      <AskedBy origin={view.origin} />
      {children}
    </Screen>
  )
}

export function RejectButton(props: { disabled: boolean; onReject: () => void }) {
  return (
    <Button
      look="secondary"
      data-testid="reject"
      disabled={props.disabled}
      onClick={props.onReject}
    >
      Reject
    </Button>
  )
}

/** A key that is still held down from before must not press the button. */
function ignoreHeldKey(event: KeyboardEvent) {
  if (event.repeat) event.preventDefault()
}

export function ApprovalHead({ view }: { view: ApprovalView }) {
  const { position, total, account, network } = view
  return (
    <div className="approval-head">
      <span role="status" className={total > 1 ? 'pill queue' : 'hidden-text'}>
        {position} of {total}
      </span>
      {account ? (
        <span className="who">
          <Identicon text={account.id} size={20} />
          {account.name}
        </span>
      ) : null}
      <span className={`pill push${isTestNetwork(network) ? ' test' : ''}`}>
        {NETWORK_NAMES[network]}
      </span>
    </div>
  )
}

/** The origin that asks, and what is odd about it. */
export function AskedBy({ origin }: { origin: string }) {
  const site = describeOrigin(origin)
  return (
    <div className="asked-by">
      <div className="site">
        <Identicon text={origin} size={28} />
        <span>
          <span className="muted small">Asked by</span>
          <span className="mono origin" data-testid="origin">
            {origin}
          </span>
        </span>
      </div>
      {site.international ? (
        <Notice tone="caution" title="The name has letters of other alphabets">
          It can look like another site’s name. This is its spelling in plain letters.
        </Notice>
      ) : null}
      {site.unencrypted && !site.local ? (
        <Notice tone="caution" title="The connection is not encrypted">
          Others on the way can change what this site asks for.
        </Notice>
      ) : null}
    </div>
  )
}

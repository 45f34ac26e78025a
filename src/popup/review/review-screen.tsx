/**
 * What a transaction does, before it is signed and after: effects, flow, assets, warnings, and the boxes that a person has to
 * tick. Approvals and the wallet's own payments share it, so that both say the same about the same transaction. It takes
 * every claim and its certainty from the background's review and never works one out itself.
 */

import type { ReactNode } from 'react'
import type { AccountView } from '../../background/views/account-views.ts'
import type { Network } from '../../bitcoin/network.ts'
import { words } from '../platform/words.ts'
import type { useTask } from '../state/use-task.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import { Identicon } from '../ui/pictures/identicon.tsx'
import { BackButton, Screen, Title } from '../ui/screen.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import pillStyles from '../ui/styles/pill.module.css'
import { isTestNetwork, NETWORK_NAMES, sayName } from '../ui/text/names.ts'
import { ApproveButton } from './approve-button.tsx'
import type { useConsents } from './consents.tsx'
import styles from './review-screen.module.css'

type ReviewScreenProps = {
  title: ReactNode
  /** Of the account in use; undefined once that is gone. */
  account: AccountView | undefined
  network: Network
  digest: string
  verb: string
  consents: ReturnType<typeof useConsents>
  /** What approving starts; `failed` stands above why it went wrong. */
  task: ReturnType<typeof useTask>
  failed: string
  /** The word on the button that goes back; "Edit" unless given. */
  back?: string
  onBack: () => void
  onApprove: () => void
  children: ReactNode
}

/** What our own pages are about to sign, as the approval of a site's would show it. */
export function ReviewScreen(props: ReviewScreenProps) {
  const { title, account, network, digest, verb, consents, task, onBack } = props
  return (
    <Screen
      room="review"
      head={
        <>
          {task.busy ? null : <BackButton onBack={onBack} />}
          <span className={styles.account}>
            {account ? <Identicon text={account.id} size={20} /> : null}
            <span className={styles.name}>{account ? sayName(account.name) : null}</span>
          </span>
          <span
            className={classNames(
              pillStyles.pill,
              layoutStyles.push,
              styles.network,
              isTestNetwork(network) && pillStyles.test,
            )}
          >
            {NETWORK_NAMES[network]}
          </span>
        </>
      }
      foot={
        <>
          {task.failure ? (
            <Notice tone="danger" title={props.failed} live>
              {task.failure}
            </Notice>
          ) : null}
          {consents.boxes}
          <div className={layoutStyles.answers}>
            <Button variant="secondary" disabled={task.busy} onClick={onBack}>
              {props.back ?? words('sendEdit')}
            </Button>
            <ApproveButton
              digest={digest}
              verb={verb}
              blocked={consents.blocked}
              busy={task.busy}
              onApprove={props.onApprove}
            />
          </div>
        </>
      }
    >
      <Title>{title}</Title>
      {props.children}
    </Screen>
  )
}

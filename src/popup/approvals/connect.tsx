import { Check, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { richWords, type WordKey, words } from '../platform/words.ts'
import { WholeText } from '../review/whole-text.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import { AccountAddresses } from '../ui/text/account-addresses.tsx'
import { nameScriptKind } from '../ui/text/names.ts'
import { describeOrigin } from '../ui/text/site-origin.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import powersStyles from './powers.module.css'

/** A site asks to see the account. */
export function ConnectApproval({ view, onDecide }: ApprovalScreenProps) {
  const { account } = view
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('connectVerb')}
      effect={richWords('connectEffect', {
        account: <WholeText text={account?.name ?? ''} />,
        site: <WholeText text={describeOrigin(view.origin).host} />,
      })}
    >
      {account ? (
        <div className={layoutStyles.stack}>
          <h2>
            {account.name} · {nameScriptKind(account)}
          </h2>
          <AccountAddresses account={account} />
        </div>
      ) : null}
      <ul className={powersStyles.powers}>
        <Power
          icon={<Check size={18} className={powersStyles.yes} aria-hidden />}
          text={account?.ordinals ? 'connectSeesBoth' : 'connectSees'}
          lead="connectSeesLead"
        />
        <Power
          icon={<Check size={18} className={powersStyles.yes} aria-hidden />}
          text="connectAsks"
          lead="connectAsksLead"
        />
        <Power
          icon={<X size={18} className={powersStyles.no} aria-hidden />}
          text="connectCannot"
          lead="connectCannotLead"
        />
      </ul>
    </ApprovalFrame>
  )
}

function Power(props: { icon: ReactNode; text: WordKey; lead: WordKey }) {
  return (
    <li>
      {props.icon}
      <span>{richWords(props.text, { lead: <b>{words(props.lead)}</b> })}</span>
    </li>
  )
}

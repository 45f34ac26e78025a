import { Check, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { GrantTerm } from '../../background/views/settings-views.ts'
import { richWords, type WordKey, words } from '../platform/words.ts'
import { WholeText } from '../review/whole-text.tsx'
import { SelectField } from '../ui/fields/field.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import { AccountAddresses } from '../ui/text/account-addresses.tsx'
import { nameScriptKind } from '../ui/text/account-kinds.ts'
import { GRANT_TERMS, TERM_NAMES } from '../ui/text/grant-terms.ts'
import { sayName } from '../ui/text/names.ts'
import { describeOrigin } from '../ui/text/site-origin.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import powersStyles from './powers.module.css'

/** A site asks to see the account. */
export function ConnectApproval({ view, onDecide }: ApprovalScreenProps) {
  const { account } = view
  const [term, setTerm] = useState<GrantTerm>('always')
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('connectVerb')}
      {...(term === 'always' ? {} : { input: term })}
      effect={richWords('connectEffect', {
        account: <WholeText text={account ? sayName(account.name) : ''} />,
        site: <WholeText text={describeOrigin(view.origin).host} />,
      })}
    >
      {account ? (
        <div className={layoutStyles.stack}>
          <h2>
            {sayName(account.name)} · {nameScriptKind(account)}
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
      <SelectField<GrantTerm>
        label={words('siteTerm')}
        value={term}
        options={GRANT_TERMS.map(value => ({ value, name: words(TERM_NAMES[value]) }))}
        onChoose={setTerm}
      />
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

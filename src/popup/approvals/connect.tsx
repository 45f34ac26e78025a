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

/** A site asks to see the account in use. */
export function ConnectApproval(props: ApprovalScreenProps) {
  return <ConnectQuestion {...props} inputOf={term => (term === 'always' ? undefined : term)} />
}

type ConnectQuestionProps = ApprovalScreenProps & {
  /** What goes with an approval for so long. */
  inputOf: (term: GrantTerm) => string | undefined
  /** Stands below the account. */
  aside?: ReactNode
}

/** What a site gets to see and may ask once it is connected to the account of the view, and for how long. */
export function ConnectQuestion({ view, onDecide, inputOf, aside }: ConnectQuestionProps) {
  const { account } = view
  const [term, setTerm] = useState<GrantTerm>('always')
  const input = inputOf(term)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('connectVerb')}
      {...(input === undefined ? {} : { input })}
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
          {aside}
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

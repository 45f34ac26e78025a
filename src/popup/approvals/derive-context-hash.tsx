import { Check, KeyRound, X } from 'lucide-react'
import type { DeriveContextHashReview } from '../../background/views/approval-views.ts'
import { countWords, richWords, words } from '../platform/words.ts'
import { Fold } from '../review/fold.tsx'
import { WholeText } from '../review/whole-text.tsx'
import { classNames } from '../ui/class-names.ts'
import { Notice } from '../ui/notice.tsx'
import factsStyles from '../ui/styles/facts.module.css'
import textStyles from '../ui/styles/text.module.css'
import { describeOrigin } from '../ui/text/site-origin.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import powersStyles from './powers.module.css'

type DeriveContextHashProps = ApprovalScreenProps & { review: DeriveContextHashReview }

/** Characters of a context that are seen without opening it: what fits on one line. */
const SHOWN = 16

/** A site asks for a secret that only this account can make. */
export function DeriveContextHashApproval({ view, review, onDecide }: DeriveContextHashProps) {
  const { appName, context } = review
  const site = <WholeText text={describeOrigin(view.origin).host} />
  const ofKey = view.account?.source === 'key'
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('secretVerb')}
      effect={richWords('secretEffect', { site })}
    >
      {review.isNameInHost ? null : (
        <Notice tone="caution" title={words('secretOtherName')}>
          <p>{richWords('secretOtherNameNote', { app: <b>{appName}</b>, site })}</p>
        </Notice>
      )}
      <dl className={factsStyles.facts}>
        <div>
          <dt>{words('secretApp')}</dt>
          <dd className={textStyles.mono}>{appName}</dd>
        </div>
        <div>
          <dt>{words('signCost')}</dt>
          <dd>{words('signNothing')}</dd>
        </div>
      </dl>
      <ContextBytes context={context} />
      <ul className={powersStyles.powers}>
        <li>
          <Check size={18} className={powersStyles.yes} aria-hidden />
          <span>{richWords('secretGets', { lead: <b>{words('secretGetsLead')}</b> })}</span>
        </li>
        <li>
          <KeyRound size={18} className={powersStyles.yes} aria-hidden />
          <span>
            {ofKey
              ? richWords('secretOfKey', { lead: <b>{words('secretOfKeyLead')}</b> })
              : richWords('secretOfPhrase', { lead: <b>{words('secretOfPhraseLead')}</b> })}
          </span>
        </li>
        <li>
          <X size={18} className={powersStyles.no} aria-hidden />
          <span>{richWords('secretCannot', { lead: <b>{words('secretCannotLead')}</b> })}</span>
        </li>
      </ul>
      <p className={textStyles.note}>{words('secretConsequence')}</p>
    </ApprovalFrame>
  )
}

/** Start and end of the bytes; all of them at a press, where that is not all. */
function ContextBytes({ context }: { context: string }) {
  const size = countWords('secretContext', context.length / 2)
  if (context.length <= SHOWN) {
    return (
      <p className={textStyles.note}>
        {size} <span className={textStyles.mono}>{context}</span>
      </p>
    )
  }
  const short = `${context.slice(0, SHOWN / 2)}…${context.slice(-SHOWN / 2)}`
  return (
    <Fold
      summary={
        <span>
          {size} <span className={textStyles.mono}>{short}</span>
        </span>
      }
    >
      <p className={classNames(textStyles.mono, textStyles.breakable)} data-testid="context">
        {context}
      </p>
    </Fold>
  )
}

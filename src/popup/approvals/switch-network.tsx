import { Check, OctagonX, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SwitchNetworkReview } from '../../background/views/approval-views.ts'
import { richWords, words } from '../platform/words.ts'
import { WholeText } from '../review/whole-text.tsx'
import { Notice } from '../ui/notice.tsx'
import layoutStyles from '../ui/styles/layout.module.css'
import textStyles from '../ui/styles/text.module.css'
import { AccountAddresses } from '../ui/text/account-addresses.tsx'
import { nameScriptKind } from '../ui/text/account-kinds.ts'
import { isTestNetwork, NETWORK_NAMES, sayName } from '../ui/text/names.ts'
import { describeOrigin } from '../ui/text/site-origin.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'
import powersStyles from './powers.module.css'

type SwitchNetworkApprovalProps = ApprovalScreenProps & { review: SwitchNetworkReview }

/** A site asks for another network, which the whole wallet then is on. */
export function SwitchNetworkApproval({ view, review, onDecide }: SwitchNetworkApprovalProps) {
  const { account, network } = review
  const from = NETWORK_NAMES[view.network]
  const to = NETWORK_NAMES[network]
  const { host } = describeOrigin(view.origin)
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb={words('switchVerb')}
      effect={words('switchEffect', { from, to })}
    >
      {isTestNetwork(network) ? (
        <Notice tone="info" title={words('switchTest')}>
          {words('switchTestNote', { to })}
        </Notice>
      ) : (
        <Notice tone="caution" title={words('switchReal')}>
          {words('switchRealNote', { to })}
        </Notice>
      )}
      <div className={layoutStyles.stack}>
        <p className={textStyles.note}>
          {richWords('switchSees', { site: <WholeText text={host} />, to })}
        </p>
        <h2>
          {sayName(account.name)} · {nameScriptKind(account)}
        </h2>
        <AccountAddresses account={account} />
      </div>
      <ul className={powersStyles.powers}>
        <Effect
          icon={<RefreshCw size={18} className={powersStyles.yes} aria-hidden />}
          text={richWords('switchWhole', { lead: <b>{words('switchWholeLead')}</b>, to })}
        />
        <Effect
          icon={<OctagonX size={18} className={powersStyles.yes} aria-hidden />}
          text={richWords('switchEnds', { lead: <b>{words('switchEndsLead')}</b>, from })}
        />
        <Effect
          icon={<Check size={18} className={powersStyles.yes} aria-hidden />}
          text={richWords('connectSees', { lead: <b>{words('connectSeesLead')}</b> })}
        />
      </ul>
    </ApprovalFrame>
  )
}

function Effect(props: { icon: ReactNode; text: ReactNode }) {
  return (
    <li>
      {props.icon}
      <span>{props.text}</span>
    </li>
  )
}

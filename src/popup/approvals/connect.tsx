import { Check, X } from 'lucide-react'
import { AddressText } from '../ui/address-text.tsx'
import { ADDRESS_TYPE_NAMES } from '../ui/names.ts'
import { describeOrigin } from '../ui/site-origin.ts'
import { ApprovalFrame, type ApprovalScreenProps } from './approval-frame.tsx'

/** A site asks to see the account. */
export function ConnectApproval({ view, onDecide }: ApprovalScreenProps) {
  const { account } = view
  return (
    <ApprovalFrame
      view={view}
      onDecide={onDecide}
      verb="Connect"
      effect={
        <>
          You show <span className="short-address">{account?.name ?? 'an account'}</span> to{' '}
          <span className="breakable">{describeOrigin(view.origin).host}</span>
        </>
      }
    >
      {account ? (
        <div className="stack">
          <h2>
            {account.name} · {ADDRESS_TYPE_NAMES[account.addressType]}
          </h2>
          <AddressText address={account.address} />
        </div>
      ) : null}
      <ul className="powers">
        <li>
          <Check size={18} className="yes" aria-hidden />
          <span>
            <b>It sees</b> this address, its public key, its balance and its history, now and later
          </span>
        </li>
        <li>
          <Check size={18} className="yes" aria-hidden />
          <span>
            <b>It may ask</b> you to sign messages and to send bitcoin
          </span>
        </li>
        <li>
          <X size={18} className="no" aria-hidden />
          <span>
            <b>It cannot</b> sign or spend anything that you have not approved
          </span>
        </li>
      </ul>
    </ApprovalFrame>
  )
}

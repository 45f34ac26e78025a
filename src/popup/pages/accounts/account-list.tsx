import { Check, Eye, SlidersHorizontal } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import { Link } from '../../ui/row.tsx'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { nameAddressType } from '../../ui/text/names.ts'
import './accounts.css'

type AccountListProps = {
  accounts: readonly AccountView[]
  accountId: string | null
  onChoose: (accountId: string) => void
  /** Each entry leads to its account's own page too. */
  withPages?: boolean
}

/** Accounts to choose from; arrow keys walk the list, as in a menu. */
export function AccountList({ accounts, accountId, onChoose, withPages }: AccountListProps) {
  return (
    <ul className="choices account-list" onKeyDown={walk}>
      {accounts.map(account => (
        <li key={account.id}>
          <button
            type="button"
            className="choice"
            aria-current={account.id === accountId}
            onClick={() => onChoose(account.id)}
          >
            <Identicon text={account.id} size={32} />
            <AccountText account={account} />
            {account.id === accountId ? (
              <Check size={20} className="chosen" aria-label={words('accountsInUse')} />
            ) : null}
          </button>
          {withPages ? (
            <Link to={`/accounts/of/${account.id}`} className="icon-button">
              <SlidersHorizontal size={18} aria-hidden />
              <span className="hidden-text">
                {words('accountsDetailsOf', { name: account.name })}
              </span>
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** Name, kind and the ends of the address. */
export function AccountText({ account }: { account: AccountView }) {
  return (
    <span className="text">
      <span className="name">{account.name}</span>{' '}
      <span className="muted small">
        {nameAddressType(account.addressType)}{' '}
        <span className="mono">{shortenAddress(account.address)}</span>
      </span>
      {account.source === 'seed' ? null : (
        <>
          {' '}
          <span className="muted small source">
            {account.source === 'watch' ? <Eye size={14} aria-hidden /> : null}
            {account.source === 'watch' ? words('accountsWatched') : words('accountsOwnKey')}
          </span>
        </>
      )}
    </span>
  )
}

function walk(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const buttons: Element[] = [...event.currentTarget.querySelectorAll('.choice')]
  const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1
  const next = buttons[(at + step + buttons.length) % buttons.length]
  if (next instanceof HTMLElement) next.focus()
}

import { Check, Eye, SlidersHorizontal } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import buttonStyles from '../../ui/button.module.css'
import { classNames } from '../../ui/class-names.ts'
import choiceStyles from '../../ui/fields/choice.module.css'
import { Identicon } from '../../ui/pictures/identicon.tsx'
import { Link } from '../../ui/row.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { namePolicy, nameScriptKind } from '../../ui/text/account-kinds.ts'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { sayName } from '../../ui/text/names.ts'
import styles from './account-list.module.css'

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
    <ul className={classNames(choiceStyles.choices, styles.list)} onKeyDown={walk}>
      {accounts.map(account => (
        <li key={account.id}>
          <button
            type="button"
            className={choiceStyles.choice}
            aria-current={account.id === accountId}
            onClick={() => onChoose(account.id)}
          >
            <Identicon text={account.id} size={32} />
            <AccountText account={account} />
            {account.id === accountId ? (
              <Check size={20} className={styles.chosen} aria-label={words('accountsInUse')} />
            ) : null}
          </button>
          {withPages ? (
            <Link to={`/accounts/of/${account.id}`} className={buttonStyles.iconButton}>
              <SlidersHorizontal size={18} aria-hidden />
              <span className={textStyles.visuallyHidden}>
                {words('accountsDetailsOf', { name: sayName(account.name) })}
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
    <span className={choiceStyles.text}>
      <span className={classNames(choiceStyles.name, styles.name)}>{sayName(account.name)}</span>{' '}
      <span className={textStyles.note}>
        {nameScriptKind(account)}{' '}
        <span className={classNames(textStyles.mono, textStyles.nowrap)}>
          {shortenAddress(account.address)}
        </span>
      </span>
      {account.source === 'seed' ? null : (
        <>
          {' '}
          <span className={classNames(textStyles.note, styles.source)}>
            {account.source === 'watch' ? <Eye size={14} aria-hidden /> : null}
            {account.source === 'multisig' ? namePolicy(account) : words(SOURCES[account.source])}
          </span>
        </>
      )}
    </span>
  )
}

const SOURCES = {
  key: 'accountsOwnKey',
  device: 'accountsOnDevice',
  watch: 'accountsWatched',
} as const

function walk(event: KeyboardEvent<HTMLElement>) {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  event.preventDefault()
  const buttons: Element[] = [...event.currentTarget.querySelectorAll('button')]
  const at = document.activeElement ? buttons.indexOf(document.activeElement) : -1
  const next = buttons[(at + step + buttons.length) % buttons.length]
  if (next instanceof HTMLElement) next.focus()
}

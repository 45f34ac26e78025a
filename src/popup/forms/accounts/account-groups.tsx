import { SlidersHorizontal } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountView, PhraseView } from '../../../background/views/account-views.ts'
import { words } from '../../platform/words.ts'
import buttonStyles from '../../ui/button.module.css'
import { Link } from '../../ui/row.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { sayName } from '../../ui/text/names.ts'
import styles from './account-list.module.css'

type AccountGroupsProps = {
  phrases: readonly PhraseView[]
  accounts: readonly AccountView[]
  /** Wallets without an account of these are named too, and each name leads to its wallet's own page. */
  withPages?: boolean
  list: (accounts: AccountView[]) => ReactNode
}

/** Accounts under the names of their wallets, where there are several, and after them those of no words. */
export function AccountGroups({ phrases, accounts, withPages, list }: AccountGroupsProps) {
  if (phrases.length < 2) return list([...accounts])
  const others = accounts.filter(account => phraseIdOf(account) === null)
  return (
    <>
      {phrases.map(phrase => {
        const { id } = phrase
        const name = sayName(phrase.name)
        const own = accountsOf(accounts, id)
        if (own.length === 0 && !withPages) return null
        return (
          <section key={id} className={styles.group}>
            <div className={styles.groupHead}>
              <h2>{name}</h2>
              {withPages ? (
                <Link to={`/accounts/wallet/${id}`} className={buttonStyles.iconButton}>
                  <SlidersHorizontal size={18} aria-hidden />
                  <span className={textStyles.visuallyHidden}>
                    {words('accountsDetailsOf', { name })}
                  </span>
                </Link>
              ) : null}
            </div>
            {own.length > 0 ? (
              list(own)
            ) : (
              <p className={textStyles.note}>{words('walletNoAccounts')}</p>
            )}
          </section>
        )
      })}
      {others.length > 0 ? (
        <section className={styles.group}>
          <div className={styles.groupHead}>
            <h2>{words('walletOthers')}</h2>
          </div>
          {list(others)}
        </section>
      ) : null}
    </>
  )
}

export function accountsOf(accounts: readonly AccountView[], phraseId: string): AccountView[] {
  return accounts.filter(account => phraseIdOf(account) === phraseId)
}

/** Of which wallet an account is; null for one that no words bring back. */
export function phraseIdOf(account: AccountView): string | null {
  return account.source === 'seed' ? account.phraseId : null
}

/** The wallet that is meant where none is named: that of the account in use, or the first. */
export function choosePhraseId(state: {
  phrases: readonly PhraseView[]
  accounts: readonly AccountView[]
  accountId: string | null
}): string | null {
  const inUse = state.accounts.find(({ id }) => id === state.accountId)
  return (inUse && phraseIdOf(inUse)) ?? state.phrases[0]?.id ?? null
}

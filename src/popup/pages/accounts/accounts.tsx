/**
 * Accounts: the list, one account's own page, and adding, importing, watching and restoring them. A private key is shown
 * only after the password was typed again, and nowhere else.
 */

import { ChevronRight, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { AccountGroups } from '../../forms/accounts/account-groups.tsx'
import { AccountList } from '../../forms/accounts/account-list.tsx'
import { goBack, navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { countWords, words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import foldStyles from '../../ui/styles/fold.module.css'
import { sayName } from '../../ui/text/names.ts'
import { hasText } from '../../ui/text/search-text.ts'

/** From this many on, a field to look for one is worth its place. */
const MANY = 8

/** All accounts of the network: choosing one, and the way to each one's own page. */
export function Accounts({ state, onChanged }: PageProps) {
  const [search, setSearch] = useState('')
  const task = useTask()
  const choose = (accountId: string) =>
    task.run(async () => {
      await call('selectAccount', { accountId })
      await onChanged()
      navigate('/')
    })
  const shown = state.accounts.filter(account => isMeant(account, search))
  const list = (
    accounts: AccountView[],
    onChoose: (accountId: string) => void,
    withPages = false,
  ) => (
    <AccountGroups
      phrases={state.phrases}
      accounts={accounts}
      withPages={withPages}
      list={own => (
        <AccountList accounts={own} accountId={state.accountId} onChoose={onChoose} withPages />
      )}
    />
  )
  const hidden = shown.filter(account => account.hidden)
  return (
    <Screen
      head={<BackButton onBack={goBack} />}
      foot={
        <Button variant="primary" onClick={() => navigate('/accounts/add')}>
          <Plus size={18} aria-hidden />
          {words('accountsAdd')}
        </Button>
      }
    >
      <Title>{words('accountsTitle')}</Title>
      {state.accounts.length >= MANY ? (
        <TextField
          label={words('accountsSearch')}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
      ) : null}
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      {shown.length === 0 ? (
        <Empty
          icon={<Search size={24} aria-hidden />}
          title={search === '' ? words('accountsNone') : words('accountsNoMatch')}
        />
      ) : (
        list(
          shown.filter(account => !account.hidden),
          id => void choose(id),
          search === '',
        )
      )}
      {hidden.length > 0 ? (
        <details className={foldStyles.fold} open={search !== ''}>
          <summary>
            <ChevronRight size={16} className={foldStyles.turn} aria-hidden />
            {countWords('accountsHidden', hidden.length)}
          </summary>
          {/* A hidden account is shown again before it is used. */}
          {list(hidden, id => navigate(`/accounts/of/${id}`))}
        </details>
      ) : null}
    </Screen>
  )
}

function isMeant({ name, address }: AccountView, search: string): boolean {
  return hasText(sayName(name), search) || hasText(address, search)
}

import { Plus, SlidersHorizontal } from 'lucide-react'
import { AccountGroups } from '../../forms/accounts/account-groups.tsx'
import { AccountList } from '../../forms/accounts/account-list.tsx'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LinkRow, Rows } from '../../ui/row.tsx'

/** Quick change to another account; hidden ones are on the page of all accounts. */
export function AccountDialog({ state, onChanged, onClose }: PageProps & { onClose: () => void }) {
  const task = useTask()
  const choose = (accountId: string) =>
    task.run(async () => {
      await call('selectAccount', { accountId })
      await onChanged()
      onClose()
    })
  return (
    <Dialog title={words('accountsTitle')} onClose={onClose}>
      <AccountGroups
        phrases={state.phrases}
        accounts={state.accounts.filter(({ id, hidden }) => !hidden || id === state.accountId)}
        list={own => (
          <AccountList
            accounts={own}
            accountId={state.accountId}
            onChoose={id => void choose(id)}
          />
        )}
      />
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      <Rows label={words('accountsMore')}>
        <LinkRow
          to="/accounts/add"
          icon={<Plus size={18} aria-hidden />}
          title={words('accountsAdd')}
        />
        <LinkRow
          to="/accounts"
          icon={<SlidersHorizontal size={18} aria-hidden />}
          title={words('accountsManage')}
        />
      </Rows>
    </Dialog>
  )
}

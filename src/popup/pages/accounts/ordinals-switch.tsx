import { useState } from 'react'
import type { AccountView } from '../../../background/views/account-views.ts'
import { call, RpcError } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useTask } from '../../state/use-task.ts'
import { Switch } from '../../ui/fields/switch.tsx'
import { Notice } from '../../ui/notice.tsx'
import { showToast } from '../../ui/toast.tsx'
import { findDevicePartner } from './account-pairs.ts'
import { JoinDialog } from './join-dialog.tsx'

type OrdinalsSwitchProps = Pick<PageProps, 'onChanged'> & {
  account: AccountView
  accounts: readonly AccountView[]
}

/** Gives the account a Taproot address for ordinals; where another account has that address, it offers to put the two together. */
export function OrdinalsSwitch({ account, accounts, onChanged }: OrdinalsSwitchProps) {
  const task = useTask()
  const [takenBy, setTakenBy] = useState<AccountView | null>(null)
  const isOn = account.ordinals !== null
  const change = (on: boolean) =>
    task.run(async () => {
      setTakenBy(null)
      const partner = on ? findDevicePartner(account, accounts) : null
      if (partner) return setTakenBy(partner)
      try {
        await call('setOrdinalsAddress', { accountId: account.id, on })
      } catch (error) {
        const other = findOther(error, accounts)
        if (!other) throw error
        setTakenBy(other)
        return
      }
      await onChanged()
      showToast(words(on ? 'accountOrdinalsOn' : 'accountOrdinalsOff'))
    })
  return (
    <li>
      <Switch
        label={words('accountOrdinals')}
        note={words(isOn ? 'accountOrdinalsOnNote' : 'accountOrdinalsNote')}
        on={isOn}
        busy={task.busy}
        onChange={on => void change(on)}
      />
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      {takenBy ? (
        <JoinDialog
          account={account}
          taproot={takenBy}
          onClose={() => setTakenBy(null)}
          onChanged={onChanged}
        />
      ) : null}
    </li>
  )
}

/** The account that has the address already. */
function findOther(error: unknown, accounts: readonly AccountView[]): AccountView | null {
  if (!(error instanceof RpcError) || error.data?.reason !== 'ACCOUNT_EXISTS') return null
  const { accountId } = error.data
  return accounts.find(({ id }) => id === accountId) ?? null
}

import type { AccountView } from '../../../background/ui-methods/account-views.ts'
import { navigate } from '../../route.ts'
import { call } from '../../rpc.ts'
import { showToast } from '../../ui/toast.tsx'
import { useTask } from '../../use-task.ts'
import { words } from '../../words.ts'

/** Adds an account, takes it into use and shows it on the start screen. */
export function useNewAccount(onChanged: () => Promise<void>) {
  const { busy, failure, run } = useTask()
  return {
    busy,
    failure,
    add: (create: () => Promise<AccountView>) =>
      run(async () => {
        const account = await create()
        await call('selectAccount', { accountId: account.id })
        await onChanged()
        navigate('/', { replace: true })
        showToast(words('addDone', { name: account.name }))
      }),
  }
}

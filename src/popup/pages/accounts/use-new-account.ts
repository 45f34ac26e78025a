import type { AccountView } from '../../../background/views/account-views.ts'
import { navigate } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { sayName } from '../../ui/text/names.ts'
import { showToast } from '../../ui/toast.tsx'

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
        showToast(words('addDone', { name: sayName(account.name) }))
      }),
  }
}

import { type Accounts, canSign } from '../../accounts/accounts.ts'
import { accountChanged } from '../../keys/account-errors.ts'
import type { ChoiceContext } from '../../requests/method.ts'
import type { Announcer } from '../../requests/pages.ts'
import type { Sites } from '../../requests/sites.ts'
import type { AccountView, SigningAccountView } from '../../views/account-views.ts'
import type { ChosenAccount } from '../../views/approval-views.ts'

export type ConnectParts = Announcer & {
  accounts: Pick<Accounts, 'network' | 'selected' | 'list' | 'entriesWithSelected'>
  sites: Pick<Sites, 'isGranted' | 'grant'>
}

/**
 * Connects the site to the account that the person chose, which is in use from then on: both in one write. Throws 4100 where it
 * is not what was shown any more, or the network is another. Safe to run again in another worker.
 */
export async function connectChosen(
  { wallet, origin, network, assertOpen }: ChoiceContext<ConnectParts>,
  input: string | null,
): Promise<SigningAccountView> {
  const chosen: ChosenAccount = JSON.parse(input ?? '{}')
  const { accountId, term } = chosen
  const requireShown = async () => {
    const account = (await wallet.accounts.list(network)).find(({ id }) => id === accountId)
    const isThere = account && isAsShown(account, chosen)
    if (!isThere || (await wallet.accounts.network()) !== network) throw accountChanged()
    return account
  }
  let account = await requireShown()
  await wallet.sites.grant(origin, accountId, network, term, async () => {
    await assertOpen()
    account = await requireShown()
    return wallet.accounts.entriesWithSelected(accountId)
  })
  wallet.announce()
  return account
}

/** Whether it can be connected, is not hidden, and has no other address. */
function isAsShown(
  account: AccountView,
  { address, ordinals }: ChosenAccount,
): account is SigningAccountView {
  if (!canSign(account) || account.hidden || account.address !== address) return false
  return (account.ordinals?.address ?? null) === ordinals
}

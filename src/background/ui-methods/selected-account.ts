import type { Network } from '../../bitcoin/network.ts'
import { unauthorized } from '../../provider/errors.ts'
import type { AccountView } from '../views/account-views.ts'
import type { Wallet } from './ui-context.ts'

/** The network and the account in use. Throws 4100 while the wallet is locked. */
export async function loadSelected(
  wallet: Wallet,
): Promise<{ network: Network; account: AccountView }> {
  const network = await wallet.accounts.network()
  const account = await wallet.accounts.selected(network)
  if (!account) throw unauthorized('The wallet is locked.')
  return { network, account }
}

import type { Network } from '../../bitcoin/network.ts'
import { unauthorized } from '../../provider/errors.ts'
import { type Accounts, canSign } from '../accounts/accounts.ts'
import type { GrantPlace } from '../requests/grants.ts'
import type { Method } from '../requests/method.ts'
import { type Announcer, nameNetwork } from '../requests/pages.ts'
import type { Sites } from '../requests/sites.ts'
import type { SigningAccountView } from '../views/account-views.ts'

export type SwitchParts = Announcer & {
  accounts: Pick<Accounts, 'network' | 'selected' | 'selectNetwork'>
  sites: Pick<Sites, 'isGranted' | 'extend'>
}

/** What was approved. */
type Change = { origin: string; accountId: string; network: Network; from: GrantPlace }

/** Changes the network of the whole wallet and connects the site to the account in use there. */
export const switchNetwork: Method<'switchNetwork', SwitchParts> = {
  access: 'connected',
  answer: async (context, { network }) =>
    context.network === network ? nameNetwork(network) : undefined,
  async ask(context, { network }) {
    const { wallet, origin } = context
    if (context.network === network) return nameNetwork(network)
    const account = await requireAccountOn(wallet, network)
    try {
      await context.approve({ kind: 'switch-network', network, account })
    } catch (error) {
      // One answer settles all requests of the site for this network, and another of them was worked on first.
      if (await isThere(wallet, { origin, accountId: account.id, network }))
        return nameNetwork(network)
      throw error
    }
    const { id, ordinals } = await requireAccountOn(wallet, network)
    if (id !== account.id || ordinals?.address !== account.ordinals?.address)
      throw unauthorized('The account on that network changed meanwhile.')
    const change = await context.once(
      'change',
      async (): Promise<Change> => ({
        ...{ origin, accountId: account.id, network },
        from: { origin, accountId: context.account.id, network: context.network },
      }),
    )
    return apply(wallet, change)
  },
  // The page has left. The switch is not made for it any more; if it is made already, that is the answer.
  finish: async (wallet, { change }) =>
    change && (await isThere(wallet, change as Change))
      ? nameNetwork((change as Change).network)
      : null,
}

/** Safe to run again in another worker, wherever the last one stopped. */
async function apply(wallet: SwitchParts, change: Change): Promise<string> {
  const { from, network, ...place } = change
  // The page must not see the new network without its account.
  await wallet.sites.extend(from, { ...place, network })
  await wallet.accounts.selectNetwork(network)
  wallet.announce()
  return nameNetwork(network)
}

async function isThere(
  { accounts, sites }: SwitchParts,
  { origin, accountId, network }: GrantPlace,
): Promise<boolean> {
  const isInUse = (await accounts.network()) === network
  return isInUse && (await sites.isGranted(origin, accountId, network))
}

/** The account that will be in use on a network. Throws 4100 unless a site can be connected to it. */
async function requireAccountOn(
  wallet: SwitchParts,
  network: Network,
): Promise<SigningAccountView> {
  const account = await wallet.accounts.selected(network)
  if (!account) throw unauthorized(`The wallet has no account on ${nameNetwork(network)}.`)
  if (!canSign(account)) {
    const name = nameNetwork(network)
    const what = account.source === 'watch' ? 'is only watched' : 'is shared by several signers'
    throw unauthorized(`The account on ${name} ${what}; sites cannot be connected to it.`)
  }
  return account
}

import { accountChanged } from '../../keys/account-errors.ts'
import type { ChoiceContext, Method, RequestContext } from '../../requests/method.ts'
import { describeAccount } from '../../requests/pages.ts'
import type { SigningAccountView } from '../../views/account-views.ts'
import type { GrantTerm } from '../../views/settings-views.ts'
import type { ConnectParts } from './connect-chosen.ts'

/** Asks once per origin, account and network; silent afterwards. */
export const connect: Method<'connect', ConnectParts> = {
  access: 'anyone',
  answer: async ({ account }) => (account ? describeAccount(account) : undefined),
  ask: async context => describeAccount(await askToConnect(context)),
  askToChoose: async context => describeAccount(await askToChoose(context)),
}

export const requestAccounts: Method<'requestAccounts', ConnectParts> = {
  access: 'anyone',
  answer: async ({ account }) => (account ? [account.address] : undefined),
  ask: async context => [(await askToConnect(context)).address],
  askToChoose: async context => [(await askToChoose(context)).address],
}

async function askToConnect(context: RequestContext<ConnectParts>): Promise<SigningAccountView> {
  const { wallet, origin, account, network } = context
  if (!(await wallet.sites.isGranted(origin, account.id, network))) {
    const term = await context.approve({ kind: 'connect' })
    const assertStill = async () => {
      await context.assertOpen()
      const now = await wallet.accounts.selected(network)
      // The question had no address that came while it was answered.
      if (now?.id === account.id && now.ordinals?.address !== account.ordinals?.address)
        throw accountChanged()
      return undefined
    }
    await wallet.sites.grant(origin, account.id, network, term as GrantTerm | null, assertStill)
    wallet.announce()
  }
  return account
}

async function askToChoose(context: ChoiceContext<ConnectParts>): Promise<SigningAccountView> {
  const chosen = await context.approve({ kind: 'choose-account' })
  return (await import('./connect-chosen.ts')).connectChosen(context, chosen)
}

import type { AccountInfo } from '../../provider/envelope.ts'
import type { Method, PageContext, RequestContext } from '../requests/method.ts'
import type { SigningAccountView } from '../views/account-views.ts'

/** Asks once per origin, account and network; silent afterwards. */
export const connect: Method<'connect'> = {
  access: 'anyone',
  answer: async ({ account }) => (account ? describeAccount(account) : undefined),
  ask: async context => describeAccount(await askToConnect(context)),
}

export const requestAccounts: Method<'requestAccounts'> = {
  access: 'anyone',
  answer: async ({ account }: PageContext) => (account ? [account.address] : undefined),
  ask: async context => [(await askToConnect(context)).address],
}

/** Both keys are the 33-byte compressed one, for every address type. */
export function describeAccount({ address, publicKey }: SigningAccountView): AccountInfo {
  return { address, publicKey, compressedPublicKey: publicKey }
}

async function askToConnect(context: RequestContext): Promise<SigningAccountView> {
  const { wallet, origin, account, network } = context
  if (!(await wallet.sites.isGranted(origin, account.id, network))) {
    await context.approve({ kind: 'connect' })
    await wallet.sites.grant(origin, account.id, network)
    wallet.announce()
  }
  return account
}

import type { Method } from '../requests/method.ts'

/** Forgets this origin's leave for the account in use, or, while the wallet is locked and does not know which, for all. */
export const disconnect: Method<'disconnect'> = {
  access: 'anyone',
  answer: async ({ wallet, origin, account, network }) => {
    if (account) await wallet.sites.revoke(origin, account.id, network)
    else if ((await wallet.vault.status()) === 'locked') await wallet.sites.revokeAll(origin)
    else return null
    wallet.announce()
    return null
  },
}

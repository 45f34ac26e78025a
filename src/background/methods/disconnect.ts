import type { Method } from '../method.ts'

/** Forgets this origin's leave for the account in use; resolves null also when there was none. */
export const disconnect: Method<'disconnect'> = {
  access: 'anyone',
  answer: async ({ wallet, origin, account, network }) => {
    if (!account) return null
    await wallet.sites.revoke(origin, account.id, network)
    wallet.announce()
    return null
  },
}

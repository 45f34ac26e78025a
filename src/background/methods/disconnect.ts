import type { Vault } from '../keys/vault.ts'
import type { Method } from '../requests/method.ts'
import type { Announcer } from '../requests/pages.ts'
import type { Sites } from '../requests/sites.ts'

export type DisconnectParts = Announcer & {
  vault: Pick<Vault, 'status'>
  sites: Pick<Sites, 'revoke' | 'revokeAll'>
}

/** Forgets this origin's leave for the account in use, or, while the wallet is locked and does not know which, for all. */
export const disconnect: Method<'disconnect', DisconnectParts> = {
  access: 'anyone',
  answer: async ({ wallet, origin, account, network }) => {
    if (account) await wallet.sites.revoke(origin, account.id, network)
    else if ((await wallet.vault.status()) === 'locked') await wallet.sites.revokeAll(origin)
    else return null
    wallet.announce()
    return null
  },
}

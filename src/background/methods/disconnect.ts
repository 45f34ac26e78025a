import type { Vault } from '../keys/vault.ts'
import type { Method } from '../requests/method.ts'
import type { Announcer } from '../requests/pages.ts'
import type { Sites } from '../requests/sites.ts'

export type DisconnectParts = Announcer & {
  vault: Pick<Vault, 'status'>
  sites: Pick<Sites, 'isKnown' | 'revoke' | 'revokeAll'>
}

/**
 * Forgets this origin's leave for the account in use, or, while the wallet is locked and does not know which, for all. Where
 * there is none, nothing is written and nobody is told.
 */
export const disconnect: Method<'disconnect', DisconnectParts> = {
  access: 'anyone',
  answer: async ({ wallet, origin, account, network }) => {
    const isLocked = (await wallet.vault.status()) === 'locked'
    if (account) await wallet.sites.revoke(origin, account.id, network)
    else if (isLocked && (await wallet.sites.isKnown(origin))) await wallet.sites.revokeAll(origin)
    else return null
    wallet.announce()
    return null
  },
}

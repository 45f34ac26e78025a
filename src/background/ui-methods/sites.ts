import { invalidParams, unauthorized, userRejected } from '../../provider/errors.ts'
import { readChangeableHost } from '../../provider/page-origin.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Vault } from '../keys/vault.ts'
import type { Approvals } from '../requests/approvals.ts'
import type { BlockedSites } from '../requests/blocked-sites.ts'
import { parseTerm } from '../requests/grant-changes.ts'
import type { HttpSites } from '../requests/http-sites.ts'
import { type Announcer, connectedAccount, type PageParts, type Pages } from '../requests/pages.ts'
import type { Panels } from '../requests/panels.ts'
import type { Requests, StoredRequest } from '../requests/requests.ts'
import type { Sites } from '../requests/sites.ts'
import type { SiteView } from '../views/settings-views.ts'
import { parseNetworkName, parseWindowId } from './params.ts'
import type { UiMethodsOf } from './ui-context.ts'

export type SiteMethodParts = Announcer & {
  vault: Pick<Vault, 'status'>
  accounts: Pick<Accounts, 'list' | 'network' | 'selected'>
  sites: PageParts['sites'] &
    Pick<Sites, 'list' | 'listUsed' | 'limit' | 'revoke' | 'revokeAll' | 'revokeEverything'>
  pages: Pick<Pages, 'originOf'>
  panels: Pick<Panels, 'findActiveTab' | 'wake'>
  httpSites: Pick<HttpSites, 'list' | 'set'>
  blockedSites: Pick<BlockedSites, 'list' | 'block' | 'unblock'>
  requests: Pick<Requests, 'forgetAccounts'>
  approvals: Pick<Approvals, 'settle' | 'withdraw'>
}

/**
 * Sites that are connected, and their grants. The list is shown only while the wallet is unlocked. A grant is taken away here, or
 * lasts longer or shorter, and is never given: only the approval of a site's own request gives one.
 */
export const siteMethods = {
  /** The site that was connected last comes first. */
  async getSites({ wallet }) {
    if ((await wallet.vault.status()) !== 'unlocked') throw unauthorized('The wallet is locked.')
    const sites = new Map<string, SiteView>()
    const newestFirst = (await wallet.sites.listUsed()).sort((a, b) => b.at - a.at)
    for (const grant of newestFirst) {
      const { origin, accountId, network, at, usedAt, endsAt } = grant
      const site = sites.get(origin) ?? { origin, usedAt: null, grants: [] }
      const account = (await wallet.accounts.list(network)).find(({ id }) => id === accountId)
      site.usedAt = Math.max(site.usedAt ?? 0, usedAt) || null
      site.grants.push({
        ...{ accountId, accountName: account?.name ?? '', network, at, endsAt },
        ...{ isForADay: grant.until !== undefined, endsWithLock: grant.unlockedAt !== undefined },
      })
      sites.set(origin, site)
    }
    return [...sites.values()]
  },

  /** A page that spoke to an earlier worker has no connection before it is asked to have one. */
  async getTabSite({ wallet }, { windowId }) {
    const tabId = await wallet.panels.findActiveTab(parseWindowId('windowId', windowId))
    if (tabId === null) return { origin: null, isConnected: false }
    if (wallet.pages.originOf(tabId) === null) await wallet.panels.wake(tabId)
    const origin = wallet.pages.originOf(tabId)
    if (origin === null) return { origin: null, isConnected: false }
    const account = await connectedAccount(wallet, origin, await wallet.accounts.network())
    return { origin, isConnected: account !== null }
  },

  /** The site's open pages are told at once, and its requests that wait end with 4100. */
  async revokeSite({ wallet }, { origin, grant }) {
    if (typeof origin !== 'string') throw invalidParams('origin', origin, 'an origin')
    const ofSite = (record: StoredRequest) => record.origin === origin
    if (grant === null) {
      await takeBack(wallet, ofSite, () => wallet.sites.revokeAll(origin))
      return null
    }
    const { accountId, network } = Object(grant)
    if (typeof accountId !== 'string') throw invalidParams('accountId', accountId, 'an id')
    const named = parseNetworkName(network)
    await takeBack(wallet, ofSite, () => wallet.sites.revoke(origin, accountId, named))
    return null
  },

  /** As {@link siteMethods.revokeSite} does, of every site in one write. */
  async revokeAllSites({ wallet }) {
    await takeBack(wallet, () => true, wallet.sites.revokeEverything)
    return null
  },

  /** Also gives a site longer than it had: the person says so here. */
  async limitSite({ wallet }, { origin, term }) {
    if (typeof origin !== 'string') throw invalidParams('origin', origin, 'an origin')
    await wallet.sites.limit(origin, parseTerm(term, 'term'))
    wallet.announce()
    return null
  },

  getHttpSites: ({ wallet }) => wallet.httpSites.list(),

  /** A host that is no longer allowed is disconnected on all its ports: its requests that wait end with 4100, those for a connection too. */
  async setHttpSite({ wallet }, { origin, on }) {
    const hosts = await wallet.httpSites.set(origin, on)
    if (on) return hosts
    const isShutOut = (site: { origin: string }) => {
      const host = readChangeableHost(site.origin)
      return host !== null && host === readChangeableHost(origin)
    }
    await wallet.approvals.settle(isShutOut, unauthorized())
    const ended = new Set((await wallet.sites.list()).filter(isShutOut).map(grant => grant.origin))
    await takeBack(wallet, isShutOut, async () => {
      for (const site of ended) await wallet.sites.revokeAll(site)
    })
    return hosts
  },

  /** The newest first. */
  async getBlockedSites({ wallet }) {
    if ((await wallet.vault.status()) !== 'unlocked') throw unauthorized('The wallet is locked.')
    return [...(await wallet.blockedSites.list())].sort((a, b) => b.at - a.at)
  },

  /** Also while the wallet is locked: whoever is asked to unlock it may have had enough. Ends what the site asks with 4001. */
  async blockSite({ wallet }, { origin }) {
    if (typeof origin !== 'string') throw invalidParams('origin', origin, 'an origin')
    const ofSite = (record: StoredRequest) => record.origin === origin
    await wallet.blockedSites.block(origin)
    await wallet.approvals.settle(ofSite, userRejected(), 'rejected')
    await takeBack(wallet, ofSite, () => wallet.sites.revokeAll(origin))
    return null
  },

  async unblockSite({ wallet }, { origin }) {
    if (typeof origin !== 'string') throw invalidParams('origin', origin, 'an origin')
    await wallet.blockedSites.unblock(origin)
    return null
  },
} satisfies UiMethodsOf<SiteMethodParts>

/**
 * Revokes grants, with what would bring them back: connections of these sites that have yet to be made or answered, and answers
 * from before for pages that come back for them. Their pages are told.
 */
async function takeBack(
  wallet: SiteMethodParts,
  ofSites: (record: StoredRequest) => boolean,
  revoke: () => Promise<void>,
): Promise<void> {
  await wallet.approvals.withdraw(ofSites)
  // Before, as this worker may die in between, and once more for what was answered meanwhile.
  await wallet.requests.forgetAccounts()
  await revoke()
  await wallet.requests.forgetAccounts()
  wallet.announce()
}

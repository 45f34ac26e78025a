import { unauthorized } from '../../provider/errors.ts'
import type { SiteView } from '../views/settings-views.ts'
import type { UiMethod } from './ui-context.ts'

/** Sites with what they may see, the one that was connected last first. */
export const getSites: UiMethod<'getSites'> = async ({ wallet }) => {
  if ((await wallet.vault.status()) !== 'unlocked') throw unauthorized('The wallet is locked.')
  const sites = new Map<string, SiteView>()
  const newestFirst = [...(await wallet.sites.list())].sort((a, b) => b.at - a.at)
  for (const { origin, accountId, network, at } of newestFirst) {
    const site = sites.get(origin) ?? { origin, grants: [] }
    const account = (await wallet.accounts.list(network)).find(({ id }) => id === accountId)
    site.grants.push({ accountId, accountName: account?.name ?? '', network, at })
    sites.set(origin, site)
  }
  return [...sites.values()]
}

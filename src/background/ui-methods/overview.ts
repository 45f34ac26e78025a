import type { Network } from '../../bitcoin/network.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import { type ActivityParts, fetchActivityPage } from '../activity/activity-page.ts'
import { type JobParts, refreshJobs } from '../inscribing/job-run.ts'
import type { PriceStore } from '../settings/prices.ts'
import type { Servers } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import type { AccountView } from '../views/account-views.ts'
import type { Overview } from '../views/activity-views.ts'
import type { ServerProblem } from '../views/settings-views.ts'
import { loadSelected, type UiMethodsOf } from './ui-context.ts'

/** Entries of activity that the home screen has room for. */
const NEWEST = 5

export type OverviewMethodParts = ActivityParts &
  JobParts & {
    accounts: Pick<Accounts, 'network' | 'selected'>
    settings: Pick<SettingsStore, 'load'>
    servers: Pick<Servers, 'urls' | 'resetBackoff'>
    prices: PriceStore
    addresses: Addresses
  }

/**
 * The home screen's figures. They come without a balance, and with the reason, where a server does not answer.
 */
export const overviewMethods = {
  async getOverview({ wallet }, params) {
    const { network, account } = await loadSelected(wallet)
    // Not awaited: what it changes shows in the next overview.
    void refreshJobs(wallet).catch(() => {})
    if (params?.retry === true) {
      await wallet.servers.resetBackoff(network)
      await wallet.addresses.lookAgain(network, account.id)
    }
    const [{ balance, problem }, page, price] = await Promise.all([
      fetchBalance(wallet, network, account),
      fetchActivityPage(wallet, network, account, { offset: 0, limit: NEWEST }),
      fetchPrice(wallet, network),
    ])
    return {
      balance,
      problem: problem ?? page.problem,
      activity: page.entries,
      more: page.more,
      price,
    }
  },
} satisfies UiMethodsOf<OverviewMethodParts>

async function fetchBalance(
  wallet: Pick<OverviewMethodParts, 'chain' | 'addresses'>,
  network: Network,
  account: AccountView,
): Promise<{ balance: Overview['balance']; problem: ServerProblem | null }> {
  try {
    const chain = await wallet.chain(network)
    const { confirmed, unconfirmed } = await wallet.addresses.fetchBalance(chain, account)
    return {
      balance: { confirmed: String(confirmed), unconfirmed: String(unconfirmed) },
      problem: null,
    }
  } catch (error) {
    if (error instanceof BackendUnavailableError) return { balance: null, problem: error.problem }
    throw error
  }
}

/** Asks no server while no currency is chosen. */
async function fetchPrice(
  wallet: Pick<OverviewMethodParts, 'chain' | 'settings' | 'servers' | 'prices'>,
  network: Network,
): Promise<Overview['price']> {
  const { currency } = await wallet.settings.load()
  if (currency === null) return null
  const { price, chain } = await wallet.servers.urls(network)
  return wallet.prices.load(await wallet.chain(network), price || chain, currency)
}

import type { Network } from '../../bitcoin/network.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { fetchActivityPage } from '../activity/activity-page.ts'
import { refreshJobs } from '../inscribing/job-run.ts'
import type { Overview, ServerProblem } from '../views/activity-views.ts'
import { loadSelected } from './selected-account.ts'
import type { UiMethod, Wallet } from './ui-context.ts'

/** What a first screen has room for. */
const NEWEST = 5

export const getOverview: UiMethod<'getOverview'> = async ({ wallet }, params) => {
  const { network, account } = await loadSelected(wallet)
  // What it learns shows in the next overview.
  void refreshJobs(wallet).catch(() => {})
  if (params?.retry === true) await wallet.servers.resetBackoff(network)
  const [{ balance, problem }, page, price] = await Promise.all([
    fetchBalance(wallet, network, account.address),
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
}

async function fetchBalance(
  wallet: Wallet,
  network: Network,
  address: string,
): Promise<{ balance: Overview['balance']; problem: ServerProblem | null }> {
  try {
    const chain = await wallet.chain(network)
    const { confirmed, unconfirmed } = await chain.fetchBalance(address)
    return {
      balance: { confirmed: String(confirmed), unconfirmed: String(unconfirmed) },
      problem: null,
    }
  } catch (error) {
    if (error instanceof BackendUnavailableError) return { balance: null, problem: error.problem }
    throw error
  }
}

/** Asks nobody while no currency is chosen. */
async function fetchPrice(wallet: Wallet, network: Network): Promise<Overview['price']> {
  const { currency } = await wallet.settings.load()
  if (currency === null) return null
  const { price, chain } = await wallet.servers.urls(network)
  return wallet.prices.load(await wallet.chain(network), price || chain, currency)
}

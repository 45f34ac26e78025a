import { NETWORKS } from '../../bitcoin/network.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import type { Activity } from '../activity/activity.ts'
import type { Brc20Tickers } from '../brc20/brc20-tickers.ts'
import type { CoinAssetStore } from '../coins/coin-assets.ts'
import type { CoinChoices } from '../coins/coin-choices.ts'
import type { InscriptionSortingStore } from '../collectibles/inscription-sorting.ts'
import type { Jobs } from '../inscribing/jobs.ts'
import { jobsUnderWay } from '../keys/account-errors.ts'
import type { Mints } from '../minting/mint-jobs.ts'
import type { Plans } from '../payments/plans.ts'
import type { Mutex } from '../primitives/mutex.ts'
import type { OpenSignatures } from '../psbts/open-signatures.ts'
import type { Sites } from '../requests/sites.ts'
import type { GivenName } from '../views/account-views.ts'

/** The parts of the wallet that keep something about each account. */
export type AccountRemovalParts = {
  accounts: Pick<Accounts, 'list' | 'listLeaving' | 'settleLeaving'>
  addresses: Pick<Addresses, 'forgetAccount'>
  sites: Pick<Sites, 'revokeAccount'>
  activity: Pick<Activity, 'forgetAccount'>
  coinChoices: Pick<CoinChoices, 'forgetAccount'>
  coinAssets: Pick<CoinAssetStore, 'forgetAccount'>
  inscriptionSorting: Pick<InscriptionSortingStore, 'forgetAccount'>
  openSignatures: Pick<OpenSignatures, 'forgetAccount'>
  plans: Pick<Plans, 'keepCosigned'>
  jobs: Pick<Jobs, 'forgetAccount' | 'list' | 'hold'>
  mints: Pick<Mints, 'forgetAccount' | 'list' | 'hold'>
  brc20Tickers: Pick<Brc20Tickers, 'forgetAccount'>
  planInTurn: Mutex
}

/** Throws JOBS_UNDER_WAY where one of these accounts inscribes, etches or mints something that is not in a block yet. */
type AssertIdle = (accountIds: readonly string[]) => Promise<void>

/** Removes accounts: nothing begins between the look at what is under way and the write. */
export function whileNothingBegins<T>(
  wallet: AccountRemovalParts,
  remove: (assertIdle: AssertIdle) => Promise<T>,
): Promise<T> {
  const { jobs, mints, planInTurn } = wallet
  const assertIdle: AssertIdle = async accountIds => {
    const busy = await listBusy(wallet, accountIds)
    if (busy.length > 0) throw jobsUnderWay(busy)
  }
  return planInTurn(() => jobs.hold(() => mints.hold(() => remove(assertIdle))))
}

/** Names of those of the accounts that something is under way of. */
async function listBusy(
  { accounts, jobs, mints }: AccountRemovalParts,
  accountIds: readonly string[],
): Promise<GivenName[]> {
  const all = [...(await jobs.list()), ...(await mints.list())]
  const open = all.filter(({ finishedAt }) => finishedAt === null)
  const busy = new Set(open.map(({ accountId }) => accountId))
  const lists = await Promise.all(NETWORKS.map(network => accounts.list(network)))
  const names = new Map(lists.flat().map(({ id, name }) => [id, name]))
  return accountIds.flatMap(id => (busy.has(id) ? (names.get(id) ?? []) : []))
}

/**
 * Has every room forget accounts that were removed. Which ones is stored in the write that removes them, and stays until all is done:
 * a worker that dies in between goes on at the next unlock.
 */
export async function forgetLeaving(wallet: AccountRemovalParts): Promise<void> {
  const leaving = await wallet.accounts.listLeaving()
  for (const id of leaving) {
    await wallet.sites.revokeAccount(id)
    await wallet.activity.forgetAccount(id)
    await wallet.addresses.forgetAccount(id, NETWORKS)
    await wallet.coinChoices.forgetAccount(id)
    await wallet.coinAssets.forgetAccount(id)
    await wallet.inscriptionSorting.forgetAccount(id)
    await wallet.openSignatures.forgetAccount(id)
    await wallet.plans.keepCosigned(({ accountId }) => accountId !== id)
    await wallet.jobs.forgetAccount(id)
    await wallet.mints.forgetAccount(id)
    await wallet.brc20Tickers.forgetAccount(id)
  }
  if (leaving.length > 0) await wallet.accounts.settleLeaving(leaving)
}

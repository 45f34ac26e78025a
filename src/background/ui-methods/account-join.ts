import { NETWORKS } from '../../bitcoin/network.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import type { Activity } from '../activity/activity.ts'
import { listPaid } from '../activity/sent-records.ts'
import type { Brc20Tickers } from '../brc20/brc20-tickers.ts'
import type { CoinAssetStore } from '../coins/coin-assets.ts'
import type { CoinChoices } from '../coins/coin-choices.ts'
import { listHeldAgain } from '../collectibles/hidden-coins.ts'
import type { InscriptionSortingStore } from '../collectibles/inscription-sorting.ts'
import type { Jobs } from '../inscribing/jobs.ts'
import type { AuthenticRecords } from '../keys/authentic-records.ts'
import { joinOrdinals } from '../keys/vault-join.ts'
import type { Mints } from '../minting/mint-jobs.ts'
import type { Mutex } from '../primitives/mutex.ts'
import type { OpenSignatures } from '../psbts/open-signatures.ts'
import type { Sites } from '../requests/sites.ts'
import { readScript } from '../review/payment-warnings.ts'

type Joined = 'hold' | 'entriesJoined'

/** The parts of the wallet that keep something about each account. */
export type AccountJoinParts = {
  accounts: Pick<Accounts, 'list' | 'network' | 'selected' | 'change' | 'entriesWithSelected'>
  addresses: Pick<Addresses, 'forgetAccount' | 'find'>
  records: Pick<AuthenticRecords, 'writeWithVault'>
  coinChoices: Pick<CoinChoices, Joined | 'load'>
  inscriptionSorting: Pick<InscriptionSortingStore, Joined | 'listOf' | 'recallTraits'>
  coinAssets: Pick<CoinAssetStore, Joined>
  sites: Pick<Sites, Joined>
  openSignatures: Pick<OpenSignatures, Joined>
  brc20Tickers: Pick<Brc20Tickers, Joined>
  activity: Pick<Activity, 'holdSent' | 'entriesJoined' | 'forgetHistory' | 'listSent'>
  jobs: Pick<Jobs, Joined | 'list' | 'inTurn'>
  mints: Pick<Mints, Joined | 'list' | 'inTurn'>
  planInTurn: Mutex
}

/**
 * Makes a Taproot account the ordinals address of a SegWit account. What rooms keep of the one is the other's from then on, in the
 * one write that puts the vault in force: a worker that dies leaves two accounts as they were, or one with everything.
 */
export async function joinAccounts(
  wallet: AccountJoinParts,
  params: { accountId: string; ordinalsId: string; name: string },
): Promise<void> {
  const { accountId: to, ordinalsId: from } = params
  const { accounts, activity, coinChoices, inscriptionSorting, jobs, mints, sites } = wallet
  const network = await accounts.network()
  const inUse = await accounts.selected(network)
  const listed = await accounts.list(network)
  // A worker that was stopped may have done it.
  const isDone =
    !listed.some(({ id }) => id === from) &&
    listed.some(({ id, ordinals }) => id === to && ordinals !== null)
  if (isDone) return forget()
  // Backups hold these rooms in the same order.
  const holders = [coinChoices, inscriptionSorting, jobs, mints, sites]
  const sent = { hold: activity.holdSent }
  const others = [wallet.coinAssets, wallet.openSignatures, wallet.brc20Tickers, sent]
  const join = async () => {
    const own = await listAddresses(wallet, [from, to])
    const choices = await Promise.all(NETWORKS.map(inscriptionSorting.listOf))
    const both = choices.flat().filter(one => one.accountId === from || one.accountId === to)
    const entries = await Promise.all([
      coinChoices.entriesJoined(from, to, await listHeldAgain(wallet, both)),
      ...[inscriptionSorting, jobs, mints, sites].map(room => room.entriesJoined(from, to)),
      wallet.coinAssets.entriesJoined(from, to),
      wallet.openSignatures.entriesJoined(from, to),
      wallet.brc20Tickers.entriesJoined(from, to),
      activity.entriesJoined(from, to, own),
      inUse?.id === from ? accounts.entriesWithSelected(to) : {},
    ])
    await accounts.change(() =>
      wallet.records.writeWithVault(Object.assign({}, ...entries), secret =>
        joinOrdinals(secret, params),
      ),
    )
  }
  const turns = [
    wallet.planInTurn,
    // What goes on with a job has read which account it is of.
    ...(await listTurns(jobs, from)),
    ...(await listTurns(mints, from)),
    ...[...holders, ...others].map(({ hold }) => hold),
  ]
  await turns.reduceRight<() => Promise<void>>((inner, turn) => () => turn(inner), join)()
  await forget()

  /** Numbers of the one that is none any more. */
  async function forget() {
    await activity.forgetHistory(from)
    await wallet.addresses.forgetAccount(from, NETWORKS)
  }
}

async function listTurns(
  { list, inTurn }: Pick<AccountJoinParts['jobs' | 'mints'], 'list' | 'inTurn'>,
  accountId: string,
): Promise<Mutex[]> {
  const own = (await list()).filter(job => job.accountId === accountId)
  return own.map(
    ({ id }) =>
      task =>
        inTurn(id, task),
  )
}

/** Both accounts' addresses, of the many those that one of them paid. */
async function listAddresses(
  { accounts, addresses, activity }: AccountJoinParts,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const own = new Set<string>()
  for (const network of NETWORKS) {
    const sent = await Promise.all(ids.map(id => activity.listSent(network, id)))
    const paid = sent.flat().flatMap(listPaid)
    const scripts = paid.flatMap(address => readScript(address, network) ?? [])
    for (const account of await accounts.list(network))
      if (ids.includes(account.id))
        for (const { address } of await addresses.find(network, account, scripts)) own.add(address)
  }
  return own
}

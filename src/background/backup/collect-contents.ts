import { NETWORKS } from '../../bitcoin/network.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../accounts/addresses.ts'
import type { Contacts } from '../accounts/contacts.ts'
import type { Activity } from '../activity/activity.ts'
import type { CoinChoices } from '../coins/coin-choices.ts'
import type { InscriptionSortingStore } from '../collectibles/inscription-sorting.ts'
import type { JobBytes, JobRecord } from '../inscribing/job-record.ts'
import type { Jobs } from '../inscribing/jobs.ts'
import { encodeJob } from '../inscribing/stored-job.ts'
import type { MintJob, Mints } from '../minting/mint-jobs.ts'
import type { Plans } from '../payments/plans.ts'
import type { BlockedSites } from '../requests/blocked-sites.ts'
import { isTemporary } from '../requests/grants.ts'
import type { Sites } from '../requests/sites.ts'
import type { Servers } from '../settings/servers.ts'
import type { SettingsStore } from '../settings/settings.ts'
import { type BackupContents, keepSound } from './backup-contents.ts'

/** The rooms whose records are in a backup. */
export type BackupParts = {
  accounts: Pick<Accounts, 'network' | 'change' | 'entriesWithNetwork'>
  addresses: Pick<Addresses, 'hold' | 'entriesUsed'>
  activity: Pick<Activity, 'loadLabels' | 'holdLabels' | 'entriesWithLabels' | 'listOpen'>
  contacts: Pick<Contacts, 'list' | 'hold' | 'entriesWith'>
  sites: Pick<Sites, 'list' | 'hold' | 'entriesWith'>
  blockedSites: Pick<BlockedSites, 'list' | 'hold' | 'entriesWith'>
  coinChoices: Pick<CoinChoices, 'load' | 'listLocked' | 'hold' | 'entriesWithLocked'>
  inscriptionSorting: Pick<
    InscriptionSortingStore,
    'listOf' | 'recallTraits' | 'hold' | 'entriesWith'
  >
  settings: Pick<SettingsStore, 'load' | 'hold' | 'entriesWith'>
  servers: Pick<Servers, 'listChosen' | 'hold' | 'entriesWith'>
  jobs: Pick<Jobs, 'list' | 'loadBytes' | 'hold' | 'entriesWith'>
  mints: Pick<Mints, 'list' | 'hold' | 'entriesWith'>
  plans: Pick<Plans, 'listCosigned' | 'hold' | 'entriesWithCosigned'>
}

/** What a backup holds besides the accounts, which have the places that are told. What would not be read again is left out. */
export async function collectContents(
  parts: BackupParts,
  placeOf: ReadonlyMap<string, number>,
): Promise<BackupContents> {
  const { language, theme, currency, autoLockMinutes } = await parts.settings.load()
  const network = await parts.accounts.network()
  const ofAccounts = <T extends { accountId: string }>(all: readonly T[]) =>
    all.flatMap(one => {
      const account = placeOf.get(one.accountId)
      return account === undefined ? [] : [{ ...one, account }]
    })
  const labels: BackupContents['labels'] = {}
  const lockedCoins: BackupContents['lockedCoins'] = []
  const inscriptions: BackupContents['inscriptions'] = []
  for (const each of NETWORKS) {
    const own = await parts.activity.loadLabels(each)
    if (Object.keys(own).length > 0) labels[each] = own
    for (const { outpoint, account } of ofAccounts(await parts.coinChoices.listLocked(each)))
      lockedCoins.push({ outpoint, network: each, account })
    for (const { subject, choice, account } of ofAccounts(
      await parts.inscriptionSorting.listOf(each),
    ))
      inscriptions.push({ subject, choice, network: each, account })
  }
  const jobs = []
  for (const { account, ...job } of ofAccounts(await parts.jobs.list())) {
    const bytes = isGoingOn(job) ? await loadAllBytes(parts, job) : null
    if (bytes) jobs.push({ account, job: encodeJob(job), bytes })
  }
  const mints = []
  for (const { account, ...job } of ofAccounts(await parts.mints.list())) {
    if (job.finishedAt === null)
      mints.push({ account, job: { ...job, unrecorded: await loadUnrecorded(parts, job) } })
  }
  // Those that nobody has signed are worked out again in no time.
  const signed = (await parts.plans.listCosigned()).filter(({ cosigned }) => cosigned.isSigned)
  const cosigned = signed.flatMap(job => {
    const account = placeOf.get(job.accountId)
    return account === undefined ? [] : [{ account, job }]
  })
  return keepSound({
    settings: { network, language, theme, currency, autoLockMinutes },
    servers: await parts.servers.listChosen(),
    contacts: (await parts.contacts.list()).map(({ name, address }) => ({ name, address })),
    labels,
    sites: ofAccounts((await parts.sites.list()).filter(one => !isTemporary(one))).map(
      ({ origin, network: on, account, at }) => {
        return { origin, network: on, account, at }
      },
    ),
    blockedSites: (await parts.blockedSites.list()).map(({ origin, at }) => ({ origin, at })),
    lockedCoins,
    inscriptions,
    jobs,
    mints,
    cosigned,
  })
}

function isGoingOn({ lifecycle, finishedAt }: JobRecord): boolean {
  return lifecycle === 'open' && finishedAt === null
}

async function loadAllBytes(
  { jobs }: Pick<BackupParts, 'jobs'>,
  job: JobRecord,
): Promise<JobBytes[] | null> {
  const all = await Promise.all(job.attempts.map((_, attempt) => jobs.loadBytes(job, attempt)))
  const known = all.filter(bytes => bytes !== undefined)
  return known.length === all.length ? known : null
}

/** The signed transactions of mints, also those that are in the activity by now. */
async function loadUnrecorded({ activity }: Pick<BackupParts, 'activity'>, job: MintJob) {
  if (job.unrecorded.length > 0) return job.unrecorded
  const open = await activity.listOpen(job.network, job.accountId)
  return job.txids.flatMap(txid => {
    const record = open.find(one => one.txid === txid)
    return record && record.rawTx !== '' ? [record] : []
  })
}

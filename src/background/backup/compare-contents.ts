import { isNetwork, NETWORKS, type Network } from '../../bitcoin/network.ts'
import { viewAccount } from '../accounts/account-view.ts'
import type { OpenedAccount, OpenedBackup } from '../keys/backup-vault.ts'
import { readName } from '../keys/names.ts'
import { digestOf } from '../primitives/digest.ts'
import { parseSettings } from '../settings/settings.ts'
import type { AccountView, GivenName } from '../views/account-views.ts'
import type { BackupItem, BackupReview, BackupSection } from '../views/backup-views.ts'
import { type BackupContents, type BackupSettings, networksOf } from './backup-contents.ts'
import { checkCosigned } from './backup-cosigned.ts'
import { type CheckedJob, checkJob, checkMint } from './backup-jobs.ts'
import type { BackupParts } from './collect-contents.ts'
import { compareContacts, compareLabels, createTally, type Tally } from './review-section.ts'

/** What is in a backup and not in the wallet; accounts by their place in the backup. */
export type Additions = Omit<BackupContents, 'labels'> & {
  labels: { [network in Network]?: { [txid: string]: string } }
}

/** Whose account something of a backup is; `id` is null for one that the wallet would get. */
type Owner = {
  id: string | null
  name: GivenName
  account: OpenedAccount['account']
  /** Sites that were connected would see a further address. */
  isWider: boolean
}

/** Holds a backup against the wallet: what restoring it adds, what is there, what differs, what is left out. Nothing is written. */
export async function compareContents(
  parts: BackupParts,
  opened: OpenedBackup,
  contents: BackupContents,
  /** Tells this review from one of the same wallet before something was restored. */
  after: unknown,
): Promise<{ review: BackupReview; additions: Additions }> {
  const owners = opened.accounts.map(({ account, existing, isForeign }): Owner | null =>
    isForeign
      ? null
      : {
          ...{ id: existing?.id ?? null, account },
          name: readName('account', (existing ?? account).name),
          isWider: existing?.isWider ?? false,
        },
  )
  // Of another wallet's file nothing is chosen beforehand: who made it is not known.
  const { isOwn, madeAt } = opened
  const contacts = createTally('contacts')
  const labels = createTally('labels')
  const addedContacts = compareContacts(await parts.contacts.list(), contents.contacts, contacts)
  const addedLabels: Additions['labels'] = {}
  for (const [network, told] of networksOf(contents.labels))
    addedLabels[network] = compareLabels(
      network,
      await parts.activity.loadLabels(network),
      told,
      labels,
    )
  const sites = await compareSites(parts, contents, owners)
  const coins = await compareCoins(parts, contents, owners)
  const jobs = await compareJobs(parts, contents, owners, isOwn)
  const settings = await compareSettings(parts, contents.settings)
  const servers = await compareServers(parts, contents)
  const sections = [
    compareAccounts(opened).finish(isOwn),
    jobs.tally.finish(isOwn),
    contacts.finish(isOwn),
    labels.finish(isOwn),
    sites.tally.finish(isOwn),
    coins.tally.finish(isOwn),
    settings.tally.finish(isOwn && settings.isUntouched),
    servers.tally.finish(false),
  ].filter(isFilled)
  const digest = digestOf({ madeAt, isOwn, sections, contents, after })
  return {
    review: { digest, madeAt, isOwn, sections },
    additions: {
      settings: contents.settings,
      ...{ contacts: addedContacts, labels: addedLabels },
      ...{ sites: sites.added, blockedSites: sites.blocked, lockedCoins: coins.added },
      inscriptions: coins.sorted,
      ...{ jobs: jobs.jobs, mints: jobs.mints, cosigned: jobs.cosigned },
      servers: servers.added,
    },
  }
}

function isFilled({ addedCount, differingCount, sameCount, leftOut }: BackupSection): boolean {
  return addedCount + differingCount + sameCount + leftOut > 0
}

function compareAccounts({ accounts, phraseNames }: OpenedBackup) {
  const tally = createTally('accounts')
  for (const phrase of phraseNames)
    tally.add({
      ...{ kind: 'phrase', name: phrase.name, detail: null, network: null },
      own: readName('wallet', phrase.own),
    })
  for (const { account, existing, pair, isRenamed, isForeign } of accounts) {
    const views = NETWORKS.flatMap(network => {
      const view = viewAccount({ ...account, id: '' }, network)
      return view ? [{ network, address: view.address }] : []
    })
    // The same key has an address on mainnet and another on all test networks.
    const [first] = views
    const item: BackupItem = {
      ...{ kind: account.source, name: readName('account', account.name) },
      ...{ own: existing && readName('account', existing.name) },
      ...{ detail: first?.address ?? null, network: first?.network ?? null },
    }
    if (isForeign) tally.leaveOut()
    else if (!existing || isRenamed || pair) tally.add(item)
    else if (existing.name === account.name) tally.same()
    else tally.differ(item)
  }
  return tally
}

async function compareSites(
  parts: BackupParts,
  contents: BackupContents,
  owners: readonly (Owner | null)[],
) {
  const tally = createTally('sites')
  const [grants, known] = [await parts.sites.list(), await parts.blockedSites.list()]
  const added = contents.sites.filter(({ origin, network, account }) => {
    const owner = owners[account]
    if (!owner || owner.isWider || !viewAccount({ ...owner.account, id: '' }, network)) {
      tally.leaveOut()
      return false
    }
    const isThere = grants.some(
      grant => grant.origin === origin && grant.network === network && grant.accountId === owner.id,
    )
    if (isThere) tally.same()
    else tally.add({ kind: 'grant', name: origin, detail: owner.name, network, own: null })
    return !isThere
  })
  const blocked = contents.blockedSites.filter(({ origin }) => {
    const isThere = known.some(one => one.origin === origin)
    if (isThere) tally.same()
    else tally.add({ kind: 'blocked', name: origin, detail: null, network: null, own: null })
    return !isThere
  })
  return { tally, added, blocked }
}

async function compareCoins(
  parts: BackupParts,
  contents: BackupContents,
  owners: readonly (Owner | null)[],
) {
  const tally = createTally('coins')
  const choices = new Map<Network, Awaited<ReturnType<BackupParts['coinChoices']['load']>>>()
  for (const network of NETWORKS) choices.set(network, await parts.coinChoices.load(network))
  const added = contents.lockedCoins.filter(({ outpoint, network, account }) => {
    const owner = owners[account]
    const own = choices.get(network)?.get(outpoint)?.choice
    if (!owner) tally.leaveOut()
    else if (own === 'locked') tally.same()
    else {
      const item = { kind: 'locked', name: outpoint, detail: owner.name, network } as const
      if (own === undefined) tally.add({ ...item, own: null })
      else tally.differ({ ...item, own })
    }
    return owner && own === undefined
  })
  const sorted = await compareInscriptions(parts, contents, owners, tally)
  return { tally, added, sorted }
}

async function compareInscriptions(
  parts: BackupParts,
  contents: BackupContents,
  owners: readonly (Owner | null)[],
  tally: Tally,
) {
  const lists = await Promise.all(NETWORKS.map(each => parts.inscriptionSorting.listOf(each)))
  const keyOf = (one: { network: Network; subject: string }, accountId: string | null) =>
    `${one.network} ${accountId} ${one.subject}`
  const known = new Map(lists.flat().map(one => [keyOf(one, one.accountId), one.choice]))
  return contents.inscriptions.filter(one => {
    const { subject, choice, network, account } = one
    const owner = owners[account]
    const own = owner && known.get(keyOf(one, owner.id))
    if (!owner) tally.leaveOut()
    else if (own === choice) tally.same()
    else {
      const item = { kind: choice, name: subject, detail: owner.name, network } as const
      if (own === undefined) tally.add({ ...item, own: null })
      else tally.differ({ ...item, own })
    }
    return owner && own === undefined
  })
}

/** Jobs are taken from a file of this wallet alone, and where their transactions are what they say. */
async function compareJobs(
  parts: BackupParts,
  contents: BackupContents,
  owners: readonly (Owner | null)[],
  isOwn: boolean,
) {
  const tally = createTally('jobs')
  const known = new Set(
    [
      ...(await parts.jobs.list()),
      ...(await parts.mints.list()),
      ...(await parts.plans.listCosigned()),
    ].map(idOf),
  )
  const isNew = (one: { account: number; job: unknown }, checked: unknown, item: BackupItem) => {
    const isThere = known.has(idOf(one.job))
    if (!isOwn || checked === null) tally.leaveOut()
    else if (isThere) tally.same()
    else tally.add(item)
    return isOwn && checked !== null && !isThere
  }
  const jobs = contents.jobs.filter(one => {
    const owner = ownerOf(owners, one)
    const checked = owner && checkJob(one, owner)
    return isNew(one, checked, describeJob(checked, owner?.name ?? ''))
  })
  const mints = contents.mints.filter(one => {
    const owner = ownerOf(owners, one)
    const checked = owner && checkMint(one, owner)
    return isNew(one, checked, {
      ...{ kind: 'minting', name: checked?.rune.name ?? '', detail: owner?.name ?? '' },
      ...{ network: checked?.network ?? null, own: null },
    })
  })
  const cosigned = contents.cosigned.filter(one => {
    const owner = ownerOf(owners, one)
    const checked = owner && checkCosigned(one, owner)
    return isNew(one, checked, {
      ...{ kind: 'cosigning', name: checked?.label || nameSats(checked?.plan.review.sats) },
      ...{ detail: owner?.name ?? '', network: checked?.network ?? null, own: null },
    })
  })
  return { tally, jobs, mints, cosigned }
}

function describeJob(checked: CheckedJob | null, owner: GivenName): BackupItem {
  const { etching = null, label = '', network = null } = checked?.job ?? {}
  return {
    ...{ kind: etching ? 'etching' : 'inscribing', name: etching?.shown.name ?? label },
    ...{ detail: owner, network, own: null },
  }
}

function nameSats(sats = ''): string {
  return `${sats} sats`
}

function idOf(job: unknown): unknown {
  return Object(job).id
}

/** The account of a job, as it is on the job's network. */
export function ownerOf(
  owners: readonly ({
    id: string | null
    name: GivenName
    account: OpenedAccount['account']
  } | null)[],
  { account, job }: { account: number; job: unknown },
):
  | (Pick<AccountView, 'id' | 'source' | 'address' | 'descriptor' | 'ordinals' | 'name'> & {
      network: Network
    })
  | null {
  const { network } = Object(job)
  const owner = owners[account]
  if (!owner || !isNetwork(network)) return null
  const view = viewAccount({ ...owner.account, id: owner.id ?? '' }, network)
  if (!view) return null
  const { id, source, address, descriptor, ordinals } = view
  return { id, source, address, descriptor, ordinals, name: owner.name, network }
}

async function compareSettings(parts: BackupParts, told: BackupSettings) {
  const tally = createTally('settings')
  const { expert: _, ...own } = await parts.settings.load()
  const { expert: __, ...defaults } = parseSettings(undefined)
  const current = { ...own, network: await parts.accounts.network() }
  const initial = { ...defaults, network: 'mainnet' }
  for (const kind of ['language', 'theme', 'currency', 'autoLockMinutes', 'network'] as const) {
    const [name, mine] = [String(told[kind] ?? ''), String(current[kind] ?? '')]
    if (name === mine) tally.same()
    else tally.differ({ kind, name, detail: null, network: null, own: mine })
  }
  return { tally, isUntouched: digestOf(current) === digestOf(initial) }
}

async function compareServers(parts: BackupParts, contents: BackupContents) {
  const tally = createTally('servers')
  const chosen = await parts.servers.listChosen()
  const added = contents.servers.filter(({ network, kind, url, key }) => {
    const mine = chosen.find(one => one.network === network && one.kind === kind)
    const item = { kind, name: url, detail: null, network }
    if (!mine) tally.add({ ...item, own: null })
    else if (mine.url === url && mine.key === key) tally.same()
    else tally.differ({ ...item, own: mine.url })
    return mine?.url !== url || mine.key !== key
  })
  return { tally, added }
}

// backup: What the recovery phrase does not bring back, as one encrypted file: made, looked at, and restored. It promises
// that nothing of the wallet is lost by a restore, that all of what was shown and chosen is written or nothing, and that
// a file cannot have the wallet sign, pay or lift a protection. It never sees a key, and never holds the phrase.

import { failure, invalidParams } from '../../provider/errors.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import type { PaidPlaces } from '../accounts/address-uses.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import { listHeldAgain } from '../collectibles/hidden-coins.ts'
import { BackupFileError } from '../keys/backup-file.ts'
import type { BackupVault, OpenedBackup } from '../keys/backup-vault.ts'
import { isUnnamed, readName } from '../keys/names.ts'
import { listChange } from '../payments/plan-checks.ts'
import { explainTooMany, TooManyCosignedError } from '../payments/plans.ts'
import type { PasswordResult } from '../views/account-views.ts'
import type { BackupPart, BackupReview } from '../views/backup-views.ts'
import { type BackupContents, parseContents } from './backup-contents.ts'
import { checkCosigned } from './backup-cosigned.ts'
import { checkJob, checkMint, listPaidOfJob, listPaidOfMint, listPlaces } from './backup-jobs.ts'
import { type BackupParts, collectContents } from './collect-contents.ts'
import { compareContents, ownerOf } from './compare-contents.ts'
import { ShapeError } from './shape.ts'

export type Backups = {
  /** The text of a file under a password of its own. A wrong password of the wallet counts like one at unlock. */
  create(walletPassword: string, password: string): Promise<PasswordResult<{ file: string }>>
  /** What restoring a file would do; nothing is written. Throws -32602 with `data.problem` for a file that cannot be opened. */
  review(file: string, password: string): Promise<BackupReview>
  /**
   * Restores the chosen parts of a file as it was shown, all or nothing; the same again does nothing. Throws PLAN_OUTDATED where
   * it would do something else by now, and as {@link Backups.review} does. Resolves the accounts that are one in the file and two in
   * the wallet, where accounts are among the parts; who calls puts them together.
   */
  restore(params: {
    file: string
    password: string
    digest: string
    parts: ReadonlySet<BackupPart>
  }): Promise<RestoredPair[]>
}

/** Ids of two accounts, and the name that they have as one. */
export type RestoredPair = { accountId: string; ordinalsId: string; name: string }

export const BACKUP_PARTS: readonly BackupPart[] = [
  ...(['accounts', 'contacts', 'labels', 'sites', 'coins', 'jobs', 'settings', 'servers'] as const),
]

/** The digest of what was restored last. */
const DONE_KEY = 'restoredBackup'

export function createBackups({
  local,
  backupVault,
  guard,
  ...parts
}: BackupParts & {
  local: StorageArea
  backupVault: BackupVault
  /** Runs what stores jobs. */
  guard<T>(write: () => Promise<T>): Promise<T>
}): Backups {
  const { activity, contacts, sites, blockedSites, settings, servers } = parts
  const { coinChoices, inscriptionSorting } = parts
  const holders = [
    ...[
      { hold: activity.holdLabels },
      coinChoices,
      inscriptionSorting,
      parts.jobs,
      parts.mints,
      parts.plans,
      parts.addresses,
    ],
    ...[contacts, sites, blockedSites, settings, servers],
  ]

  return {
    create: (walletPassword, password) =>
      explaining(() =>
        backupVault.seal({
          ...{ walletPassword, password },
          describe: placeOf => collectContents(parts, placeOf),
        }),
      ),
    review: (file, password) =>
      explaining(async () => {
        const opened = await backupVault.open(file, password)
        const after = await local.get(DONE_KEY)
        return (await compareContents(parts, opened, readContents(opened), after)).review
      }),
    restore: ({ file, password, digest, parts: chosen }) =>
      explaining(async () => {
        const withAccounts = chosen.has('accounts')
        if ((await local.get(DONE_KEY)) === digest)
          // A worker that was stopped may not have put them together.
          return withAccounts ? listPairs(await backupVault.open(file, password)) : []
        let pairs: RestoredPair[] = []
        const restore = () =>
          backupVault.restore(file, password, {
            withAccounts,
            describe: (opened, ids) => {
              pairs = listPairs(opened)
              return listEntries(opened, ids, chosen, digest)
            },
          })
        await guard(() => holdAll(() => parts.accounts.change(restore)))
        return withAccounts ? pairs : []
      }),
  }

  /** Nobody else writes to a room between what is read of it and what is written. */
  function holdAll(task: () => Promise<void>): Promise<void> {
    return holders.reduceRight<() => Promise<void>>(
      (inner, { hold }) =>
        () =>
          hold(inner),
      task,
    )()
  }

  /** All that storage holds of the rooms afterwards. */
  async function listEntries(
    opened: OpenedBackup,
    ids: readonly (string | null)[],
    chosen: ReadonlySet<BackupPart>,
    digest: string,
  ): Promise<{ [key: string]: unknown }> {
    const contents = readContents(opened)
    const after = await local.get(DONE_KEY)
    const { review, additions } = await compareContents(parts, opened, contents, after)
    if (review.digest !== digest)
      throw failure('PLAN_OUTDATED', 'The wallet has changed since this was shown.')
    const owners = opened.accounts.map(({ account }, place) => {
      const id = ids[place] ?? null
      return id === null ? null : { id, name: readName('account', account.name), account }
    })
    const ofAccounts = <T extends { account: number }>(all: readonly T[]) =>
      all.flatMap(({ account, ...one }) => {
        const accountId = owners[account]?.id
        return accountId === undefined ? [] : [{ ...one, accountId }]
      })
    const entries: { [key: string]: unknown } = {}
    const add = async (part: BackupPart, made: () => Promise<object> | object) => {
      if (chosen.has(part)) Object.assign(entries, await made())
    }
    await add('contacts', () => contacts.entriesWith(additions.contacts))
    await add('labels', () => activity.entriesWithLabels(additions.labels))
    await add('sites', () => sites.entriesWith(ofAccounts(additions.sites)))
    await add('sites', () => blockedSites.entriesWith(additions.blockedSites))
    await add('coins', async () =>
      coinChoices.entriesWithLocked(
        ofAccounts(additions.lockedCoins),
        await listHeldAgain(parts, additions.inscriptions),
      ),
    )
    await add('coins', () => inscriptionSorting.entriesWith(ofAccounts(additions.inscriptions)))
    const paid: PaidPlaces[] = []
    const jobs = additions.jobs.flatMap(one => {
      const owner = ownerOf(owners, one)
      const checked = owner && checkJob(one, owner)
      if (!checked) return []
      paid.push({ ...checked.job, places: listPaidOfJob(checked, owner) })
      return checked
    })
    const mints = additions.mints.flatMap(one => {
      const owner = ownerOf(owners, one)
      const checked = owner && checkMint(one, owner)
      if (!checked) return []
      paid.push({ ...checked, places: listPaidOfMint(checked, owner) })
      return checked
    })
    const cosigned = additions.cosigned.flatMap(one => {
      const owner = ownerOf(owners, one)
      const checked = owner && checkCosigned(one, owner)
      if (!checked) return []
      const change = listChange(decodePayment(checked.plan.payment))
      paid.push({ ...checked, places: listPlaces(change, owner) })
      return checked
    })
    await add('jobs', () => parts.jobs.entriesWith(jobs))
    await add('jobs', () => parts.mints.entriesWith(mints))
    await add('jobs', () => parts.addresses.entriesUsed(paid))
    await add('jobs', () =>
      parts.plans.entriesWithCosigned(cosigned).catch(cause => {
        if (!(cause instanceof TooManyCosignedError)) throw cause
        const owner = owners.find(one => one?.id === cause.oldest.accountId)
        throw explainTooMany(cause, owner?.name ?? '')
      }),
    )
    const { network, ...preferences } = additions.settings
    await add('settings', () => settings.entriesWith(preferences))
    await add('settings', () => parts.accounts.entriesWithNetwork(network))
    await add('servers', () => servers.entriesWith(additions.servers))
    return { ...entries, [DONE_KEY]: digest }
  }
}

function listPairs({ accounts }: OpenedBackup): RestoredPair[] {
  return accounts.flatMap(({ pair, account: { name } }) =>
    pair ? [{ ...pair, name: isUnnamed('account', name) ? '' : name }] : [],
  )
}

function readContents({ contents }: OpenedBackup): BackupContents {
  try {
    return parseContents(contents)
  } catch (cause) {
    if (!(cause instanceof ShapeError)) throw cause
    throw Object.assign(new BackupFileError('damaged'), { cause })
  }
}

/** Why a file cannot be opened, in `data.problem`; no error quotes anything of it. */
async function explaining<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (cause) {
    if (!(cause instanceof BackupFileError)) throw cause
    const { problem } = cause
    throw Object.assign(invalidParams('file', null, 'a backup', { problem }), { cause })
  }
}

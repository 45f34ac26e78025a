import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import { isSamePlace, type Place } from '../../bitcoin/derivation.ts'
import { KEY_SPACES, type KeySpace } from '../../bitcoin/network.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { PasswordResult } from '../views/account-views.ts'
import type { Argon2Cost } from './argon2/argon2id.ts'
import type { AuthenticRecords } from './authentic-records.ts'
import { placeFirst, placePhrases, readAccount, withInscribing } from './backup-accounts.ts'
import { BackupFileError, damaged, isShallow, openBackup, sealBackup } from './backup-file.ts'
import {
  findTagged,
  ID_BYTES,
  listRoots,
  listTags,
  parsePhraseNames,
  phraseIdOf,
  type Root,
  TAG_BYTES,
  tellPhrases,
  toldIdOf,
} from './backup-roots.ts'
import { isUnnamed } from './names.ts'
import type { Vault } from './vault.ts'
import { type PublicAccount, withoutKey } from './vault-accounts.ts'
import type { DeriveKey } from './vault-kdf.ts'
import { findSame, isAmong, refuseOther } from './vault-list.ts'
import { chooseInscribing, createId, isOfPhrase } from './vault-phrases.ts'
import type { VaultAccount, VaultSecret } from './vault-secret.ts'
import { ordinalsPlaceOf } from './vault-seed.ts'

/** An account of a backup, and what the wallet has of it. */
export type OpenedAccount = {
  account: PublicAccount
  /** The wallet's account with this address; null where there is none. `isWider` where it has a further address that sites see. */
  existing: { id: string; name: string; isWider: boolean } | null
  /** The wallet's two accounts that are one in the backup, where nobody has named or hidden either but as the backup has it. */
  pair: { accountId: string; ordinalsId: string } | null
  /** Whether its name, that it is hidden and that it has many addresses take the place of what the wallet chose itself. */
  isRenamed: boolean
  /** Of a phrase that is not here: it cannot be restored. */
  isForeign: boolean
}

/** What is in a file. `contents` is unchecked JSON of a bounded depth. */
export type OpenedBackup = {
  /** Whether a wallet with a phrase or key of this one made it, so that everything in it is as that wallet wrote it. */
  isOwn: boolean
  /** Names of the wallet's phrases that take the place of what it chose itself. */
  phraseNames: { id: string; own: string; name: string }[]
  /** Milliseconds since 1970. */
  madeAt: number
  accounts: OpenedAccount[]
  contents: { [member: string]: unknown }
}

/** The side of backups that sees keys: the accounts in them, and which wallet made them. */
export type BackupVault = {
  /** The text of a file with all accounts and what `describe` tells of them by their place in it. A wrong password of the wallet counts like one at unlock. */
  seal(params: {
    walletPassword: string
    password: string
    describe: (
      placeOf: ReadonlyMap<string, number>,
    ) => Promise<Record<string, unknown>> | Record<string, unknown>
  }): Promise<PasswordResult<{ file: string }>>
  /** Throws {@link BackupFileError}, and VaultLockedError. */
  open(file: string, password: string): Promise<OpenedBackup>
  /**
   * Adds the accounts of a file that the wallet does not have, in one write with the entries of storage that `describe` gives for
   * the ids of all of them; null for one that is not there afterwards. All or nothing.
   */
  restore(
    file: string,
    password: string,
    params: {
      withAccounts: boolean
      describe: (
        opened: OpenedBackup,
        ids: readonly (string | null)[],
      ) => Promise<{ [key: string]: unknown }>
    },
  ): Promise<void>
}

/** The first had accounts of one phrase. */
const VERSION = 2
const MOST_ACCOUNTS = 500
const DEEPEST = 24

type Read = OpenedBackup & { secrets: VaultAccount[] }

export function createBackupVault({
  vault,
  records,
  random,
  now,
  cost,
  deriveKey,
}: {
  vault: Pick<Vault, 'open' | 'reveal'>
  records: Pick<AuthenticRecords, 'writeWithVault'>
  random: RandomSource
  now(): number
  cost?: Argon2Cost
  deriveKey?: DeriveKey | undefined
}): BackupVault {
  return {
    async seal({ walletPassword, password, describe }) {
      // What is not in the vault can be told apart from what somebody else wrote only while it is unlocked.
      await vault.open()
      const opened = await vault.reveal(walletPassword)
      if (!opened.accepted) return opened
      const { accounts, phrases } = opened.secret
      const roots = await listRoots(opened.secret)
      const [root] = roots
      if (!root) throw new Error('backup: the wallet has neither a phrase nor a key')
      const contents = await describe(new Map(accounts.map(({ id }, place) => [id, place])))
      const told = {
        ...contents,
        version: VERSION,
        madeAt: now(),
        accounts: accounts.map(account => tellPhrases(account, roots)),
        phrases: phrases.map(({ id, name }) => ({ id: toldIdOf(id, roots), name })),
      }
      const body = toUtf8(JSON.stringify({ ...told, tags: listTags(roots.slice(1), told) }))
      const plain = concatBytes(root.id, hmac(sha256, root.tagKey, body), body)
      try {
        return {
          accepted: true,
          file: await sealBackup(plain, password, { random, cost, deriveKey }),
        }
      } finally {
        plain.fill(0)
        body.fill(0)
      }
    },
    async open(file, password) {
      const { secrets: _, ...opened } = await read(file, password)
      return opened
    },
    async restore(file, password, { withAccounts, describe }) {
      const { secrets, ...opened } = await read(file, password)
      const added: VaultAccount[] = []
      const renamed = new Map<string, Pick<VaultAccount, 'name' | 'hidden' | 'sides'>>()
      const ids = opened.accounts.map(({ existing, isForeign, isRenamed, account }, place) => {
        const secret = secrets[place]
        if (existing && isRenamed && withAccounts) renamed.set(existing.id, account)
        if (existing) return existing.id
        if (isForeign || !withAccounts || !secret) return null
        added.push(secret)
        return secret.id
      })
      const entries = await describe(opened, ids)
      const phraseNames = withAccounts ? opened.phraseNames : []
      await records.writeWithVault(entries, secret => ({
        ...secret,
        phrases: secret.phrases.map(phrase => {
          const { name } = phraseNames.find(({ id }) => id === phrase.id) ?? phrase
          return isUnnamed('wallet', phrase.name) ? { ...phrase, name } : phrase
        }),
        accounts: added.reduce(
          append,
          secret.accounts.map(account => restoreOver(account, secret)),
        ),
      }))

      function restoreOver(account: VaultAccount, secret: VaultSecret): VaultAccount {
        const restored = renamed.get(account.id)
        if (!restored || !isUntouched(account)) return account
        const { name, hidden } = restored
        const sides = withDescriptorsOf(account, restored)
        const widened = { ...account, sides }
        const isFree = !secret.accounts.some(other => isAmong(other, widened))
        const isWider = opened.isOwn && isFree && widens(account, widened)
        return { ...account, name, hidden, ...(isWider && { sides }) }
      }
    },
  }

  async function read(file: string, password: string): Promise<Read> {
    const secret = await vault.open()
    const plain = await openBackup(file, password, { deriveKey })
    try {
      const [id, tag] = [plain.slice(0, ID_BYTES), plain.slice(ID_BYTES, ID_BYTES + TAG_BYTES)]
      const padded = plain.subarray(ID_BYTES + TAG_BYTES)
      const body = padded.subarray(0, padded.findLastIndex(byte => byte !== 0x20) + 1)
      const roots = await listRoots(secret)
      const root = roots.find(one => equalBytes(one.id, id))
      // The id says that this wallet made it, so whoever changed it knew the password alone.
      if (root && !equalBytes(hmac(sha256, root.tagKey, body), tag)) throw damaged()
      return parseBody(body, secret, { roots, root })
    } finally {
      plain.fill(0)
    }
  }

  function parseBody(
    body: Uint8Array,
    secret: VaultSecret,
    { roots, root: first }: { roots: readonly Root[]; root: Root | undefined },
  ): Read {
    const { tags, ...told } = Object(parseJson(body))
    const { version, madeAt, accounts, phrases = [], ...contents } = told
    if (Number.isSafeInteger(version) && version > VERSION)
      throw new BackupFileError('newer-version')
    if (version !== 1 && version !== VERSION) throw damaged()
    if (!Number.isSafeInteger(madeAt) || madeAt < 0) throw damaged()
    if (!Array.isArray(accounts) || accounts.length > MOST_ACCOUNTS) throw damaged()
    if ((version === 1) !== (tags === undefined) || (version === 1) !== !('phrases' in told))
      throw damaged()
    const root = first ?? (version === 1 ? undefined : findTagged(roots, tags, told))
    const isOwn = root !== undefined
    const current = accounts.map(account =>
      version === 1 ? placeFirst(account, root) : placePhrases(account, roots),
    )
    const secrets = current.map(account =>
      withInscribing(readAccount(account, createId(random)), isOwn, () =>
        chooseInscribing(secret, random),
      ),
    )
    const phraseNames = listPhraseNames(phrases, { roots, secret, isOwn })
    if (secrets.some((one, place) => findSame(secrets.slice(0, place), one))) throw damaged()
    const opened = secrets.map((account): OpenedAccount => {
      const existing = findExisting(secret.accounts, account)
      const isWider = existing !== undefined && hasOrdinals(existing) && !hasOrdinals(account)
      return {
        account: withoutKey(account),
        existing: existing ? { id: existing.id, name: existing.name, isWider } : null,
        pair: isOwn ? findHalves(secret.accounts, account) : null,
        isRenamed:
          existing !== undefined &&
          isUntouched(existing) &&
          !isAmong(account, existing) &&
          (!isUnnamed('account', account.name) ||
            account.hidden ||
            (isOwn && widens(existing, account))),
        isForeign:
          account.source === 'seed' &&
          !existing &&
          !(isOwn && secret.phrases.some(({ id }) => id === account.phrase)),
      }
    })
    return { isOwn, phraseNames, madeAt, accounts: opened, contents, secrets }
  }
}

/** Whether an account of the phrase has all its addresses in a backup and one in the wallet. */
function widens(existing: VaultAccount, { source, sides }: VaultAccount): boolean {
  return (
    source === 'seed' &&
    KEY_SPACES.some(
      space => sides[space]?.descriptor !== undefined && !existing.sides[space]?.descriptor,
    )
  )
}

/** The account with the same first address, or else with any of its addresses. */
function findExisting(accounts: readonly VaultAccount[], account: VaultAccount) {
  const scriptIn = (one: VaultAccount, space: KeySpace) => one.sides[space]?.scriptPubKey
  return (
    accounts.find(one =>
      KEY_SPACES.some(
        space =>
          scriptIn(one, space) !== undefined && scriptIn(one, space) === scriptIn(account, space),
      ),
    ) ?? findSame([...accounts], account)
  )
}

function hasOrdinals({ sides }: VaultAccount): boolean {
  return KEY_SPACES.some(space => sides[space]?.ordinals !== undefined)
}

/** The two accounts of the wallet that have the two addresses of one, as the wallet made them or a restore that was stopped left them. */
function findHalves(
  accounts: readonly VaultAccount[],
  account: VaultAccount,
): OpenedAccount['pair'] {
  if (account.source !== 'seed' || !hasOrdinals(account)) return null
  const isAt = (place: Place) => (one: VaultAccount) =>
    isOfPhrase(one, account.phrase) &&
    one.source === 'seed' &&
    isSamePlace(one, place) &&
    !hasOrdinals(one)
  const isAsTold = ({ name, hidden }: VaultAccount) =>
    name === account.name && hidden === account.hidden
  const own = accounts.filter(isAt(account)).find(one => isUntouched(one) || isAsTold(one))
  const ordinals = accounts.filter(isAt(ordinalsPlaceOf(account))).find(isUntouched)
  const hasMany = KEY_SPACES.some(space => ordinals?.sides[space]?.descriptor !== undefined)
  return own && ordinals && !hasMany ? { accountId: own.id, ordinalsId: ordinals.id } : null
}

/** The account's sides with all addresses of the one in a backup. The address for ordinals may be another account's here. */
function withDescriptorsOf(
  { sides }: Pick<VaultAccount, 'sides'>,
  restored: Pick<VaultAccount, 'sides'>,
): VaultAccount['sides'] {
  const widened = { ...sides }
  for (const space of KEY_SPACES) {
    const [side, descriptor] = [sides[space], restored.sides[space]?.descriptor]
    if (side && descriptor !== undefined) widened[space] = { ...side, descriptor }
  }
  return widened
}

/** As the wallet made it. */
function isUntouched({ name, hidden }: Pick<VaultAccount, 'name' | 'hidden'>): boolean {
  return isUnnamed('account', name) && !hidden
}

function append(accounts: VaultAccount[], added: VaultAccount): VaultAccount[] {
  refuseOther(findSame(accounts, added))
  return [...accounts, added]
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (isShallow(text, DEEPEST)) return JSON.parse(text)
  } catch {}
  throw damaged()
}

/** Which names of a file the wallet's own phrases get; what is not a list of names is damage. */
function listPhraseNames(
  told: unknown,
  { roots, secret, isOwn }: { roots: readonly Root[]; secret: VaultSecret; isOwn: boolean },
): OpenedBackup['phraseNames'] {
  const names = parsePhraseNames(told)
  if (!isOwn) return []
  return secret.phrases.flatMap(({ id, name: own }) => {
    const { name } = names.find(one => phraseIdOf(one.id, roots) === id) ?? {}
    const isRenamed = name !== undefined && !isUnnamed('wallet', name)
    return isRenamed && isUnnamed('wallet', own) ? [{ id, own, name }] : []
  })
}

// accounts: The public side of the keys: which accounts there are on which network, which one is in use, the
// address book, and who pays (`payment-context.ts`). It promises that what it shows is gone once the wallet locks;
// it never hands out a private key, and asks no server but to look for used addresses.

import type { AddressType } from '../../bitcoin/address.ts'
import type { Place } from '../../bitcoin/derivation.ts'
import { isNetwork, NETWORKS, type Network } from '../../bitcoin/network.ts'
import type { Phrase } from '../../bitcoin/phrases/phrase-kind.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { lastAccount, UnknownAccountError } from '../keys/account-errors.ts'
import type { Vault } from '../keys/vault.ts'
import { VaultLockedError } from '../keys/vault-session.ts'
import { laterPart } from '../primitives/later-part.ts'
import { createMutex } from '../primitives/mutex.ts'
import { type RandomSource, randomBytes } from '../primitives/random-source.ts'
import type {
  AccountView,
  PasskeyUnlockResult,
  PasswordResult,
  PayingAccountView,
  PhraseView,
  SigningAccountView,
  UnlockResult,
  WalletOrigin,
} from '../views/account-views.ts'
import { createEndedAccounts, type HasEnded } from './ended-accounts.ts'

export type Accounts = {
  /**
   * Makes the wallet of a valid phrase or of a key of the network in use, and unlocks it. `alongside` is stored with it, all or
   * nothing. Throws `VaultExistsError`.
   */
  create(
    origin: WalletOrigin,
    password: string,
    alongside?: { [key: string]: unknown },
  ): Promise<void>
  unlock(password: string): Promise<UnlockResult>
  unlockWithPasskey(prf: string): Promise<PasskeyUnlockResult>
  lock(): Promise<void>
  /** Those that exist on the network, hidden ones too, in the vault's order; empty while locked. */
  list(network: Network): Promise<AccountView[]>
  /** The account in use: the one last selected, else the first that is not hidden; null while locked, or where there is none. */
  selected(network: Network): Promise<AccountView | null>
  /** Throws `VaultLockedError`, or `UnknownAccountError` for an id that the network in use does not show. */
  select(accountId: string): Promise<void>
  network(): Promise<Network>
  selectNetwork(network: Network): Promise<void>
  /** The recovery phrases, in the order in which they came; null while locked. */
  phrases(): Promise<PhraseView[] | null>
  /** Id of the phrase of the account in use; null where it has none, and while locked. */
  phraseInUse(): Promise<string | null>
  /** Of those that this worker has met. */
  hasEnded: HasEnded
  /** For when the wallet is erased. */
  endAll(): void
  /** Reads the vault's accounts anew. */
  refresh(): Promise<void>
  /** Runs what changes the accounts in the vault; they are read anew after it. */
  change<T>(apply: () => Promise<T>): Promise<T>
  /** What storage holds with another network in use. */
  entriesWithNetwork(network: Network): { [key: string]: unknown }
  /** The same with another account in use. */
  entriesWithSelected(accountId: string): { [key: string]: unknown }

  // Changes. On the network in use; an empty name is chosen by the wallet; refusals are in account-errors.ts.
  /** A valid phrase, with its first accounts that are not there yet: those resolve. */
  addPhrase(
    phrase: Phrase & { name: string },
  ): Promise<{ phrase: PhraseView; accounts: AccountView[] }>
  renamePhrase(phraseId: string, name: string): Promise<void>
  /**
   * Takes a phrase away, with its accounts; these are leaving from then on. `mayRemove` throws where one of them has to stay. When one
   * is in use, another becomes that. A wrong password counts like one at unlock.
   */
  removePhrase(
    phraseId: string,
    password: string,
    mayRemove: (accountIds: readonly string[]) => Promise<void>,
  ): Promise<PasswordResult<object>>
  /** The next account of this type from a phrase (the first one for null), also with a Taproot address for ordinals. */
  add(next: {
    phraseId: string | null
    addressType: AddressType
    name: string
    withOrdinals: boolean
  }): Promise<AccountView>
  /** Accounts at places of a phrase; resolves those that were not there yet. */
  addPlaces(phraseId: string | null, places: readonly Place[]): Promise<AccountView[]>
  /** Throws `InvalidWifError`. */
  importWif(key: { wif: string; addressType: AddressType; name: string }): Promise<AccountView>
  /**
   * An account whose key is on a device, by its descriptor; `ordinals` is that of a Taproot key beside it. Throws
   * `InvalidDescriptorError`, and -32602 that names `ordinals`.
   */
  addDevice(device: {
    descriptor: string
    ordinals: string | null
    name: string
  }): Promise<AccountView>
  /** An account of several signers, by its descriptor. Throws `InvalidDescriptorError`. */
  addMultisig(multisig: { descriptor: string; name: string }): Promise<AccountView>
  /** Throws `InvalidAddressError`. */
  watch(address: { address: string; name: string }): Promise<AccountView>
  rename(accountId: string, name: string): Promise<void>
  /** Whether the account has a fresh address for each payment (BIP-44), or one for all. */
  setManyAddresses(accountId: string, on: boolean): Promise<void>
  /** Whether the account has a Taproot address for ordinals beside its own; `around` runs what gives it one. */
  setOrdinals(
    accountId: string,
    on: boolean,
    around: (write: () => Promise<void>) => Promise<void>,
  ): Promise<void>
  /** When it is the one in use, another becomes that; the last one shown cannot be hidden. */
  setHidden(accountId: string, hidden: boolean): Promise<void>
  /** When it is the one in use, another becomes that. It is leaving from then on. */
  remove(accountId: string): Promise<void>
  /** Ids of accounts that were removed, of which other rooms may know something yet. */
  listLeaving(): Promise<string[]>
  /** For when they know nothing any more. */
  settleLeaving(accountIds: readonly string[]): Promise<void>
}

/** The address that inscriptions, runes and the like of an account come to. */
export function assetAddressOf({ address, ordinals }: AccountView): string {
  return ordinals?.address ?? address
}

type Known = { phrases: PhraseView[]; views: { [network in Network]: AccountView[] } }

const KNOWN = 'accounts.views'
const SELECTED = 'accounts.selected'
const NETWORK = 'network'
const LEAVING = 'accounts.leaving'

/** Whether the wallet or a device has the key; sites are for such accounts only. */
export function canSign(account: AccountView): account is SigningAccountView {
  return account.source !== 'watch' && account.source !== 'multisig'
}

/** Whether it has a key, or several signers. */
export function canPay(account: AccountView): account is PayingAccountView {
  return account.source !== 'watch'
}

/**
 * The public side of the accounts and what is selected. The views of every network are in session storage while unlocked,
 * so that a worker that just started answers without opening the vault; a lock removes them.
 */
export function createAccounts(deps: {
  vault: Pick<
    Vault,
    | 'status'
    | 'onLock'
    | 'create'
    | 'unlock'
    | 'unlockWithPasskey'
    | 'lock'
    | 'open'
    | 'reveal'
    | 'update'
  >
  session: StorageArea
  local: StorageArea
  /** For the ids of new accounts; the browser's unless told. */
  random?: RandomSource
}): Accounts {
  const { vault, session, local, random = randomBytes } = deps
  const sealed = laterPart(async () =>
    (await import('../keys/vault-accounts.ts')).createVaultAccounts({ vault, random }),
  )
  /** Refreshes take turns, so that an older reading of the vault never overwrites a newer one. */
  const inTurn = createMutex()
  /** Another page may hide what is the last one shown then. */
  const hiding = createMutex()
  /** Changes under way. Views that were read meanwhile are not stored, as they may be the old ones. */
  let changes = 0
  const ended = createEndedAccounts()
  const isUnlocked = async () => (await vault.status()) === 'unlocked'
  vault.onLock(() => session.remove(KNOWN))

  function refresh(): Promise<Known | null> {
    return inTurn(async () => {
      const isChanging = changes > 0
      if (!(await isUnlocked())) return null
      const read = await sealed.read().catch(nullWhenLocked)
      if (!read) return null
      const { phrases, accounts } = read
      ended.settle(accounts.map(({ id }) => id))
      const { viewAccount } = await import('./account-view.ts')
      const viewsOn = (network: Network) =>
        accounts.flatMap(account => viewAccount(account, network) ?? [])
      const views = Object.fromEntries(NETWORKS.map(network => [network, viewsOn(network)]))
      const known = { phrases, views } as Known
      if (isChanging) return known
      await session.set({ [KNOWN]: known })
      // A lock that came meanwhile may have removed the key before this write put it back.
      if (await isUnlocked()) return known
      await session.remove(KNOWN)
      return null
    })
  }

  async function load(): Promise<Known | null> {
    if (!(await isUnlocked())) return null
    // Written by this module only, and gone with the browser.
    const known = (await session.get(KNOWN)) as Known | undefined
    if (!known) return refresh()
    for (const views of Object.values(known.views)) ended.meet(views.map(({ id }) => id))
    return known
  }

  async function list(network: Network): Promise<AccountView[]> {
    return (await load())?.views[network] ?? []
  }

  async function selected(on: Network): Promise<AccountView | null> {
    const views = await list(on)
    const shown = views.filter(({ hidden }) => !hidden)
    const id = await local.get(SELECTED)
    return shown.find(view => view.id === id) ?? shown[0] ?? views[0] ?? null
  }

  /** Other programs can write it: an account that is there is not leaving. */
  async function listLeaving(): Promise<string[]> {
    const stored = await local.get(LEAVING)
    if (!Array.isArray(stored)) return []
    const present = new Set((await Promise.all(NETWORKS.map(list))).flat().map(({ id }) => id))
    return stored.filter(id => typeof id === 'string' && !present.has(id))
  }

  async function entriesLeaving(
    accountIds: readonly string[],
  ): Promise<{ [key: string]: unknown }> {
    return { [LEAVING]: [...(await listLeaving()), ...accountIds] }
  }

  async function network(): Promise<Network> {
    const stored = await local.get(NETWORK)
    return isNetwork(stored) ? stored : 'mainnet'
  }

  /** Changes the vault. A worker that dies after that must not leave the old views to the next. */
  async function change<T>(apply: () => Promise<T>): Promise<T> {
    changes++
    try {
      await inTurn(() => session.remove(KNOWN))
      return await apply()
    } finally {
      changes--
      await refresh()
    }
  }

  async function addOne(apply: (network: Network) => Promise<string[]>): Promise<AccountView> {
    const on = await network()
    const [id = ''] = await change(() => apply(on))
    const view = (await list(on)).find(account => account.id === id)
    if (!view) throw new UnknownAccountError(id)
    return view
  }

  async function refreshed<T extends { unlocked: boolean }>(unlocking: Promise<T>): Promise<T> {
    const result = await unlocking
    if (result.unlocked) await refresh()
    return result
  }

  return {
    list,
    network,
    async create(origin, password, alongside) {
      const { createSecret } = await import('../keys/vault-phrases.ts')
      const secret = await createSecret(origin, await network(), random)
      await vault.create(secret, password, alongside)
      await refresh()
    },
    unlock: password => refreshed(vault.unlock(password)),
    unlockWithPasskey: prf => refreshed(vault.unlockWithPasskey(prf)),
    lock: () => vault.lock(),
    phrases: async () => (await load())?.phrases ?? null,
    async phraseInUse() {
      const account = await selected(await network())
      return account?.source === 'seed' ? account.phraseId : null
    },
    hasEnded: ended.has,
    endAll: () => ended.settle([]),
    refresh: async () => {
      await refresh()
    },
    selected,
    async select(accountId) {
      if (!(await isUnlocked())) throw new VaultLockedError()
      const views = await list(await network())
      if (!views.some(({ id, hidden }) => id === accountId && !hidden))
        throw new UnknownAccountError(accountId)
      await local.set({ [SELECTED]: accountId })
    },
    selectNetwork: selected => local.set({ [NETWORK]: selected }),
    change,
    entriesWithNetwork: selected => ({ [NETWORK]: selected }),
    entriesWithSelected: accountId => ({ [SELECTED]: accountId }),
    async addPhrase(named) {
      const { phraseId, added } = await change(() => sealed.addPhrase(named))
      const phrase = (await load())?.phrases.find(({ id }) => id === phraseId)
      if (!phrase) throw new VaultLockedError()
      const views = await list(await network())
      return { phrase, accounts: views.filter(({ id }) => added.includes(id)) }
    },
    renamePhrase: (phraseId, name) => change(() => sealed.renamePhrase(phraseId, name)),
    removePhrase: (phraseId, password, mayRemove) =>
      change(async () => {
        const result = await sealed.removePhrase(phraseId, password, async accountIds => {
          await mayRemove(accountIds)
          return entriesLeaving(accountIds)
        })
        return result.accepted ? { accepted: true } : result
      }),
    add: next => addOne(() => sealed.addNext(next)),
    async addPlaces(phraseId, places) {
      const added = await change(() => sealed.addPlaces(phraseId, places))
      return (await list(await network())).filter(({ id }) => added.includes(id))
    },
    importWif: key => addOne(network => sealed.addKey({ ...key, network })),
    addDevice: device => addOne(network => sealed.addDevice({ ...device, network })),
    addMultisig: multisig => addOne(network => sealed.addMultisig({ ...multisig, network })),
    watch: address => addOne(network => sealed.addAddress({ ...address, network })),
    rename: (accountId, name) => change(() => sealed.change(accountId, { name })),
    setManyAddresses: (accountId, on) => change(() => sealed.setManyAddresses(accountId, on)),
    setOrdinals: (accountId, on, around) => change(() => sealed.setOrdinals(accountId, on, around)),
    setHidden: (accountId, hidden) =>
      hiding(async () => {
        const others = (await list(await network())).filter(({ id }) => id !== accountId)
        if (hidden && others.every(other => other.hidden)) throw lastAccount()
        await change(() => sealed.change(accountId, { hidden }))
      }),
    remove: accountId =>
      change(async () => sealed.remove(accountId, await entriesLeaving([accountId]))),
    listLeaving,
    async settleLeaving(accountIds) {
      const left = (await listLeaving()).filter(id => !accountIds.includes(id))
      await (left.length > 0 ? local.set({ [LEAVING]: left }) : local.remove(LEAVING))
    },
  }
}

function nullWhenLocked(error: unknown): null {
  if (error instanceof VaultLockedError) return null
  throw error
}

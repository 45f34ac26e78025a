// accounts: The public side of the keys: which accounts there are on which network, which one is in use, the
// address book, and who pays (`payment-context.ts`). It promises that what it shows is gone once the wallet locks;
// it never hands out a private key, and asks no server but to look for used addresses.

import type { AddressType } from '../../bitcoin/address.ts'
import type { Place } from '../../bitcoin/derivation.ts'
import { isNetwork, NETWORKS, type Network } from '../../bitcoin/network.ts'
import type { StorageArea } from '../../storage/storage-area.ts'
import { lastAccount, UnknownAccountError } from '../keys/account-errors.ts'
import { checkName } from '../keys/names.ts'
import { type Vault, VaultLockedError } from '../keys/vault.ts'
import { laterPart } from '../primitives/later-part.ts'
import { createMutex } from '../primitives/mutex.ts'
import { type RandomSource, randomBytes } from '../primitives/random-source.ts'
import type {
  AccountView,
  PasskeyUnlockResult,
  PayingAccountView,
  SigningAccountView,
  UnlockResult,
  WalletOrigin,
} from '../views/account-views.ts'

export type Accounts = {
  /** Makes the wallet of a valid phrase or of a key of the network in use, and unlocks it. Throws `VaultExistsError`. */
  create(origin: WalletOrigin, password: string): Promise<void>
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
  /** Null while locked. */
  hasPhrase(): Promise<boolean | null>
  /** Reads the vault's accounts anew. */
  refresh(): Promise<void>
  /** Runs what changes the accounts in the vault; they are read anew after it. */
  change<T>(apply: () => Promise<T>): Promise<T>
  /** What storage holds with another network in use. */
  entriesWithNetwork(network: Network): { [key: string]: unknown }
  /** The same with another account in use. */
  entriesWithSelected(accountId: string): { [key: string]: unknown }

  // Changes. On the network in use; an empty name is chosen by the wallet; refusals are in account-errors.ts.
  /** The next account of this type from the phrase, also with a Taproot address for ordinals. */
  add(addressType: AddressType, name: string, withOrdinals?: boolean): Promise<AccountView>
  /** Accounts at places of the phrase; resolves those that were not there yet. */
  addPlaces(places: readonly Place[]): Promise<AccountView[]>
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
  /** Whether the account has a Taproot address for ordinals beside its own; `beforeOn` runs before it has. */
  setOrdinals(accountId: string, on: boolean, beforeOn: () => Promise<void>): Promise<void>
  /** When it is the one in use, another becomes that; the last one shown cannot be hidden. */
  setHidden(accountId: string, hidden: boolean): Promise<void>
  /** When it is the one in use, another becomes that. */
  remove(accountId: string): Promise<void>
}

/** The address that inscriptions, runes and the like of an account come to. */
export function assetAddressOf({ address, ordinals }: AccountView): string {
  return ordinals?.address ?? address
}

type Known = { hasPhrase: boolean; views: { [network in Network]: AccountView[] } }

const KNOWN = 'accounts.views'
const SELECTED = 'accounts.selected'
const NETWORK = 'network'

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
    'status' | 'onLock' | 'create' | 'unlock' | 'unlockWithPasskey' | 'lock' | 'open' | 'update'
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
  const isUnlocked = async () => (await vault.status()) === 'unlocked'
  vault.onLock(() => session.remove(KNOWN))

  function refresh(): Promise<Known | null> {
    return inTurn(async () => {
      if (!(await isUnlocked())) return null
      const read = await sealed.read().catch(nullWhenLocked)
      if (!read) return null
      const { hasPhrase, accounts } = read
      const { viewAccount } = await import('./account-view.ts')
      const viewsOn = (network: Network) =>
        accounts.flatMap(account => viewAccount(account, network) ?? [])
      const views = Object.fromEntries(NETWORKS.map(network => [network, viewsOn(network)]))
      const known = { hasPhrase, views } as Known
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
    return known ?? (await refresh())
  }

  async function list(network: Network): Promise<AccountView[]> {
    return (await load())?.views[network] ?? []
  }

  async function network(): Promise<Network> {
    const stored = await local.get(NETWORK)
    return isNetwork(stored) ? stored : 'mainnet'
  }

  /** Changes the vault. A worker that dies after that must not leave the old views to the next. */
  async function change<T>(apply: () => Promise<T>): Promise<T> {
    await session.remove(KNOWN)
    try {
      return await apply()
    } finally {
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

  const nameOrNone = (name: string) => (name === '' ? '' : checkName(name))

  return {
    list,
    network,
    async create(origin, password) {
      const { createSecret } = await import('../keys/vault-accounts.ts')
      const secret = await createSecret(origin, await network(), random)
      await vault.create(secret, password)
      await refresh()
    },
    unlock: password => refreshed(vault.unlock(password)),
    unlockWithPasskey: prf => refreshed(vault.unlockWithPasskey(prf)),
    lock: () => vault.lock(),
    hasPhrase: async () => (await load())?.hasPhrase ?? null,
    refresh: async () => {
      await refresh()
    },
    async selected(on) {
      const views = await list(on)
      const shown = views.filter(({ hidden }) => !hidden)
      const id = await local.get(SELECTED)
      return shown.find(view => view.id === id) ?? shown[0] ?? views[0] ?? null
    },
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
    add: (addressType, name, withOrdinals = false) =>
      addOne(() => sealed.addNext(addressType, nameOrNone(name), withOrdinals)),
    async addPlaces(places) {
      const added = await change(() => sealed.addPlaces(places))
      return (await list(await network())).filter(({ id }) => added.includes(id))
    },
    importWif: key =>
      addOne(on => sealed.addKey({ ...key, name: nameOrNone(key.name), network: on })),
    addDevice: device =>
      addOne(on => sealed.addDevice({ ...device, name: nameOrNone(device.name), network: on })),
    addMultisig: multisig =>
      addOne(on =>
        sealed.addMultisig({ ...multisig, name: nameOrNone(multisig.name), network: on }),
      ),
    watch: address =>
      addOne(on => sealed.addAddress({ ...address, name: nameOrNone(address.name), network: on })),
    rename: (accountId, name) => change(() => sealed.change(accountId, { name: checkName(name) })),
    setManyAddresses: (accountId, on) => change(() => sealed.setManyAddresses(accountId, on)),
    setOrdinals: (accountId, on, beforeOn) =>
      change(() => sealed.setOrdinals(accountId, on, beforeOn)),
    async setHidden(accountId, hidden) {
      const others = (await list(await network())).filter(({ id }) => id !== accountId)
      if (hidden && others.every(other => other.hidden)) throw lastAccount()
      await change(() => sealed.change(accountId, { hidden }))
    },
    remove: accountId => change(() => sealed.remove(accountId)),
  }
}

function nullWhenLocked(error: unknown): null {
  if (error instanceof VaultLockedError) return null
  throw error
}

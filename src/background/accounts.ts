import { encodeAddress } from '../bitcoin/address.ts'
import { fromHex, toHex } from '../bitcoin/bytes.ts'
import { derivationPath } from '../bitcoin/derivation.ts'
import { isNetwork, NETWORKS, type Network } from '../bitcoin/network.ts'
import type { StorageArea } from '../storage/storage-area.ts'
import { drawRandom, type RandomSource, randomBytes } from './random-source.ts'
import { type AccountKeys, type Signer, UnknownAccountError } from './signer.ts'
import type { AccountView, UnlockResult } from './ui-methods/ui-methods.ts'
import { type Vault, type VaultAccount, VaultLockedError } from './vault.ts'

export type Accounts = {
  /** Makes the wallet of a phrase that is known to be valid, and unlocks it. Throws `VaultExistsError`. */
  create(params: { mnemonic: string; passphrase: string; password: string }): Promise<void>
  unlock(password: string): Promise<UnlockResult>
  lock(): Promise<void>
  /** In the vault's order; empty while locked. */
  list(network: Network): Promise<AccountView[]>
  /** The account in use: the one last selected, else the first; null while locked. */
  selected(network: Network): Promise<AccountView | null>
  /** Throws `VaultLockedError`, or `UnknownAccountError` for an id that is not in the vault. */
  select(accountId: string): Promise<void>
  network(): Promise<Network>
  selectNetwork(network: Network): Promise<void>
  /** Derives anew, when the vault's accounts changed. */
  refresh(): Promise<void>
}

type Views = { [network in Network]: AccountView[] }

const VIEWS = 'accounts.views'
const SELECTED = 'accounts.selected'
const NETWORK = 'network'

/** The accounts of a new wallet; the first is the one in use. */
export function createFirstAccounts(random: RandomSource): VaultAccount[] {
  return (['p2tr', 'p2wpkh'] as const).map(addressType => ({
    id: toHex(drawRandom(random, 16)),
    name: 'Account 1',
    addressType,
    index: 0,
  }))
}

/**
 * The public side of the accounts and what is selected. The views of every network are in session storage while unlocked,
 * so that a worker that just started answers without deriving a key; a lock removes them.
 */
export function createAccounts(deps: {
  vault: Pick<Vault, 'status' | 'onLock' | 'create' | 'unlock' | 'lock'>
  signer: Pick<Signer, 'deriveAccounts'>
  session: StorageArea
  local: StorageArea
  /** For the ids of new accounts; the browser's unless told. */
  random?: RandomSource
}): Accounts {
  const { vault, signer, session, local, random = randomBytes } = deps
  const isUnlocked = async () => (await vault.status()) === 'unlocked'
  vault.onLock(() => session.remove(VIEWS))

  async function refresh(): Promise<Views | null> {
    if (!(await isUnlocked())) return null
    const accounts = await signer.deriveAccounts().catch(nullWhenLocked)
    if (!accounts) return null
    const views = Object.fromEntries(
      NETWORKS.map(network => [network, accounts.map(account => toView(account, network))]),
    ) as Views
    await session.set({ [VIEWS]: views })
    // A lock may have come meanwhile, and its removal before this write.
    if (await isUnlocked()) return views
    await session.remove(VIEWS)
    return null
  }

  async function list(network: Network): Promise<AccountView[]> {
    if (!(await isUnlocked())) return []
    // Written by this module only, and gone with the browser.
    const views = (await session.get(VIEWS)) as Views | undefined
    return (views ?? (await refresh()))?.[network] ?? []
  }

  async function network(): Promise<Network> {
    const stored = await local.get(NETWORK)
    return isNetwork(stored) ? stored : 'mainnet'
  }

  return {
    list,
    network,
    async create({ mnemonic, passphrase, password }) {
      const accounts = createFirstAccounts(random)
      await vault.create({ version: 1, mnemonic, passphrase, accounts }, password)
      await refresh()
    },
    async unlock(password) {
      const result = await vault.unlock(password)
      if (result.unlocked) await refresh()
      return result
    },
    lock: () => vault.lock(),
    refresh: async () => {
      await refresh()
    },
    async selected(on) {
      const views = await list(on)
      const id = await local.get(SELECTED)
      return views.find(view => view.id === id) ?? views[0] ?? null
    },
    async select(accountId) {
      const views = await list(await network())
      if (views.length === 0) throw new VaultLockedError()
      if (!views.some(({ id }) => id === accountId)) throw new UnknownAccountError(accountId)
      await local.set({ [SELECTED]: accountId })
    },
    selectNetwork: selected => local.set({ [NETWORK]: selected }),
  }
}

function nullWhenLocked(error: unknown): null {
  if (error instanceof VaultLockedError) return null
  throw error
}

function toView({ publicKeys, ...account }: AccountKeys, network: Network): AccountView {
  const { id, name, addressType, index } = account
  const publicKey = network === 'mainnet' ? publicKeys.mainnet : publicKeys.test
  return {
    id,
    name,
    addressType,
    address: encodeAddress(fromHex(publicKey), addressType, network),
    publicKey,
    derivationPath: derivationPath(addressType, network, index),
  }
}

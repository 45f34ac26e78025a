import type { AddressType } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { isSamePlace, type Place } from '../../bitcoin/derivation.ts'
import { KEY_SPACES, type KeySpace, type Network } from '../../bitcoin/network.ts'
import { createMutex } from '../primitives/mutex.ts'
import { drawRandom, type RandomSource } from '../primitives/random-source.ts'
import type { WalletOrigin } from '../views/account-views.ts'
import {
  accountExists,
  lastAccount,
  noOrdinalsAddress,
  noPhrase,
  oneAddressOnly,
  UnknownAccountError,
} from './account-errors.ts'
import { isDevicePair, readDeviceOrdinals } from './device-source.ts'
import { nextAccountName } from './names.ts'
import {
  createDeviceAccount,
  createKeyAccount,
  createMultisigAccount,
  createWatchAccount,
  type NewAddress,
  type NewDevice,
  type NewKey,
  type NewMultisig,
} from './new-accounts.ts'
import type { Vault } from './vault.ts'
import {
  canHaveOrdinals,
  type DeviceOrdinals,
  type OrdinalsSide,
  type Side,
  type VaultAccount,
  type VaultSecret,
} from './vault-secret.ts'
import {
  createOrdinals,
  createSeedAccounts,
  createSeedDescriptors,
  ordinalsPlaceOf,
  toOrdinalsSide,
} from './vault-seed.ts'

/** An account without its secret. */
export type PublicAccount = WithoutKey<VaultAccount>
type WithoutKey<A> = A extends unknown
  ? Omit<A, 'privateKey' | 'inscribingSecret' | 'ordinals'> & PublicOrdinals<A>
  : never
type PublicOrdinals<A> = A extends { ordinals?: DeviceOrdinals }
  ? { ordinals?: Omit<DeviceOrdinals, 'inscribingSecret'> }
  : unknown

/**
 * The accounts that the vault seals. Changes are made one after the other and resolve the ids of what was added; each is
 * refused as a whole when an account has one of the addresses already.
 */
export type VaultAccounts = {
  read(): Promise<{ hasPhrase: boolean; accounts: PublicAccount[] }>
  /** The account of the least index of this type that the wallet does not have; also with a Taproot address for ordinals. */
  addNext(addressType: AddressType, name: string, withOrdinals: boolean): Promise<string[]>
  /** Leaves out those that the wallet has. */
  addPlaces(places: readonly Place[]): Promise<string[]>
  addKey(key: NewKey): Promise<string[]>
  /** Throws InvalidDescriptorError, and -32602 that names `ordinals`. */
  addDevice(device: NewDevice): Promise<string[]>
  /** Throws InvalidDescriptorError. */
  addMultisig(multisig: NewMultisig): Promise<string[]>
  addAddress(address: NewAddress): Promise<string[]>
  change(id: string, patch: { name: string } | { hidden: boolean }): Promise<void>
  /** Throws ONE_ADDRESS_ONLY for an account that cannot have many. */
  setManyAddresses(id: string, on: boolean): Promise<void>
  /** `beforeOn` runs before the account has it. Throws NO_ORDINALS_ADDRESS for one that cannot have a Taproot address beside its own, and ACCOUNT_EXISTS. */
  setOrdinals(id: string, on: boolean, beforeOn: () => Promise<void>): Promise<void>
  /** The last account with a key stays. */
  remove(id: string): Promise<void>
}

/** The accounts over a vault, which has to be unlocked for everything here. */
export function createVaultAccounts(deps: {
  vault: Pick<Vault, 'open' | 'update'>
  random: RandomSource
}): VaultAccounts {
  const { vault, random } = deps
  const inTurn = createMutex()

  async function deriveAccounts(
    choose: (
      accounts: readonly VaultAccount[],
    ) => readonly (Place & { name: string; withOrdinals?: boolean })[],
  ): Promise<{ derived: VaultAccount[]; accounts: readonly VaultAccount[] }> {
    const { phrase, accounts } = await vault.open()
    if (!phrase) throw noPhrase()
    const chosen = choose(accounts).map(account => ({ id: createId(random), ...account }))
    return { derived: await createSeedAccounts(phrase, chosen), accounts }
  }

  async function append(added: readonly VaultAccount[]): Promise<string[]> {
    await vault.update(secret => ({
      ...secret,
      accounts: added.reduce(appendOne, secret.accounts),
    }))
    return added.map(({ id }) => id)
  }

  async function replace(
    id: string,
    replaceOne: (account: VaultAccount) => VaultAccount,
  ): Promise<void> {
    await vault.update(current => ({
      ...current,
      accounts: current.accounts.map(one => (one.id === id ? replaceOne(one) : one)),
    }))
  }

  return {
    async read() {
      const { phrase, accounts } = await vault.open()
      return { hasPhrase: phrase !== null, accounts: accounts.map(withoutKey) }
    },
    addNext: (addressType, name, withOrdinals) =>
      inTurn(async () => {
        if (withOrdinals && !canHaveOrdinals(addressType)) throw noOrdinalsAddress()
        const { derived } = await deriveAccounts(accounts => {
          const place = { addressType, line: 'accounts' as const, index: 0 }
          const isTaken = () =>
            hasPlace(accounts, place) ||
            (withOrdinals && hasPlace(accounts, ordinalsPlaceOf(place)))
          while (isTaken()) place.index++
          return [{ ...place, name, withOrdinals }]
        })
        return append(derived)
      }),
    addPlaces: places =>
      inTurn(async () => {
        const wanted = places.map(place => ({ ...place, name: '' }))
        const { derived, accounts } = await deriveAccounts(() => wanted)
        return append(
          derived.filter((one, at) => !findSame([...accounts, ...derived.slice(0, at)], one)),
        )
      }),
    addKey: key => inTurn(() => append([createKeyAccount(createId(random), key)])),
    addDevice: device =>
      inTurn(async () => {
        const account = createDeviceAccount(createId(random), device)
        const { phrase } = await vault.open()
        const secret = phrase ? {} : { inscribingSecret: toHex(drawRandom(random, 32)) }
        return append([{ ...account, ...secret }])
      }),
    addMultisig: multisig =>
      inTurn(() => append([createMultisigAccount(createId(random), multisig)])),
    addAddress: address => inTurn(() => append([createWatchAccount(createId(random), address)])),
    change: (id, patch) =>
      inTurn(() =>
        vault.update(secret => {
          requireAccount(secret, id)
          const change = (account: VaultAccount) =>
            account.id === id ? { ...account, ...patch } : account
          return { ...secret, accounts: secret.accounts.map(change) }
        }),
      ),
    setManyAddresses: (id, on) =>
      inTurn(async () => {
        const secret = await vault.open()
        const account = requireAccount(secret, id)
        if (account.source === 'multisig') throw oneAddressOnly()
        const descriptors = on ? await createDescriptors(secret, account) : {}
        await replace(id, one => withDescriptors(one, descriptors))
      }),
    setOrdinals: (id, on, beforeOn) =>
      inTurn(async () => {
        const secret = await vault.open()
        const { accounts } = secret
        const account = requireAccount(secret, id)
        if (!on) return replace(id, one => withOrdinalsOf(one, {}))
        const ordinals = await createOrdinalsSides(secret, account)
        const added = withOrdinalsOf(account, ordinals)
        const other = findSame(
          accounts.filter(one => one.id !== id),
          added,
        )
        if (other) throw accountExists(other.name)
        await beforeOn()
        return replace(id, one => withOrdinalsOf(one, ordinals))
      }),
    remove: id =>
      inTurn(() =>
        vault.update(secret => {
          const removed = requireAccount(secret, id)
          const accounts = secret.accounts.filter(account => account !== removed)
          if (accounts.every(({ source }) => source === 'watch' || source === 'multisig'))
            throw lastAccount()
          return { ...secret, accounts }
        }),
      ),
  }
}

/** The secret of a new wallet: two accounts of the phrase, or the one of the key. A phrase must be known to be valid. */
export async function createSecret(
  origin: WalletOrigin,
  network: Network,
  random: RandomSource,
): Promise<VaultSecret> {
  if (origin.kind === 'wif') {
    const { wif, addressType } = origin
    const key = createKeyAccount(createId(random), { wif, addressType, name: '', network })
    return { version: 2, phrase: null, accounts: appendOne([], key) }
  }
  const { mnemonic, passphrase } = origin
  const wanted = (['p2tr', 'p2wpkh'] as const).map(addressType => {
    return { id: createId(random), name: '', addressType, line: 'accounts' as const, index: 0 }
  })
  const accounts = await createSeedAccounts({ mnemonic, passphrase }, wanted)
  return {
    version: 2,
    phrase: { mnemonic, passphrase },
    accounts: accounts.reduce<VaultAccount[]>(appendOne, []),
  }
}

/** Adds an account if no other has its address, under the name that it has or the next free one. */
function appendOne(accounts: VaultAccount[], added: VaultAccount): VaultAccount[] {
  const other = findSame(accounts, added)
  if (other) throw accountExists(other.name)
  const name = added.name || nextAccountName(accounts.map(account => account.name))
  return [...accounts, { ...added, name }]
}

/** The account that has an address of this one. */
export function findSame(accounts: readonly VaultAccount[], added: VaultAccount) {
  return accounts.find(
    other =>
      isAmong(added, other) ||
      KEY_SPACES.some(space => {
        const scripts = listScripts(other.sides[space])
        return listScripts(added.sides[space]).some(script => scripts.includes(script))
      }),
  )
}

function listScripts(side: Side | undefined): string[] {
  if (!side) return []
  return side.ordinals ? [side.scriptPubKey, side.ordinals.scriptPubKey] : [side.scriptPubKey]
}

/** Whether an address of an account is one of the many of another account of the phrase. */
export function isAmong(one: VaultAccount, other: VaultAccount): boolean {
  if (one.source !== 'seed' || other.source !== 'seed') return false
  const isFirst = isSamePlace(other, { ...other, line: 'receive', index: 0 })
  const hasMany = other.sides.mainnet?.descriptor !== undefined
  const types = [one.addressType, ...(one.sides.mainnet?.ordinals ? ['p2tr'] : [])]
  return hasMany && isFirst && one.line !== 'accounts' && types.includes(other.addressType)
}

/** The descriptors of all addresses of an account. Throws ONE_ADDRESS_ONLY, and ACCOUNT_EXISTS where another account has one of them. */
async function createDescriptors(
  { phrase, accounts }: VaultSecret,
  account: VaultAccount,
): Promise<{ [space in KeySpace]?: string }> {
  if (account.source === 'device')
    return Object.fromEntries(KEY_SPACES.map(space => [space, account.descriptor]))
  if (account.source !== 'seed') throw oneAddressOnly()
  if (!phrase) throw noPhrase()
  const descriptors = await createSeedDescriptors(phrase, account)
  if (!descriptors) throw oneAddressOnly()
  const others = accounts.filter(({ id }) => id !== account.id)
  const same = others.find(other => isAmong(other, withDescriptors(account, descriptors)))
  if (same) throw accountExists(same.name)
  return descriptors
}

function withDescriptors(
  account: VaultAccount,
  descriptors: { [space in KeySpace]?: string },
): VaultAccount {
  const sides = { ...account.sides }
  for (const space of KEY_SPACES) {
    const side = sides[space]
    if (!side) continue
    const { descriptor: _, ...rest } = side
    const descriptor = descriptors[space]
    sides[space] = descriptor === undefined ? rest : { ...rest, descriptor }
  }
  return { ...account, sides }
}

/** The Taproot address beside the account's own: of the phrase, or of the key that its device told. Throws NO_ORDINALS_ADDRESS. */
async function createOrdinalsSides(
  { phrase }: VaultSecret,
  account: VaultAccount,
): Promise<{ [space in KeySpace]?: OrdinalsSide }> {
  if (account.source === 'device' && account.ordinals) {
    const { ordinals, sides } = account
    const space = sides.mainnet ? 'mainnet' : 'test'
    const network = sides.mainnet ? 'mainnet' : 'testnet4'
    const { publicKey } = readDeviceOrdinals(ordinals.descriptor, network, account)
    return { [space]: toOrdinalsSide(publicKey) }
  }
  if (account.source !== 'seed' || !canHaveOrdinals(account.addressType)) throw noOrdinalsAddress()
  if (!phrase) throw noPhrase()
  return createOrdinals(phrase, account)
}

function withOrdinalsOf(
  account: VaultAccount,
  ordinals: { [space in KeySpace]?: OrdinalsSide },
): VaultAccount {
  const sides = { ...account.sides }
  for (const space of KEY_SPACES) {
    const side = sides[space]
    if (!side) continue
    const { ordinals: _, ...rest } = side
    const added = ordinals[space]
    sides[space] = added ? { ...rest, ordinals: added } : rest
  }
  return { ...account, sides }
}

/**
 * Makes the Taproot account of a place, of the phrase or a device, the ordinals address of the SegWit account there, under a name. Throws NO_ORDINALS_ADDRESS for
 * accounts that are no such pair, or where the Taproot one has many addresses.
 */
export function joinOrdinals(
  secret: VaultSecret,
  { accountId, ordinalsId, name }: { accountId: string; ordinalsId: string; name: string },
): VaultSecret {
  const account = requireAccount(secret, accountId)
  const other = requireAccount(secret, ordinalsId)
  const isFree = KEY_SPACES.every(
    space => !account.sides[space]?.ordinals && other.sides[space]?.descriptor === undefined,
  )
  const source = isFree && joinSources(account, other)
  if (!source) throw noOrdinalsAddress()
  const hidden = account.hidden && other.hidden
  const joined = { ...withOrdinalsOf(source, pickOrdinals(other.sides)), name, hidden }
  return {
    ...secret,
    accounts: secret.accounts.flatMap(one =>
      one === other ? [] : [one === account ? joined : one],
    ),
  }
}

/** The account with the key of the other one as that of its ordinals; null where the two are no such pair. */
function joinSources(account: VaultAccount, other: VaultAccount): VaultAccount | null {
  if (account.source === 'seed' && other.source === 'seed') {
    const isPair =
      canHaveOrdinals(account.addressType) && isSamePlace(other, ordinalsPlaceOf(account))
    return isPair ? account : null
  }
  if (account.source !== 'device' || other.source !== 'device') return null
  if (!isDevicePair(account, other)) return null
  const { descriptor, derivationPath, inscribingSecret } = other
  const secret = inscribingSecret === undefined ? {} : { inscribingSecret }
  return { ...account, ordinals: { descriptor, derivationPath, ...secret } }
}

function pickOrdinals(sides: VaultAccount['sides']): { [space in KeySpace]?: OrdinalsSide } {
  return Object.fromEntries(
    KEY_SPACES.flatMap(space => {
      const { scriptPubKey, publicKey } = sides[space] ?? {}
      return scriptPubKey && publicKey ? [[space, { scriptPubKey, publicKey }]] : []
    }),
  )
}

function hasPlace(accounts: readonly VaultAccount[], place: Place): boolean {
  return accounts.some(
    account =>
      account.source === 'seed' &&
      (isSamePlace(account, place) ||
        (account.sides.mainnet?.ordinals && isSamePlace(ordinalsPlaceOf(account), place))),
  )
}

function requireAccount({ accounts }: Pick<VaultSecret, 'accounts'>, id: string): VaultAccount {
  const account = accounts.find(account => account.id === id)
  if (!account) throw new UnknownAccountError(id)
  return account
}

/** The account without its private key. */
export function withoutKey(account: VaultAccount): PublicAccount {
  if (account.source === 'device') {
    const { inscribingSecret: _, ordinals, ...rest } = account
    if (!ordinals) return rest
    const { descriptor, derivationPath } = ordinals
    return { ...rest, ordinals: { descriptor, derivationPath } }
  }
  if (account.source !== 'key') return account
  const { privateKey: _, ...rest } = account
  return rest
}

function createId(random: RandomSource): string {
  return toHex(drawRandom(random, 16))
}

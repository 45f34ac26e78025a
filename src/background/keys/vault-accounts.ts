import type { AddressType } from '../../bitcoin/address.ts'
import { isSamePlace, type Place } from '../../bitcoin/derivation.ts'
import { KEY_SPACES, type KeySpace } from '../../bitcoin/network.ts'
import { electrumPlaceOf } from '../../bitcoin/phrases/phrase.ts'
import type { Phrase } from '../../bitcoin/phrases/phrase-kind.ts'
import { createMutex } from '../primitives/mutex.ts'
import type { RandomSource } from '../primitives/random-source.ts'
import type { PasswordResult, PhraseView } from '../views/account-views.ts'
import {
  electrumPhrase,
  lastAccount,
  noOrdinalsAddress,
  oneAddressOnly,
  UnknownAccountError,
} from './account-errors.ts'
import { readDeviceOrdinals } from './device-source.ts'
import { chooseName, readName } from './names.ts'
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
import { appendOne, findSame, isAmong, refuseOther } from './vault-list.ts'
import {
  addPhrase,
  chooseInscribing,
  createId,
  createPhrase,
  deriveInscribingSecret,
  isOfPhrase,
  isSigning,
  removePhrase,
  renamePhrase,
  requireBip39,
  requirePhrase,
} from './vault-phrases.ts'
import {
  canHaveOrdinals,
  type DeviceOrdinals,
  type OrdinalsSide,
  type VaultAccount,
  type VaultSecret,
} from './vault-secret.ts'
import {
  createElectrumAccount,
  createOrdinals,
  createSeedAccounts,
  createSeedDescriptors,
  ordinalsPlaceOf,
  toOrdinalsSide,
  withDescriptors,
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
  read(): Promise<{ phrases: PhraseView[]; accounts: PublicAccount[] }>
  /** A valid phrase with its first accounts; with an empty name the wallet chooses one. Throws PHRASE_EXISTS and TOO_MANY_PHRASES. */
  addPhrase(phrase: Phrase & { name: string }): Promise<{ phraseId: string; added: string[] }>
  /** Throws UnknownPhraseError. */
  renamePhrase(id: string, name: string): Promise<void>
  /**
   * Takes a phrase and its accounts away, in one write with what `describe` gives for the ids of these, which runs before it and may
   * refuse. A wrong password counts like one at unlock. Throws UnknownPhraseError and LAST_ACCOUNT.
   */
  removePhrase(
    id: string,
    password: string,
    describe: (accountIds: readonly string[]) => Promise<{ [key: string]: unknown }>,
  ): Promise<PasswordResult<{ removed: string[] }>>
  /**
   * The account of the least index of this type that the phrase (null for the first) does not have; also with a Taproot address for
   * ordinals. Throws NO_PHRASE and UnknownPhraseError, as addPlaces does.
   */
  addNext(next: {
    phraseId: string | null
    addressType: AddressType
    name: string
    withOrdinals: boolean
  }): Promise<string[]>
  /** Leaves out those that the wallet has. */
  addPlaces(phraseId: string | null, places: readonly Place[]): Promise<string[]>
  addKey(key: NewKey): Promise<string[]>
  /** Throws InvalidDescriptorError, and -32602 that names `ordinals`. */
  addDevice(device: NewDevice): Promise<string[]>
  /** Throws InvalidDescriptorError. */
  addMultisig(multisig: NewMultisig): Promise<string[]>
  addAddress(address: NewAddress): Promise<string[]>
  /** An empty name takes the one away that it was given. */
  change(id: string, patch: { name: string } | { hidden: boolean }): Promise<void>
  /** Throws ONE_ADDRESS_ONLY for an account that cannot have many. */
  setManyAddresses(id: string, on: boolean): Promise<void>
  /** `beforeOn` runs before the account has it. Throws NO_ORDINALS_ADDRESS for one that cannot have a Taproot address beside its own, and ACCOUNT_EXISTS. */
  setOrdinals(
    id: string,
    on: boolean,
    around: (write: () => Promise<void>) => Promise<void>,
  ): Promise<void>
  /** In one write with these entries of storage. The last account with a key stays. */
  remove(id: string, alongside?: { [key: string]: unknown }): Promise<void>
}

/** The accounts over a vault, which has to be unlocked for everything here. */
export function createVaultAccounts(deps: {
  vault: Pick<Vault, 'open' | 'reveal' | 'update'>
  random: RandomSource
}): VaultAccounts {
  const { vault, random } = deps
  const inTurn = createMutex()

  async function deriveAccounts(
    phraseId: string | null,
    choose: (
      accounts: readonly VaultAccount[],
    ) => readonly (Place & { name: string; withOrdinals?: boolean })[],
  ): Promise<{ derived: VaultAccount[]; accounts: readonly VaultAccount[] }> {
    const secret = await vault.open()
    const { accounts } = secret
    const phrase = requirePhrase(secret, phraseId)
    const own = accounts.filter(account => isOfPhrase(account, phrase.id))
    const chosen = choose(own).map(account => ({ id: createId(random), ...account }))
    return { derived: await createSeedAccounts(phrase, chosen), accounts }
  }

  async function append(added: readonly VaultAccount[]): Promise<string[]> {
    await vault.update(secret => ({
      ...secret,
      accounts: added.reduce(appendOne, secret.accounts),
    }))
    return added.map(({ id }) => id)
  }

  /** `replaceOne` gets what the others are then: a restore may have added one since they were looked at. */
  async function replace(
    id: string,
    replaceOne: (account: VaultAccount, others: readonly VaultAccount[]) => VaultAccount,
  ): Promise<void> {
    await vault.update(({ accounts, ...current }) => ({
      ...current,
      accounts: accounts.map(one => (one.id === id ? replaceOne(one, without(accounts, id)) : one)),
    }))
  }

  return {
    async read() {
      const { phrases, accounts } = await vault.open()
      const named = phrases.map(({ id, name, kind }) => ({
        id,
        name: readName('wallet', name),
        kind,
      }))
      return { phrases: named, accounts: accounts.map(withoutKey) }
    },
    addPhrase: ({ name, ...words }) =>
      inTurn(async () => {
        const { phrase, accounts } = await createPhrase(words, random)
        await vault.update(secret => addPhrase(secret, { ...phrase, name }, accounts))
        return { phraseId: phrase.id, added: accounts.map(({ id }) => id) }
      }),
    renamePhrase: (id, name) =>
      inTurn(() => vault.update(secret => renamePhrase(secret, id, name))),
    removePhrase: (id, password, describe) =>
      inTurn(async () => {
        const opened = await vault.reveal(password)
        if (!opened.accepted) return opened
        const secret = await vault.open()
        const inscribing = await deriveInscribingSecret(requirePhrase(secret, id))
        // Refused before anything is looked at.
        removePhrase(secret, id, inscribing)
        const removed = secret.accounts.filter(one => isOfPhrase(one, id)).map(one => one.id)
        const alongside = await describe(removed)
        await vault.update(current => removePhrase(current, id, inscribing), alongside)
        return { accepted: true, removed }
      }),
    addNext: ({ phraseId, addressType, name, withOrdinals }) =>
      inTurn(async () => {
        if (withOrdinals && !canHaveOrdinals({ addressType })) throw noOrdinalsAddress()
        const phrase = requirePhrase(await vault.open(), phraseId)
        const place = electrumPlaceOf(phrase.kind)
        if (place) {
          if (withOrdinals || addressType !== place.addressType) throw electrumPhrase()
          const account = await createElectrumAccount(phrase, { id: createId(random), name })
          return append(account ? [account] : [])
        }
        const { derived } = await deriveAccounts(phraseId, accounts => {
          const place = { addressType, line: 'accounts' as const, index: 0 }
          const isTaken = () =>
            hasPlace(accounts, place) ||
            (withOrdinals && hasPlace(accounts, ordinalsPlaceOf(place)))
          while (isTaken()) place.index++
          return [{ ...place, name, withOrdinals }]
        })
        return append(derived)
      }),
    addPlaces: (phraseId, places) =>
      inTurn(async () => {
        requireBip39(requirePhrase(await vault.open(), phraseId))
        const wanted = places.map(place => ({ ...place, name: '' }))
        const { derived, accounts } = await deriveAccounts(phraseId, () => wanted)
        return append(
          derived.filter((one, at) => !findSame([...accounts, ...derived.slice(0, at)], one)),
        )
      }),
    addKey: key => inTurn(() => append([createKeyAccount(createId(random), key)])),
    addDevice: device =>
      inTurn(async () => {
        const inscribing = chooseInscribing(await vault.open(), random)
        return append([createDeviceAccount(createId(random), device, inscribing)])
      }),
    addMultisig: multisig =>
      inTurn(() => append([createMultisigAccount(createId(random), multisig)])),
    addAddress: address => inTurn(() => append([createWatchAccount(createId(random), address)])),
    change: (id, patch) =>
      inTurn(() =>
        vault.update(secret => {
          const account = requireAccount(secret, id)
          const changed =
            'name' in patch
              ? { name: chooseName('account', patch.name, secret.accounts, account) }
              : patch
          const change = (one: VaultAccount) => (one === account ? { ...one, ...changed } : one)
          return { ...secret, accounts: secret.accounts.map(change) }
        }),
      ),
    setManyAddresses: (id, on) =>
      inTurn(async () => {
        const secret = await vault.open()
        const account = requireAccount(secret, id)
        if (account.source === 'multisig') throw oneAddressOnly()
        const descriptors = on ? await createDescriptors(secret, account) : {}
        await replace(id, (one, others) => {
          const widened = withDescriptors(one, descriptors)
          refuseOther(others.find(other => isAmong(other, widened)))
          return widened
        })
      }),
    setOrdinals: (id, on, around) =>
      inTurn(async () => {
        const secret = await vault.open()
        const { accounts } = secret
        const account = requireAccount(secret, id)
        if (!on) return replace(id, one => withOrdinalsOf(one, {}))
        const ordinals = await createOrdinalsSides(secret, account)
        const widen = (one: VaultAccount, others: readonly VaultAccount[]) => {
          const widened = withOrdinalsOf(one, ordinals)
          refuseOther(findSame(others, widened))
          return widened
        }
        widen(account, without(accounts, id))
        return around(() => replace(id, widen))
      }),
    remove: (id, alongside) =>
      inTurn(() =>
        vault.update(secret => {
          const removed = requireAccount(secret, id)
          const accounts = secret.accounts.filter(account => account !== removed)
          if (!accounts.some(isSigning)) throw lastAccount()
          return { ...secret, accounts }
        }, alongside),
      ),
  }
}

/** The descriptors of all addresses of an account. Throws ONE_ADDRESS_ONLY. */
async function createDescriptors(
  secret: VaultSecret,
  account: VaultAccount,
): Promise<{ [space in KeySpace]?: string }> {
  if (account.source === 'device')
    return Object.fromEntries(KEY_SPACES.map(space => [space, account.descriptor]))
  if (account.source !== 'seed') throw oneAddressOnly()
  const descriptors = await createSeedDescriptors(requirePhrase(secret, account.phrase), account)
  if (!descriptors) throw oneAddressOnly()
  return descriptors
}

function without(accounts: readonly VaultAccount[], id: string): VaultAccount[] {
  return accounts.filter(one => one.id !== id)
}

/** The Taproot address beside the account's own: of the phrase, or of the key that its device told. Throws NO_ORDINALS_ADDRESS. */
async function createOrdinalsSides(
  secret: VaultSecret,
  account: VaultAccount,
): Promise<{ [space in KeySpace]?: OrdinalsSide }> {
  if (account.source === 'device' && account.ordinals) {
    const { ordinals, sides } = account
    const space = sides.mainnet ? 'mainnet' : 'test'
    const network = sides.mainnet ? 'mainnet' : 'testnet4'
    const { publicKey } = readDeviceOrdinals(ordinals.descriptor, network, account)
    return { [space]: toOrdinalsSide(publicKey) }
  }
  if (account.source !== 'seed' || !canHaveOrdinals(account)) throw noOrdinalsAddress()
  return createOrdinals(requirePhrase(secret, account.phrase), account)
}

export function withOrdinalsOf(
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

/** Of accounts of one phrase. */
function hasPlace(accounts: readonly VaultAccount[], place: Place): boolean {
  return accounts.some(
    account =>
      account.source === 'seed' &&
      (isSamePlace(account, place) ||
        (account.sides.mainnet?.ordinals && isSamePlace(ordinalsPlaceOf(account), place))),
  )
}

export function requireAccount(
  { accounts }: Pick<VaultSecret, 'accounts'>,
  id: string,
): VaultAccount {
  const account = accounts.find(account => account.id === id)
  if (!account) throw new UnknownAccountError(id)
  return account
}

/** The account without its private key. */
export function withoutKey(account: VaultAccount): PublicAccount {
  if (account.source === 'device') {
    const { inscribingSecret: _, ordinals, ...rest } = account
    if (!ordinals) return rest
    const { inscribingSecret: _other, ...second } = ordinals
    return { ...rest, ordinals: second }
  }
  if (account.source !== 'key') return account
  const { privateKey: _, ...rest } = account
  return rest
}

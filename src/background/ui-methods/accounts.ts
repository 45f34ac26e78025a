import { InvalidAddressError } from '../../bitcoin/address.ts'
import { parseDescriptor } from '../../bitcoin/descriptors/descriptor.ts'
import {
  InvalidDescriptorError,
  MAX_DESCRIPTOR_LENGTH,
} from '../../bitcoin/descriptors/descriptor-checksum.ts'
import { invalidParams, ProviderError } from '../../provider/errors.ts'
import { parseIndex, parseString } from '../../provider/params.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { scanAddresses, scanDevicePair } from '../accounts/address-scan.ts'
import type { Addresses } from '../accounts/addresses.ts'
import { noOrdinalsAddress, UnknownAccountError } from '../keys/account-errors.ts'
import type { Signer } from '../keys/signer.ts'
import type { Announcer } from '../requests/pages.ts'
import type { Sources } from '../settings/servers.ts'
import { type AccountJoinParts, joinAccounts } from './account-join.ts'
import { type AccountRemovalParts, forgetLeaving, whileNothingBegins } from './account-removal.ts'
import { parseAddressType, parsePlace, parseText } from './params.ts'
import { choosePhrase, loadSelected, type UiMethodsOf } from './ui-context.ts'

const MAX_SCANNED = 40
const MAX_ADDED = 500
/** The last that BIP-32 derives without hardening. */
const MAX_ADDRESS_INDEX = 2 ** 31 - 1

export type AccountMethodParts = Announcer &
  AccountJoinParts &
  AccountRemovalParts &
  Pick<Sources, 'chain'> & {
    accounts: Accounts
    addresses: Addresses
    signer: Pick<Signer, 'deriveAddresses'>
  }

/**
 * The list of accounts: add, rename, hide, remove, and choose the one in use. Where the account in use may change, requests of
 * sites that wait for it end with 4100. No secret comes back from here: `vault.ts` shows keys.
 */
export const accountMethods = {
  async selectAccount({ wallet }, { accountId }) {
    await wallet.accounts.select(accountId)
    wallet.announce()
    return null
  },

  async addAccount({ wallet }, { addressType, name, ordinals, phraseId }) {
    return wallet.accounts.add({
      addressType: parseAddressType(addressType),
      name: parseText('name', name),
      withOrdinals: ordinals === true,
      phraseId: await choosePhrase(wallet, phraseId),
    })
  },

  async importWif({ wallet }, { wif, addressType, name }) {
    return wallet.accounts.importWif({
      wif: parseText('wif', wif),
      addressType: parseAddressType(addressType),
      name: parseText('name', name),
    })
  },

  async addDevice({ wallet }, params) {
    const descriptor = parseDescriptorText('descriptor', params.descriptor)
    const ordinals =
      params.ordinals === undefined ? null : parseDescriptorText('ordinals', params.ordinals)
    const added = { descriptor, name: parseText('name', params.name) }
    return namingDescriptor(async () => {
      const { type } = parseDescriptor(descriptor)
      if (type !== 'multisig') return wallet.accounts.addDevice({ ...added, ordinals })
      if (ordinals !== null) throw noOrdinalsAddress()
      return wallet.accounts.addMultisig(added)
    })
  },

  async watchAddress({ wallet }, params) {
    const address = parseText('address', params.address).trim()
    try {
      return await wallet.accounts.watch({ address, name: parseText('name', params.name) })
    } catch (error) {
      if (!(error instanceof InvalidAddressError)) throw error
      throw invalidParams('address', address, 'an address of the network in use')
    }
  },

  async renameAccount({ wallet }, { accountId, name }) {
    await wallet.accounts.rename(parseText('accountId', accountId), name)
    return null
  },

  async setManyAddresses({ wallet }, { accountId, on }) {
    await wallet.accounts.setManyAddresses(parseText('accountId', accountId), on === true)
    wallet.announce()
    return null
  },

  async setOrdinalsAddress({ wallet }, { accountId, on }) {
    const id = parseText('accountId', accountId)
    // A site that was shown one address has not been allowed to see the other.
    const revoking = (write: () => Promise<void>) => wallet.sites.revokeAccount(id, write)
    await wallet.accounts.setOrdinals(id, on === true, revoking)
    wallet.announce()
    return null
  },

  async joinAccounts({ wallet }, { accountId, ordinalsId, name }) {
    const ids = {
      accountId: parseText('accountId', accountId),
      ordinalsId: parseText('ordinalsId', ordinalsId),
    }
    await joinAccounts(wallet, { ...ids, name: parseText('name', name) })
    wallet.announce()
    return null
  },

  async getReceiveAddress({ wallet }, { after }) {
    const { network, account } = await loadSelected(wallet)
    if (after !== null) {
      const index = parseIndex('after', after, MAX_ADDRESS_INDEX)
      await wallet.addresses.nextToReceive(network, account, index)
    }
    return wallet.addresses.describeReceive(network, account)
  },

  async setAccountHidden({ wallet }, { accountId, hidden }) {
    await wallet.accounts.setHidden(parseText('accountId', accountId), hidden === true)
    wallet.announce()
    return null
  },

  async removeAccount({ wallet }, { accountId }) {
    const id = parseText('accountId', accountId)
    await whileNothingBegins(wallet, async assertIdle => {
      await assertIdle([id])
      await wallet.accounts.remove(id).catch(error => {
        // A worker that was stopped may have removed it, and forgotten nothing of it yet.
        if (!(error instanceof UnknownAccountError)) throw error
      })
    })
    await forgetLeaving(wallet)
    wallet.announce()
    return null
  },

  async scanAddresses({ wallet }, range) {
    const { count, from } = range
    if (!Number.isInteger(count) || count < 1 || count > MAX_SCANNED)
      throw invalidParams('count', count, `1 to ${MAX_SCANNED}`)
    // The last index must be a valid one as well as the first.
    const { addressType, line } = parsePlace({ ...range, index: from + count - 1 })
    const first = parsePlace({ ...range, index: from })
    const phraseId = await choosePhrase(wallet, range.phraseId)
    return scanAddresses(wallet, phraseId, { addressType, line, from: first.index, count })
  },

  async scanDevicePair({ wallet }, params) {
    const descriptor = parseDescriptorText('descriptor', params.descriptor)
    const ordinals = parseDescriptorText('ordinals', params.ordinals)
    return namingDescriptor(() => scanDevicePair(wallet, { descriptor, ordinals }))
  },

  async addScanned({ wallet }, { found, phraseId }) {
    if (!Array.isArray(found) || found.length > MAX_ADDED)
      throw invalidParams('found', found, `at most ${MAX_ADDED} places`)
    const places = found.map(parsePlace)
    return wallet.accounts.addPlaces(await choosePhrase(wallet, phraseId), places)
  },
} satisfies UiMethodsOf<AccountMethodParts>

function parseDescriptorText(field: string, value: unknown): string {
  return parseString(field, value, MAX_DESCRIPTOR_LENGTH)
}

/** What is no descriptor of such an account is said of the parameter. */
async function namingDescriptor<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    if (!(cause instanceof InvalidDescriptorError)) throw cause
    throw new ProviderError(-32602, `descriptor: ${cause.message}`, { cause })
  }
}

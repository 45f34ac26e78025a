import { type AddressType, scriptPubKeyOf } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import {
  accountPath,
  addressPath,
  createPublicNodes,
  derivationPath,
  type Place,
} from '../../bitcoin/derivation.ts'
import { formatDescriptor } from '../../bitcoin/descriptors/descriptor.ts'
import type { DescriptorPlace } from '../../bitcoin/descriptors/descriptor-output.ts'
import { parseKeyPath } from '../../bitcoin/key-origin.ts'
import { KEY_SPACES, type KeySpace } from '../../bitcoin/network.ts'
import { electrumPlaceOf, phraseToSeed } from '../../bitcoin/phrases/phrase.ts'
import type { Phrase } from '../../bitcoin/phrases/phrase-kind.ts'
import { createPublicKeys } from '../../bitcoin/public-derivation.ts'
import { isOrdinalsPlace, type OrdinalsSide, type Side, type VaultAccount } from './vault-secret.ts'

/** Runs with the seed of a phrase, and wipes it. */
export async function withSeed<T>(phrase: Phrase, use: (seed: Uint8Array) => T): Promise<T> {
  const seed = await phraseToSeed(phrase)
  try {
    return use(seed)
  } finally {
    seed.fill(0)
  }
}

/** What can be seen of a 33-byte public key. */
export function toSide(publicKey: Uint8Array, addressType: AddressType): Side {
  const scriptPubKey = toHex(scriptPubKeyOf(publicKey, addressType))
  return { scriptPubKey, publicKey: toHex(publicKey) }
}

/** The same of the key of a Taproot address for ordinals. */
export function toOrdinalsSide(publicKey: Uint8Array): OrdinalsSide {
  return { scriptPubKey: toHex(scriptPubKeyOf(publicKey, 'p2tr')), publicKey: toHex(publicKey) }
}

/** Accounts at places of a phrase of the wallet, each with a Taproot address for ordinals where that is wanted. */
export function createSeedAccounts(
  phrase: Phrase & { id: string },
  wanted: readonly (Place & Pick<VaultAccount, 'id' | 'name'> & { withOrdinals?: boolean })[],
): Promise<VaultAccount[]> {
  return withSeed(phrase, seed => {
    const publicKeyAt = createPublicKeys(seed)
    return wanted.map(({ id, name, withOrdinals = false, ...place }) => {
      const sideIn = (space: KeySpace): Side => ({
        ...toSide(publicKeyAt(derivationPath(place, space)), place.addressType),
        ...(withOrdinals && { ordinals: toOrdinals(publicKeyAt, place, space) }),
      })
      const sides = { mainnet: sideIn('mainnet'), test: sideIn('test') }
      return { id, name, hidden: false, sides, source: 'seed', phrase: phrase.id, ...place }
    })
  })
}

/** The Taproot addresses at a place of a phrase. */
export function createOrdinals(
  phrase: Phrase,
  place: Place,
): Promise<{ [space in KeySpace]: OrdinalsSide }> {
  return withSeed(phrase, seed => {
    const publicKeyAt = createPublicKeys(seed)
    return {
      mainnet: toOrdinals(publicKeyAt, place, 'mainnet'),
      test: toOrdinals(publicKeyAt, place, 'test'),
    }
  })
}

/** Where the key of the Taproot address is: at the same place below the purpose of those (BIP-86). */
export function ordinalsPlaceOf(place: Place): Place {
  return { addressType: 'p2tr', line: place.line, index: place.index }
}

function toOrdinals(
  publicKeyAt: (path: string) => Uint8Array,
  place: Place,
  space: KeySpace,
): OrdinalsSide {
  return toOrdinalsSide(publicKeyAt(derivationPath(ordinalsPlaceOf(place), space)))
}

/**
 * The descriptors of all addresses of the account at a place, on mainnet and on the test networks; null where the place is no
 * account's first address.
 */
export function createSeedDescriptors(
  phrase: Phrase,
  place: Place,
): Promise<{ [space in KeySpace]: string } | null> {
  return withSeed(phrase, seed => {
    const nodeAt = createPublicNodes(seed)
    const descriptorIn = (space: KeySpace) => {
      const text = accountPath(place, space)
      const path = text === null ? null : parseKeyPath(text)
      if (text === null || path === null) return null
      const { masterFingerprint, ...node } = nodeAt(text)
      return formatDescriptor({
        type: 'single',
        addressType: place.addressType,
        key: {
          type: 'extended',
          origin: { fingerprint: masterFingerprint, path },
          key: { space, ...node },
          steps: [[0, 1]],
          isRanged: true,
        },
      })
    }
    const [mainnet, test] = [descriptorIn('mainnet'), descriptorIn('test')]
    return mainnet !== null && test !== null ? { mainnet, test } : null
  })
}

/** The account that Electrum has of a seed of its own, with all its addresses; null for a BIP-39 phrase. */
export async function createElectrumAccount(
  phrase: Phrase & { id: string },
  named: Pick<VaultAccount, 'id' | 'name'>,
): Promise<VaultAccount | null> {
  const place = electrumPlaceOf(phrase.kind)
  if (!place) return null
  const [account] = await createSeedAccounts(phrase, [{ ...named, ...place }])
  const descriptors = await createSeedDescriptors(phrase, place)
  return account && descriptors ? withDescriptors(account, descriptors) : null
}

/** The account with these descriptors of its addresses, and without any other. */
export function withDescriptors(
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

/** The path of an address of the phrase's account, and of which type it is. */
export function whereKeyIs(
  account: Place,
  place: DescriptorPlace,
  space: KeySpace,
): { path: string; addressType: AddressType } {
  if (!isOrdinalsPlace(place))
    return { path: addressPath(account, place, space), addressType: account.addressType }
  return { path: derivationPath(ordinalsPlaceOf(account), space), addressType: 'p2tr' }
}

import { type AddressType, scriptPubKeyOf } from '../../bitcoin/address.ts'
import { toHex } from '../../bitcoin/bytes.ts'
import { createPublicKeys, derivationPath, type Place } from '../../bitcoin/derivation.ts'
import { mnemonicToSeed } from '../../bitcoin/mnemonic.ts'
import type { KeySpace } from '../../bitcoin/network.ts'
import type { FirstSecret, Phrase, Side, VaultAccount, VaultSecret } from './vault-secret.ts'

/** Runs with the seed of a phrase, and wipes it. */
export async function withSeed<T>(
  { mnemonic, passphrase }: Phrase,
  use: (seed: Uint8Array) => T,
): Promise<T> {
  const seed = await mnemonicToSeed(mnemonic, passphrase)
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

/** Accounts at places of a phrase. */
export function createSeedAccounts(
  phrase: Phrase,
  wanted: readonly (Place & Pick<VaultAccount, 'id' | 'name'>)[],
): Promise<VaultAccount[]> {
  return withSeed(phrase, seed => {
    const publicKeyAt = createPublicKeys(seed)
    return wanted.map(({ id, name, ...place }) => {
      const sideIn = (space: KeySpace) =>
        toSide(publicKeyAt(derivationPath(place, space)), place.addressType)
      const sides = { mainnet: sideIn('mainnet'), test: sideIn('test') }
      return { id, name, hidden: false, sides, source: 'seed', ...place }
    })
  })
}

/** Today's form of what the first version sealed. */
export async function upgradeSecret(first: FirstSecret): Promise<VaultSecret> {
  const { mnemonic, passphrase } = first
  const phrase = { mnemonic, passphrase }
  const wanted = first.accounts.map(account => ({ ...account, line: 'accounts' as const }))
  return { version: 2, phrase, accounts: await createSeedAccounts(phrase, wanted) }
}

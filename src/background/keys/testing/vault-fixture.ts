import { sha256 } from '@noble/hashes/sha2.js'
import type { AddressType } from '../../../bitcoin/address.ts'
import { concatBytes, toUtf8 } from '../../../bitcoin/bytes.ts'
import { createMemoryArea, type MemoryArea } from '../../../storage/testing/memory-area.ts'
import { randomBytes } from '../../primitives/random-source.ts'
import { createVault, type VaultAccount, type VaultDeps, type VaultSecret } from '../vault.ts'
import type { DeriveKey } from '../vault-kdf.ts'

export const PHRASE_ID = '0123456789abcdef'.repeat(2)

/** The phrase of the vectors of BIP-84 and BIP-86. */
export const SECRET: VaultSecret = {
  version: 3,
  phrases: [
    {
      ...{ id: PHRASE_ID, name: 'Wallet 1', kind: 'bip39' },
      ...{ mnemonic: `${'abandon '.repeat(11)}about`, passphrase: '' },
    },
  ],
  accounts: [
    seedAccount('aa', 'Account 1', 'p2tr', 0, {
      mainnet: {
        scriptPubKey: '5120a60869f0dbcf1dc659c9cecbaf8050135ea9e8cdc487053f1dc6880949dc684c',
        publicKey: '03cc8a4bc64d897bddc5fbc2f670f7a8ba0b386779106cf1223c6fc5d7cd6fc115',
      },
      test: {
        scriptPubKey: '51203b82b2b2a9185315da6f80da5f06d0440d8a5e1457fa93387c2d919c86ec8786',
        publicKey: '0255355ca83c973f1d97ce0e3843c85d78905af16b4dc531bc488e57212d230116',
      },
    }),
    seedAccount('bb', 'Account 2', 'p2wpkh', 0, {
      mainnet: {
        scriptPubKey: '0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2',
        publicKey: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
      },
      test: {
        scriptPubKey: '0014d0c4a3ef09e997b6e99e397e518fe3e41a118ca1',
        publicKey: '02e7ab2537b5d49e970309aae06e9e49f36ce1c9febbd44ec8e0d1cca0b4f9c319',
      },
    }),
  ],
}

/** {@link SECRET} with an account more. */
export const GROWN_SECRET: VaultSecret = {
  ...SECRET,
  accounts: [
    ...SECRET.accounts,
    seedAccount('cc', 'Account 3', 'p2tr', 1, {
      mainnet: {
        scriptPubKey: '5120b035d213e90e6979be94a3c6455036edb89f28c505a58543efd3538cacf042a8',
        publicKey: '0244becfe627731a2ad296f83d6a4e8ab44b7a98baf48217de8d77ad9fb8c9cb80',
      },
      test: {
        scriptPubKey: '5120f34fac8695b01c225b2ad605ae70d129d7b767a97b3bf801788f7960a94e60a0',
        publicKey: '02340404d6ca0d8a9b019d3ac3527ad2ac063c60446fdd13e76c0d2e5704c10163',
      },
    }),
  ],
}

export const PASSWORD = 'correct horse battery staple'

/** Depends on all that Argon2id would depend on, in microseconds; the KDF itself has its own tests. */
export const deriveQuickly: DeriveKey = async (password, salt, { memoryKib, passes, lanes }) =>
  sha256(concatBytes(toUtf8(`${memoryKib}/${passes}/${lanes}/${password.normalize('NFC')}`), salt))

/** A vault in memory whose clock stands still until it is set. */
export function createTestVault(
  deps: Partial<VaultDeps & { local: MemoryArea; session: MemoryArea }> = {},
) {
  const { local = createMemoryArea(), session = createMemoryArea() } = deps
  const clock = { now: 1_800_000_000_000 }
  const vault = createVault({
    random: randomBytes,
    deriveKey: deriveQuickly,
    now: () => clock.now,
    ...deps,
    local,
    session,
  })
  return { vault, local, session, clock }
}

/** What local storage holds after a wallet was made under {@link PASSWORD}. */
export async function storeTestVault(
  deps: Partial<VaultDeps> = {},
): Promise<{ local: { [key: string]: unknown }; session: { [key: string]: unknown } }> {
  const { vault, local, session } = createTestVault({
    ...deps,
    local: createMemoryArea(),
    session: createMemoryArea(),
  })
  await vault.create(SECRET, PASSWORD)
  return { local: local.dump(), session: session.dump() }
}

function seedAccount(
  id: string,
  name: string,
  addressType: AddressType,
  index: number,
  sides: VaultAccount['sides'],
): VaultAccount {
  const place = { addressType, line: 'accounts' as const, index }
  return { id, name, hidden: false, sides, source: 'seed', phrase: PHRASE_ID, ...place }
}

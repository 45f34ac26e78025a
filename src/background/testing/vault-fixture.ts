import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, toUtf8 } from '../../bitcoin/bytes.ts'
import { createMemoryArea, type MemoryArea } from '../../storage/testing/memory-area.ts'
import { randomBytes } from '../random-source.ts'
import { createVault, type VaultDeps, type VaultSecret } from '../vault.ts'
import type { DeriveKey } from '../vault-kdf.ts'

/** The phrase of the vectors of BIP-84 and BIP-86. */
export const SECRET: VaultSecret = {
  version: 1,
  mnemonic: `${'abandon '.repeat(11)}about`,
  passphrase: '',
  accounts: [
    { id: 'aa', name: 'Account 1', addressType: 'p2tr', index: 0 },
    { id: 'bb', name: 'Account 1', addressType: 'p2wpkh', index: 0 },
  ],
}

export const GROWN_SECRET: VaultSecret = {
  ...SECRET,
  accounts: [...SECRET.accounts, { id: 'cc', name: 'Account 2', addressType: 'p2tr', index: 1 }],
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

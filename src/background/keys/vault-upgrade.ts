// Secrets that earlier versions sealed, in today's form.

import { sha256 } from '@noble/hashes/sha2.js'
import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import {
  type FirstSecret,
  parseSecret,
  type SecondSecret,
  type VaultSecret,
} from './vault-secret.ts'
import { createSeedAccounts } from './vault-seed.ts'

/** What the one phrase of earlier versions is called. */
const NAME = 'Wallet 1'

/**
 * Accounts and keys stay as they are, so the keys of what devices inscribe follow from the one phrase where there is one. Throws on
 * what no version sealed.
 */
export async function upgradeSecret(old: FirstSecret | SecondSecret): Promise<VaultSecret> {
  if (old.version === 2) return upgradeSecond(old)
  const { mnemonic, passphrase, accounts } = old
  const kind = 'bip39' as const
  const phrase = { id: namePhrase(accounts), name: NAME, kind, mnemonic, passphrase }
  const wanted = accounts.map(account => ({ ...account, line: 'accounts' as const }))
  return {
    version: 3,
    phrases: [phrase],
    accounts: await createSeedAccounts(phrase, wanted),
  }
}

function upgradeSecond({ phrase, accounts, ...rest }: SecondSecret): VaultSecret {
  const listed: unknown[] = Array.isArray(accounts) ? accounts : []
  const id = namePhrase(listed)
  return parseSecret({
    ...rest,
    version: 3,
    phrases: phrase === null ? [] : [{ ...Object(phrase), id, name: NAME }],
    accounts: Array.isArray(accounts) ? accounts.map(withPhrase) : accounts,
  })

  function withPhrase(account: unknown): unknown {
    const { source, ordinals } = Object(account)
    if (source === 'seed') return { ...Object(account), phrase: id }
    if (source !== 'device' || phrase === null) return account
    return {
      ...Object(account),
      phrase: id,
      ...(ordinals !== undefined && { ordinals: { ...Object(ordinals), phrase: id } }),
    }
  }
}

/**
 * The phrase's id from the random one of the first account: the same each time that the old form is read, which it is until it can be
 * sealed anew.
 */
function namePhrase([first]: readonly unknown[]): string {
  const { id } = Object(first)
  return toHex(sha256(toUtf8(`satchel wallet ${id}`)).slice(0, 16))
}

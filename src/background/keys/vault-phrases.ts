// Phrases: the wallets of a vault, each with accounts of its own. Which one is meant, and one more, another name, one less.

import { toHex } from '../../bitcoin/bytes.ts'
import { deriveKey } from '../../bitcoin/derivation.ts'
import type { Network } from '../../bitcoin/network.ts'
import { isSamePhrase } from '../../bitcoin/phrases/phrase.ts'
import type { Phrase } from '../../bitcoin/phrases/phrase-kind.ts'
import { BASE_KEY_PATH } from '../../ordinals/inscriptions/inscribing-key.ts'
import { drawRandom, type RandomSource } from '../primitives/random-source.ts'
import type { WalletOrigin } from '../views/account-views.ts'
import {
  electrumPhrase,
  lastAccount,
  noPhrase,
  phraseExists,
  tooManyPhrases,
  UnknownPhraseError,
} from './account-errors.ts'
import { chooseName, readName } from './names.ts'
import { createKeyAccount } from './new-accounts.ts'
import { appendOne, findSame } from './vault-list.ts'
import {
  type DeviceSource,
  listPhraseIds,
  MOST_PHRASES,
  type NamedPhrase,
  type VaultAccount,
  type VaultSecret,
} from './vault-secret.ts'
import { createElectrumAccount, createSeedAccounts, withSeed } from './vault-seed.ts'

type Phrases = Pick<VaultSecret, 'phrases'>
type Inscribing = Pick<DeviceSource, 'phrase' | 'inscribingSecret'>

/** The phrase that is meant, the first for null. Throws NO_PHRASE, and {@link UnknownPhraseError}. */
export function requirePhrase({ phrases }: Phrases, phraseId: string | null): NamedPhrase {
  const [first] = phrases
  if (!first) throw noPhrase()
  if (phraseId === null) return first
  const phrase = phrases.find(({ id }) => id === phraseId)
  if (!phrase) throw new UnknownPhraseError()
  return phrase
}

/** For what only phrases of BIP-39 have. Throws ELECTRUM_PHRASE. */
export function requireBip39(phrase: NamedPhrase): NamedPhrase {
  if (phrase.kind !== 'bip39') throw electrumPhrase()
  return phrase
}

/** What inscribings of a new account on a device follow from: the first phrase, so that this alone gives it again, or else a secret. */
export function chooseInscribing({ phrases }: Phrases, random: RandomSource): Inscribing {
  const [first] = phrases
  return first ? { phrase: first.id } : { inscribingSecret: createId(random, 32) }
}

/** The secret of a new wallet: two accounts of the phrase, or the one of the key. A phrase must be known to be valid. */
export async function createSecret(
  origin: WalletOrigin,
  network: Network,
  random: RandomSource,
): Promise<VaultSecret> {
  const empty: VaultSecret = { version: 3, phrases: [], accounts: [] }
  if (origin.kind === 'wif') {
    const { wif, addressType } = origin
    const key = createKeyAccount(createId(random), { wif, addressType, name: '', network })
    return { ...empty, accounts: appendOne([], key) }
  }
  const { phraseKind: kind = 'bip39', mnemonic, passphrase } = origin
  const { phrase, accounts } = await createPhrase({ kind, mnemonic, passphrase }, random)
  return addPhrase(empty, { ...phrase, name: '' }, accounts)
}

/** A new phrase of the wallet, and its first two accounts, or the one that Electrum has of it. */
export async function createPhrase(words: Phrase, random: RandomSource) {
  const phrase = { id: createId(random), ...words }
  const account = await createElectrumAccount(phrase, { id: createId(random), name: '' })
  if (account) return { phrase, accounts: [account] }
  const wanted = (['p2tr', 'p2wpkh'] as const).map(addressType => {
    return { id: createId(random), name: '', addressType, line: 'accounts' as const, index: 0 }
  })
  return { phrase, accounts: await createSeedAccounts(phrase, wanted) }
}

/**
 * The secret with a phrase more, and those of its first accounts whose addresses no other account has. An empty name is chosen. Throws
 * PHRASE_EXISTS where it is there with the same passphrase, and TOO_MANY_PHRASES.
 */
export function addPhrase(
  secret: VaultSecret,
  added: NamedPhrase,
  accounts: readonly VaultAccount[],
): VaultSecret {
  const { phrases } = secret
  const same = phrases.find(one => isSamePhrase(one, added))
  if (same) throw phraseExists(readName('wallet', same.name))
  if (phrases.length >= MOST_PHRASES) throw tooManyPhrases(MOST_PHRASES)
  const name = chooseName('wallet', added.name, phrases)
  const free = accounts.filter(one => !findSame(secret.accounts, one))
  return {
    ...secret,
    phrases: [...phrases, { ...added, name }],
    accounts: free.reduce(appendOne, secret.accounts),
  }
}

/** An empty name takes the one away that it was given. Throws {@link UnknownPhraseError}, and -32602 for the name. */
export function renamePhrase(secret: VaultSecret, id: string, typed: string): VaultSecret {
  const renamed = secret.phrases.find(phrase => phrase.id === id)
  if (!renamed) throw new UnknownPhraseError()
  const name = chooseName('wallet', typed, secret.phrases, renamed)
  const phrases = secret.phrases.map(one => (one === renamed ? { ...one, name } : one))
  return { ...secret, phrases }
}

/** What keys of inscribings follow from, when it is a phrase: 32 bytes in hex. */
export function deriveInscribingSecret(phrase: Phrase): Promise<string> {
  return withSeed(phrase, seed => {
    const { privateKey } = deriveKey(seed, BASE_KEY_PATH)
    const secret = toHex(privateKey)
    privateKey.fill(0)
    return secret
  })
}

/**
 * The secret without a phrase and its accounts. Devices whose inscribings follow from it keep what these need alone, as coins on their
 * chain may have to be taken back yet. Throws {@link UnknownPhraseError}, and LAST_ACCOUNT where nothing that signs would stay.
 */
export function removePhrase(
  secret: VaultSecret,
  id: string,
  inscribingSecret: string,
): VaultSecret {
  if (!secret.phrases.some(phrase => phrase.id === id)) throw new UnknownPhraseError()
  const kept = secret.accounts.filter(account => !isOfPhrase(account, id))
  if (!kept.some(isSigning)) throw lastAccount()
  const apart = <I extends Inscribing>(one: I): I => {
    if (one.phrase !== id) return one
    const { phrase: _, ...rest } = one
    return { ...rest, inscribingSecret } as I
  }
  const accounts = kept.map(account => {
    if (account.source !== 'device' || !listPhraseIds(account).includes(id)) return account
    const { ordinals, ...device } = apart(account)
    return { ...device, ...(ordinals && { ordinals: apart(ordinals) }) }
  })
  return { ...secret, phrases: secret.phrases.filter(phrase => phrase.id !== id), accounts }
}

export function isOfPhrase(account: VaultAccount, id: string): boolean {
  return account.source === 'seed' && account.phrase === id
}

/** Whether an account has a key here or on a device. */
export function isSigning({ source }: Pick<VaultAccount, 'source'>): boolean {
  return source !== 'watch' && source !== 'multisig'
}

export function createId(random: RandomSource, bytes = 16): string {
  return toHex(drawRandom(random, bytes))
}

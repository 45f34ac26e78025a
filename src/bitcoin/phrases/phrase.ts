import type { Place } from '../derivation.ts'
import { checkMnemonic, mnemonicToSeed } from '../mnemonic.ts'
import {
  type ElectrumSeedType,
  electrumToSeed,
  identifyElectrumSeed,
  normalizeElectrumText,
} from './electrum-seed.ts'
import type { Phrase, PhraseKind } from './phrase-kind.ts'

/** Whose words a text can be; nobody's for one of Electrum's seeds with two factors. */
export function listPhraseKinds(text: string): PhraseKind[] {
  const kinds = listElectrumKinds(identifyElectrumSeed(text))
  return checkMnemonic(text).valid ? ['bip39', ...kinds] : kinds
}

/** The kind of a seed of Electrum, in a list; none for one of two factors. */
export function listElectrumKinds(type: ElectrumSeedType | null): PhraseKind[] {
  return type === 'standard' || type === 'segwit' ? [`electrum-${type}`] : []
}

/** The 64-byte seed, from which keys are derived by BIP-32. */
export function phraseToSeed({ kind, mnemonic, passphrase }: Phrase): Promise<Uint8Array> {
  return kind === 'bip39'
    ? mnemonicToSeed(mnemonic, passphrase)
    : electrumToSeed(mnemonic, passphrase)
}

/** Whether two phrases have the same seed. */
export function isSamePhrase(a: Phrase, b: Phrase): boolean {
  const normalize = (text: string) =>
    a.kind === 'bip39' ? text.normalize('NFKD') : normalizeElectrumText(text)
  return (
    (a.kind === 'bip39') === (b.kind === 'bip39') &&
    normalize(a.mnemonic) === normalize(b.mnemonic) &&
    normalize(a.passphrase) === normalize(b.passphrase)
  )
}

/**
 * The first address of the one account that Electrum has of a seed of its own, on every network (`from_seed` of its keystore.py); null
 * for BIP-39, which has many accounts.
 */
export function electrumPlaceOf(kind: PhraseKind): Place | null {
  if (kind === 'bip39') return null
  return kind === 'electrum-segwit'
    ? { addressType: 'p2wpkh', line: "m/0'/0/i", index: 0 }
    : { addressType: 'p2pkh', line: 'm/0/i', index: 0 }
}

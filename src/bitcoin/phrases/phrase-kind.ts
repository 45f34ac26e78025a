/** Whose words a phrase is made of: BIP-39's, or Electrum's own, which say what kind of address they are for. */
export type PhraseKind = 'bip39' | ElectrumKind
export type ElectrumKind = 'electrum-standard' | 'electrum-segwit'

export const PHRASE_KINDS: readonly PhraseKind[] = ['bip39', 'electrum-standard', 'electrum-segwit']

/** The words, and the passphrase, which is empty when there is none. */
export type Phrase = { kind: PhraseKind; mnemonic: string; passphrase: string }

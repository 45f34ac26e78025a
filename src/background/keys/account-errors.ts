import { failure, ProviderError, unauthorized } from '../../provider/errors.ts'
import type { GivenName } from '../views/account-views.ts'

/** A wallet of this phrase and passphrase is there; `data.name` says which. */
export function phraseExists(name: GivenName): ProviderError {
  const message = 'Another wallet has these words.'
  return failure('PHRASE_EXISTS', message, { data: { name } })
}

export function tooManyPhrases(most: number): ProviderError {
  return failure('TOO_MANY_PHRASES', `There are ${most} recovery phrases; no more can be added.`)
}

/** Accounts that are to be removed have something under way that needs their keys. */
export function jobsUnderWay(accountNames: readonly GivenName[]): ProviderError {
  const message = 'Inscribings or mints are under way.'
  return failure('JOBS_UNDER_WAY', message, { data: { names: [...accountNames] } })
}

/** The wallet would be left with nothing that can sign, or with nothing to show. */
export function lastAccount(): ProviderError {
  return failure('LAST_ACCOUNT', 'This is the last account of its kind; it has to stay.')
}

/** For an imported key, an address that is only watched, and one that the phrase has somewhere else than at the start of an account. */
export function oneAddressOnly(): ProviderError {
  return failure('ONE_ADDRESS_ONLY', 'This account has one address: no others are derived from it.')
}

/** For an account that is no SegWit address of the phrase or of a device that told its Taproot key: only these have one at the same place. */
export function noOrdinalsAddress(): ProviderError {
  return failure(
    'NO_ORDINALS_ADDRESS',
    'Only a SegWit account of the recovery phrase, or of a device whose Taproot key is known, can have a Taproot address for ordinals.',
  )
}

/** A seed of Electrum's own has one account, of one kind, and no place for what BIP-39's phrases have. */
export function electrumPhrase(): ProviderError {
  return failure(
    'ELECTRUM_PHRASE',
    'These words are a seed of Electrum: they have one account, as in Electrum, and nothing else.',
  )
}

export function noPhrase(): ProviderError {
  return failure('NO_PHRASE', 'The wallet has no recovery phrase.')
}

/** A device's account from before the vault had a secret for what it inscribes, in a wallet without a phrase. */
export function noInscribingSecret(): ProviderError {
  return failure(
    'DEVICE_CANNOT',
    'This account has no secret for inscribing yet: remove it, and connect it again.',
  )
}

/** The account in use is another, or has other addresses, than when the site asked. */
export function accountChanged(): ProviderError {
  return unauthorized('The account in use changed while the request was waiting.')
}

/** For sites that ask an account of which the wallet has no key, or that several signers share. A stranger is not told which. */
export function notForSites({ source }: { source: string }, isKnown: boolean): ProviderError {
  if (!isKnown) return unauthorized('The account in use cannot be connected to sites.')
  const what = source === 'watch' ? 'is only watched' : 'is shared by several signers'
  return unauthorized(`The account in use ${what}; sites cannot be connected to it.`)
}

/** No phrase has this id: it was removed, or never was. */
export class UnknownPhraseError extends ProviderError {
  override name = 'UnknownPhraseError'
  constructor() {
    super(-32602, 'phraseId: there is no such recovery phrase')
  }
}

/** No account, or none with a key on this network. */
export class UnknownAccountError extends ProviderError {
  override name = 'UnknownAccountError'
  constructor(accountId: string) {
    super(-32602, `accountId: there is no account ${accountId} with a key`)
  }
}

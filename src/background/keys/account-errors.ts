import { failure, ProviderError, unauthorized } from '../../provider/errors.ts'

/** Another account has this address already; `data.name` says which. */
export function accountExists(name: string): ProviderError {
  return failure('ACCOUNT_EXISTS', `The account “${name}” has this address.`, { data: { name } })
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

export function noPhrase(): ProviderError {
  return failure('NO_PHRASE', 'The wallet was made of a private key and has no recovery phrase.')
}

/** A device's account from before the vault had a secret for what it inscribes, in a wallet without a phrase. */
export function noInscribingSecret(): ProviderError {
  return failure(
    'DEVICE_CANNOT',
    'This account has no secret for inscribing yet: remove it, and connect it again.',
  )
}

/** For sites that ask an account of which the wallet has no key, or that several signers share. */
export function notForSites({ source }: { source: string }): ProviderError {
  const what = source === 'watch' ? 'is only watched' : 'is shared by several signers'
  return unauthorized(`The account in use ${what}; sites cannot be connected to it.`)
}

/** No account, or none with a key on this network. */
export class UnknownAccountError extends ProviderError {
  override name = 'UnknownAccountError'
  constructor(accountId: string) {
    super(-32602, `accountId: there is no account ${accountId} with a key`)
  }
}

import { type ParsedAddress, type PayableType, parseAddress } from '../../bitcoin/address.ts'
import { NETWORKS } from '../../bitcoin/network.ts'
import type { AccountInfo } from '../../provider/envelope.ts'
import { invalidParams } from '../../provider/errors.ts'
import { parseString } from '../../provider/params.ts'

/** What sats-connect asks addresses for; one address serves both where the account has no other for ordinals. */
export const PURPOSES = ['payment', 'ordinals'] as const

export type AddressPurpose = (typeof PURPOSES)[number]

export type AddressEntry = {
  address: string
  /** x-only (32 bytes) for P2TR, which is what apps write into PSBTs; else compressed (33 bytes). */
  publicKey: string
  purpose: AddressPurpose
  addressType: PayableType
  walletType: 'software'
}

const MAX_PURPOSES = 100

/** Those of a list that the wallet has, each once and in the order asked; of chains that it has not it leaves out. */
export function parsePurposes(field: string, value: unknown): AddressPurpose[] {
  if (!Array.isArray(value) || value.length > MAX_PURPOSES) {
    throw invalidParams(field, value, `a list of at most ${MAX_PURPOSES} purposes`)
  }
  const named = value.map((purpose: unknown, at) => parseString(`${field}[${at}]`, purpose, 100))
  const known = [...new Set(named)].flatMap(
    name => PURPOSES.find(purpose => purpose === name) ?? [],
  )
  if (known.length === 0) throw invalidParams(field, value, `${PURPOSES.join(' or ')} among them`)
  return known
}

export function describeAddresses(
  account: AccountInfo,
  purposes: readonly AddressPurpose[],
): AddressEntry[] {
  return purposes.map(purpose => {
    const { address, publicKey: key } = (purpose === 'ordinals' && account.ordinals) || account
    const addressType = typeOfAddress(address)
    if (!addressType) throw new Error('The account in use has no address')
    const publicKey = addressType === 'p2tr' ? key.slice(2) : key
    return { address, publicKey, purpose, addressType, walletType: 'software' }
  })
}

/** An address of any network. */
export function parseAddressParam(field: string, value: unknown): string {
  const address = parseString(field, value, 100)
  if (!typeOfAddress(address)) throw invalidParams(field, value, 'a Bitcoin address')
  return address
}

/** The kind of an address of any network; null for what is none. */
export function typeOfAddress(address: string): PayableType | null {
  return parseAnyAddress(address)?.type ?? null
}

/** Reads an address of any network; null for what is none. */
export function parseAnyAddress(address: string): ParsedAddress | null {
  for (const network of NETWORKS) {
    try {
      return parseAddress(address, network)
    } catch {
      // It may be one of the next network.
    }
  }
  return null
}

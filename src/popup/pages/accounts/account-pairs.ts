import type { AccountView } from '../../../background/views/account-views.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import { isOrdinalsPair } from '../../../bitcoin/descriptors/ordinals-pair.ts'
import { parseKeyPath } from '../../../bitcoin/key-origin.ts'
import type { FoundAddress } from './restore-scan.ts'

/** An account number whose SegWit and Taproot addresses were both used, as Xverse and Leather do it. */
export type AccountPair = { index: number; payment: PaymentType }

type PaymentType = 'p2wpkh' | 'p2sh-p2wpkh'

const PURPOSES = { p2wpkh: 84, 'p2sh-p2wpkh': 49, p2tr: 86 } as const

/** The pairs among used addresses. Where Taproot itself has many addresses, its first is none that is for ordinals alone. */
export function listPairs(found: readonly FoundAddress[]): AccountPair[] {
  const hasManyTaproot = found.some(
    ({ addressType, line }) => addressType === 'p2tr' && line !== 'accounts',
  )
  const isUsed = (type: AddressType, at: number) =>
    found.some(
      ({ addressType, line, index }) => addressType === type && line === 'accounts' && index === at,
    )
  const indexes = found.flatMap(({ addressType, line, index }) =>
    addressType === 'p2tr' && line === 'accounts' && !(index === 0 && hasManyTaproot)
      ? [index]
      : [],
  )
  return indexes.flatMap((index): AccountPair[] => {
    const payment = (['p2wpkh', 'p2sh-p2wpkh'] as const).find(type => isUsed(type, index))
    return payment ? [{ index, payment }] : []
  })
}

/** Whether the other address of a pair holds something. */
export function hasPartner(one: FoundAddress, found: readonly FoundAddress[]): boolean {
  const pair = listPairs(found).find(({ index }) => index === one.index)
  if (!pair || one.line !== 'accounts') return false
  const types: AddressType[] = ['p2tr', pair.payment]
  return (
    types.includes(one.addressType) &&
    found.some(
      other =>
        other.line === 'accounts' &&
        other.index === one.index &&
        other.addressType !== one.addressType &&
        types.includes(other.addressType) &&
        other.balance !== '0',
    )
  )
}

/** The two accounts of a pair; null where they cannot be put together, or are. */
export function findPair(
  accounts: readonly AccountView[],
  { index, payment }: AccountPair,
): { account: AccountView; taproot: AccountView } | null {
  const at = (type: keyof typeof PURPOSES) =>
    accounts.find(
      ({ source, addressType, derivationPath }) =>
        source === 'seed' &&
        addressType === type &&
        new RegExp(`^m/${PURPOSES[type]}'/\\d+'/${index}'/0/0$`).test(derivationPath ?? ''),
    )
  const [account, taproot] = [at(payment), at('p2tr')]
  if (!account || !taproot || account.ordinals || taproot.descriptor !== null) return null
  return { account, taproot }
}

/** The Taproot account of the same device and account number as a SegWit one; null where there is none. */
export function findDevicePartner(
  account: AccountView,
  accounts: readonly AccountView[],
): AccountView | null {
  const own = placeOnDevice(account)
  if (!own) return null
  return (
    accounts.find(other => {
      const place = placeOnDevice(other)
      return place !== null && isOrdinalsPair(own, place)
    }) ?? null
  )
}

function placeOnDevice(account: AccountView) {
  if (account.source !== 'device') return null
  const { addressType, fingerprint, derivationPath } = account
  return { addressType, origin: { fingerprint, path: parseKeyPath(derivationPath) ?? [] } }
}

/** The payment account's name, unless a person has named the other one alone; empty where nobody named either. */
export function chooseName(
  { name }: Pick<AccountView, 'name'>,
  taproot: Pick<AccountView, 'name'>,
): string {
  return [name, taproot.name].find(one => typeof one === 'string') ?? ''
}

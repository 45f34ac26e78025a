// Two keys of one signer as one account: payments on SegWit, and ordinals on the Taproot key beside it, as Xverse and Leather have it.

import type { AddressType } from '../address.ts'
import type { KeyOrigin } from '../key-origin.ts'
import { parseDescriptor } from './descriptor.ts'
import type { KeyCandidate } from './key-candidates.ts'
import { deriveKeyExpression } from './key-expression.ts'

/** The key of an account's first address; the type is null where several keys sign. */
type FirstKey = { addressType: AddressType | null; origin: KeyOrigin }

/** `ordinals` is a Taproot one. */
export type OrdinalsPair = { payment: KeyCandidate; ordinals: KeyCandidate }

/** Purpose, coin type, account, branch and index (BIP-44). */
const ADDRESS_DEPTH = 5

/** Whether a Taproot key is the one beside a SegWit key: of the same master key, at a path with another purpose (BIP-43) alone. */
export function isOrdinalsPair(payment: FirstKey, ordinals: FirstKey): boolean {
  const [path, other] = [payment.origin.path, ordinals.origin.path]
  return (
    (payment.addressType === 'p2wpkh' || payment.addressType === 'p2sh-p2wpkh') &&
    ordinals.addressType === 'p2tr' &&
    payment.origin.fingerprint === ordinals.origin.fingerprint &&
    path.length === ADDRESS_DEPTH &&
    path[0] !== other[0] &&
    path.slice(1).join() === other.slice(1).join()
  )
}

/** The pairs among the accounts of a key file, each SegWit one with the first Taproot one beside it. */
export function listOrdinalsPairs(candidates: readonly KeyCandidate[]): OrdinalsPair[] {
  const keys = candidates.flatMap(candidate => {
    const origin = firstOrigin(candidate)
    return origin ? [{ candidate, addressType: candidate.addressType, origin }] : []
  })
  return keys.flatMap(payment => {
    const ordinals = keys.find(other => isOrdinalsPair(payment, other))
    return ordinals ? [{ payment: payment.candidate, ordinals: ordinals.candidate }] : []
  })
}

/** Null where the file does not say which master key it comes from. */
function firstOrigin({ descriptor, fingerprint }: KeyCandidate): KeyOrigin | null {
  const parsed = parseDescriptor(descriptor)
  if (fingerprint === null || parsed.type !== 'single') return null
  return deriveKeyExpression(parsed.key, { branch: 0, index: 0 }).origin
}

import { addressOfScript } from '../../../bitcoin/address.ts'
import { parseDescriptor } from '../../../bitcoin/descriptors/descriptor.ts'
import { deriveOutput } from '../../../bitcoin/descriptors/descriptor-output.ts'
import type { KeyCandidate } from '../../../bitcoin/descriptors/key-candidates.ts'
import { listOrdinalsPairs } from '../../../bitcoin/descriptors/ordinals-pair.ts'
import type { Network } from '../../../bitcoin/network.ts'

/** An account that keys of a device can be: that of one candidate, or with the Taproot key beside it for ordinals. */
export type KeyChoice = { id: string; candidate: KeyCandidate; ordinals: KeyCandidate | null }

/** What there is to choose: each candidate in the order given, and each pair behind its SegWit key. */
export function listKeyChoices(candidates: readonly KeyCandidate[]): KeyChoice[] {
  const pairs = listOrdinalsPairs(candidates)
  return candidates.flatMap(candidate => {
    const alone = { id: candidate.descriptor, candidate, ordinals: null }
    const pair = pairs.find(({ payment }) => payment === candidate)
    if (!pair) return [alone]
    const { ordinals } = pair
    return [alone, { id: `${candidate.descriptor} ${ordinals.descriptor}`, candidate, ordinals }]
  })
}

/** The first receiving addresses of a descriptor. */
export function listFirstAddresses(descriptor: string, network: Network, count: number): string[] {
  const parsed = parseDescriptor(descriptor)
  return Array.from({ length: count }, (_, index) => {
    const { scriptPubKey } = deriveOutput(parsed, { branch: 0, index })
    return addressOfScript(scriptPubKey, network) ?? ''
  })
}

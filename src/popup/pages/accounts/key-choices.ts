import { addressOfScript } from '../../../bitcoin/address.ts'
import { parseDescriptor } from '../../../bitcoin/descriptors/descriptor.ts'
import { deriveOutput } from '../../../bitcoin/descriptors/descriptor-output.ts'
import {
  InvalidKeyFileError,
  type KeyCandidate,
} from '../../../bitcoin/descriptors/key-candidates.ts'
import { parseKeyFile } from '../../../bitcoin/descriptors/key-files.ts'
import { listOrdinalsPairs } from '../../../bitcoin/descriptors/ordinals-pair.ts'
import type { Network } from '../../../bitcoin/network.ts'
import type { CodeKeys } from '../../../bitcoin/qr/code-keys.ts'

/** An account that keys of a device can be: that of one candidate, or with the Taproot key beside it for ordinals. */
export type KeyChoice = { id: string; candidate: KeyCandidate; ordinals: KeyCandidate | null }

/**
 * The accounts of a code with several keys. Those that are one of several signers' (`cosigner` of BCR-2020-010) are passed over: no
 * account comes of one. Throws {@link InvalidKeyFileError}.
 */
export function readCodeKeys({ descriptors }: Pick<CodeKeys, 'descriptors'>): KeyCandidate[] {
  const alone = descriptors.filter(({ script }) => !script?.includes('cosigner'))
  if (alone.length === 0)
    throw new InvalidKeyFileError('unsupported', 'one key of several: expected all of them')
  return alone.flatMap(({ text }) => [...parseKeyFile(text).candidates])
}

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

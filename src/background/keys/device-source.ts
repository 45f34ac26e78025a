import {
  countDescriptorBranches,
  formatDescriptor,
  isRangedDescriptor,
  keySpaceOfDescriptor,
  parseDescriptor,
} from '../../bitcoin/descriptors/descriptor.ts'
import { InvalidDescriptorError } from '../../bitcoin/descriptors/descriptor-checksum.ts'
import { deriveKeyExpression } from '../../bitcoin/descriptors/key-expression.ts'
import { formatKeyPath } from '../../bitcoin/key-origin.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import type { DeviceSource } from './vault-secret.ts'

/**
 * What an account on a device is made of: the descriptor of one extended public key of this network, and the key of its first
 * receiving address. Throws {@link InvalidDescriptorError}.
 */
export function readDevice(
  text: string,
  network: Network,
): DeviceSource & { publicKey: Uint8Array } {
  const descriptor = parseDescriptor(text)
  const refuse = (expected: string) => new InvalidDescriptorError('unsupported', 0, expected)
  if (descriptor.type !== 'single' || !isRangedDescriptor(descriptor))
    throw refuse('expected an extended public key of one signer, with all its addresses')
  if (countDescriptorBranches(descriptor) > 2)
    throw refuse('expected addresses for receiving and for change, and no others')
  if (keySpaceOfDescriptor(descriptor) !== keySpaceOf(network))
    throw refuse(`expected an extended public key of ${network}`)
  const { publicKey, origin } = deriveKeyExpression(descriptor.key, { branch: 0, index: 0 })
  return {
    source: 'device',
    addressType: descriptor.addressType,
    descriptor: formatDescriptor(descriptor),
    fingerprint: origin.fingerprint,
    derivationPath: formatKeyPath(origin.path),
    publicKey,
  }
}

import {
  countDescriptorBranches,
  formatDescriptor,
  isRangedDescriptor,
  keySpaceOfDescriptor,
  parseDescriptor,
} from '../../bitcoin/descriptors/descriptor.ts'
import { InvalidDescriptorError } from '../../bitcoin/descriptors/descriptor-checksum.ts'
import { deriveKeyExpression } from '../../bitcoin/descriptors/key-expression.ts'
import { isOrdinalsPair } from '../../bitcoin/descriptors/ordinals-pair.ts'
import { formatKeyPath, parseKeyPath } from '../../bitcoin/key-origin.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import { invalidParams, ProviderError } from '../../provider/errors.ts'
import type { DeviceOrdinals, DeviceSource } from './vault-secret.ts'

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

/**
 * The Taproot key that is for ordinals in an account on a device, and the key of its first address: of the same device and the same
 * account number. Throws -32602.
 */
export function readDeviceOrdinals(
  text: string,
  network: Network,
  account: FirstAddress,
): DeviceOrdinals & { publicKey: Uint8Array } {
  const read = readNamed()
  const { descriptor, derivationPath, publicKey } = read
  if (isDevicePair(account, read)) return { descriptor, derivationPath, publicKey }
  const expected = 'the Taproot key of the same device and account number as a SegWit one'
  throw invalidParams('ordinals', descriptor, expected)

  function readNamed() {
    try {
      return readDevice(text, network)
    } catch (cause) {
      if (!(cause instanceof InvalidDescriptorError)) throw cause
      throw new ProviderError(-32602, `ordinals: ${cause.message}`, { cause })
    }
  }
}

/** Whether a Taproot key is the one beside a SegWit key, by what is known of the first addresses of both. */
export function isDevicePair(payment: FirstAddress, ordinals: FirstAddress): boolean {
  return isOrdinalsPair(toFirstKey(payment), toFirstKey(ordinals))
}

type FirstAddress = Pick<DeviceSource, 'addressType' | 'fingerprint' | 'derivationPath'>

function toFirstKey({ addressType, fingerprint, derivationPath }: FirstAddress) {
  return { addressType, origin: { fingerprint, path: parseKeyPath(derivationPath) ?? [] } }
}

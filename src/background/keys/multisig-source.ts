import { toHex } from '../../bitcoin/bytes.ts'
import {
  countDescriptorBranches,
  formatDescriptor,
  isRangedDescriptor,
  keySpaceOfDescriptor,
  type MultisigDescriptor,
  parseDescriptor,
} from '../../bitcoin/descriptors/descriptor.ts'
import { InvalidDescriptorError } from '../../bitcoin/descriptors/descriptor-checksum.ts'
import { deriveOutput } from '../../bitcoin/descriptors/descriptor-output.ts'
import { fingerprintOf } from '../../bitcoin/descriptors/extended-key.ts'
import {
  deriveKeyExpression,
  type KeyExpression,
} from '../../bitcoin/descriptors/key-expression.ts'
import { formatKeyPath } from '../../bitcoin/key-origin.ts'
import type { MultisigType } from '../../bitcoin/multisig-type.ts'
import { keySpaceOf, type Network } from '../../bitcoin/network.ts'
import type { CosignerView } from '../views/account-views.ts'
import type { MultisigSource } from './vault-secret.ts'

/** The point of BIP-341 whose private key nobody has, x-only: `lift_x` of the hash of the generator. */
const UNSPENDABLE = '50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0'

/** CHECKMULTISIG takes no more, and reviews and devices show no more in taproot either. */
const MOST_SIGNERS = 20

const FIRST = { branch: 0, index: 0 }

/** What an account of several signers is made of, and its first receiving address. */
export type ReadMultisig = MultisigSource & {
  type: MultisigType
  parsed: MultisigDescriptor
  scriptPubKey: Uint8Array
  /** In the order of the descriptor. */
  signers: CosignerView[]
}

/**
 * Reads the descriptor of an account of several signers of this network: `sortedmulti` in wsh and sh(wsh), `sortedmulti_a` in tr below
 * a key that nobody has. Throws {@link InvalidDescriptorError}.
 */
export function readMultisig(text: string, network: Network): ReadMultisig {
  const parsed = parseDescriptor(text)
  const refuse = (expected: string) => new InvalidDescriptorError('unsupported', 0, expected)
  if (parsed.type !== 'multisig') throw refuse('expected a descriptor of several signers')
  const { script, threshold, keys, internalKey } = parsed
  if (script === 'p2sh') throw refuse('expected wsh, sh(wsh) or tr: sh alone is too old')
  if (keys.length > MOST_SIGNERS) throw refuse(`expected at most ${MOST_SIGNERS} signers`)
  if (keys.some(key => key.type === 'plain' || !key.isRanged))
    throw refuse('expected an extended public key of each signer, with all its addresses')
  if (!isRangedDescriptor(parsed) || countDescriptorBranches(parsed) > 2)
    throw refuse('expected addresses for receiving and for change, and no others')
  if (keySpaceOfDescriptor(parsed) !== keySpaceOf(network))
    throw refuse(`expected extended public keys of ${network}`)
  if (internalKey && !isUnspendable(internalKey))
    throw refuse('expected an internal key that nobody has: this one could spend alone')
  if (hasRepeated(keys.map(publicKeyOf)) || hasRepeated(keys.map(firstKeyOf)))
    throw refuse('expected another key of each signer')
  return {
    source: 'multisig',
    descriptor: formatDescriptor(parsed),
    type: `${script} ${threshold} of ${keys.length}`,
    parsed,
    scriptPubKey: deriveOutput(parsed, FIRST).scriptPubKey,
    signers: keys.map(describeSigner),
  }
}

/** Also where other keys are derived of the point, by a chain code that everybody sees: nobody has these, either. */
function isUnspendable(key: KeyExpression): boolean {
  return publicKeyOf(key).slice(2) === UNSPENDABLE
}

/** x-only: one extended key can be written as another one and the steps to it. */
function firstKeyOf(key: KeyExpression): string {
  return toHex(deriveKeyExpression(key, FIRST).publicKey.subarray(1))
}

function hasRepeated(keys: readonly string[]): boolean {
  return new Set(keys).size < keys.length
}

function publicKeyOf(key: KeyExpression): string {
  return toHex(key.type === 'plain' ? key.publicKey : key.key.publicKey)
}

function describeSigner(key: KeyExpression): CosignerView {
  if (key.origin)
    return { fingerprint: key.origin.fingerprint, path: formatKeyPath(key.origin.path) }
  const own = key.type === 'extended' ? key.key : key
  return { fingerprint: fingerprintOf(own), path: 'm' }
}

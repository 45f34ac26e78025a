import type { AddressType } from '../address.ts'
import { publicKeyOf } from '../secp256k1.ts'
import { signSpends } from '../signing/input-signature.ts'
import type { SignatureChecks } from '../signing/signature-checks.ts'
import { assertPlans, type InputPlan } from './plan.ts'
import type { Prevout } from './prevouts.ts'
import { type Psbt, unsignedTransaction } from './psbt.ts'
import { withSignatures } from './signature-fields.ts'

/**
 * Adds the planned signatures, the sighash type that they need told, and nothing else. Each input is checked once more; throws
 * PsbtRefusedError when the key does not open it as planned.
 */
export function signPsbt(params: {
  psbt: Psbt
  prevouts: readonly (Prevout | null)[]
  plan: readonly InputPlan[]
  privateKey: Uint8Array
  addressType: AddressType
  auxRand?: Uint8Array
  checks?: SignatureChecks | undefined
}): Psbt {
  const { psbt, prevouts, plan, privateKey, addressType, auxRand, checks } = params
  const key = { publicKey: publicKeyOf(privateKey), addressType }
  assertPlans(psbt, prevouts, key, plan)
  const signatures = signSpends({
    transaction: unsignedTransaction(psbt),
    prevouts,
    spends: plan,
    addressType,
    privateKey,
    auxRand,
    checks,
  })
  const planned = plan.map((one, at) => {
    const signature = signatures[at]
    if (!signature) throw new Error(`psbt: input ${one.index} was not signed`)
    return { plan: one, signature, key }
  })
  return withSignatures(psbt, planned)
}

import { Transaction } from '@scure/btc-signer'
import type { AddressType } from '../address.ts'
import { type InputOrder, type InputPlan, planSigning } from '../psbt/plan.ts'
import { readPrevouts } from '../psbt/prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt } from '../psbt/psbt.ts'
import { signPsbt } from '../psbt/sign.ts'
import { publicKeyOf } from '../secp256k1.ts'
import type { BuiltPsbt } from './psbt-building.ts'
import { PERMISSIVE } from './signature-oracle.ts'

/** The private key that signs in tests of signing. */
export const SIGNER_KEY = new Uint8Array(32).fill(0x31)

export const SIGNER_PUBLIC_KEY = publicKeyOf(SIGNER_KEY)

type Asked = {
  type: AddressType
  inputs?: readonly (Partial<InputOrder> & { index: number })[]
  expert?: boolean
  /** Whether the previous transactions are known beside the PSBT. */
  fetched?: boolean
}

/** What the account of {@link SIGNER_KEY} would sign of a PSBT. */
export function planBuilt({ bytes, previous }: BuiltPsbt, asked: Asked) {
  const psbt = parsePsbt(bytes)
  const prevouts = readPrevouts(psbt, asked.fetched ? previous : new Map())
  const plan = planSigning({
    psbt,
    prevouts,
    key: { publicKey: SIGNER_PUBLIC_KEY, addressType: asked.type },
    inputs:
      asked.inputs?.map(order => ({ sighashTypes: null, disableTweakSigner: false, ...order })) ??
      null,
    expert: asked.expert ?? false,
  })
  return { psbt, prevouts, plan }
}

/** A PSBT with the signatures of {@link SIGNER_KEY}; `other` is an independent library's view of it. */
export function signBuilt(
  built: BuiltPsbt,
  asked: Asked,
): { signed: Psbt; plan: readonly InputPlan[]; bytes: Uint8Array; other: Transaction } {
  const planned = planBuilt(built, asked)
  const signed = signPsbt({ ...planned, privateKey: SIGNER_KEY, addressType: asked.type })
  const bytes = encodePsbt(signed)
  return { signed, plan: planned.plan, bytes, other: Transaction.fromPSBT(bytes, PERMISSIVE) }
}

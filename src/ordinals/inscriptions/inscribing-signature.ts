import { scriptPubKeyOf } from '../../bitcoin/address.ts'
import { type SignedPayment, signPayment } from '../../bitcoin/payments/payment.ts'
import { publicKeyOf } from '../../bitcoin/secp256k1.ts'
import { layOutDelivery } from './delivery.ts'
import type { Inscribing } from './inscribing.ts'
import { type SignedReveal, signReveals } from './reveal.ts'
import { layOutReveal, PARENT_VOUT } from './reveal-layout.ts'

export type SignedInscribing = {
  commit: SignedPayment
  reveals: SignedReveal[]
  /** Null where all inscriptions stay. */
  delivery: SignedReveal | null
}

/**
 * Signs a commit, its reveals, which pay the account of the key, and the delivery. The previous transactions (raw, by txid) of the
 * commit's inputs are needed unless those are taproot. Throws as signPayment does, and where anything is not of this key.
 */
export function signInscribing(
  inscribing: Inscribing,
  privateKey: Uint8Array,
  previousTransactions: ReadonlyMap<string, Uint8Array>,
): SignedInscribing {
  const { nonce, parent, commit: payment, delivery } = inscribing
  const { addressType } = payment
  const commit = signPayment(payment, [privateKey], previousTransactions)
  const own = { publicKey: publicKeyOf(privateKey), addressType }
  const receiver = scriptPubKeyOf(own.publicKey, addressType)
  const reveals = inscribing.reveals.map(({ fee, vsize }, k) => {
    const first = { of: parent?.coin.txid ?? '', vout: parent?.coin.vout ?? 0 }
    const parentAt = k === 0 ? first : { of: k - 1, vout: PARENT_VOUT }
    const layout = layOutReveal(inscribing, k, { commitTxid: commit.txid, receiver, parentAt })
    return { ...layout, fee, vsize }
  })
  const all = delivery ? [...reveals, layOutDelivery(delivery, own, reveals.length - 1)] : reveals
  const signed = signReveals(all, { privateKey, addressType, nonce })
  return {
    commit,
    reveals: signed.slice(0, reveals.length),
    delivery: signed[reveals.length] ?? null,
  }
}

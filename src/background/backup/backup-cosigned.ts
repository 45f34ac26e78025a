import { addressOfScript } from '../../bitcoin/address.ts'
import { equalBytes, fromHex, toHex } from '../../bitcoin/bytes.ts'
import type { MultisigDescriptor } from '../../bitcoin/descriptors/descriptor.ts'
import { type DescriptorPlace, deriveOutput } from '../../bitcoin/descriptors/descriptor-output.ts'
import type { SpendType } from '../../bitcoin/multisig-type.ts'
import type { Network } from '../../bitcoin/network.ts'
import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import type { Payment } from '../../bitcoin/payments/payment.ts'
import { addCosignatures } from '../../bitcoin/psbt/cosign.ts'
import { readPrevouts } from '../../bitcoin/psbt/prevouts.ts'
import { encodePsbt, type Psbt, parsePsbt } from '../../bitcoin/psbt/psbt.ts'
import { parseLabel } from '../activity/labels.ts'
import { decodePayment } from '../activity/stored-payment.ts'
import { readMultisig } from '../keys/multisig-source.ts'
import { beginCosigned } from '../payments/cosigned-psbt.ts'
import type { CosignedPlan } from '../payments/plans.ts'
import { digestOf } from '../primitives/digest.ts'
import type { AccountView } from '../views/account-views.ts'
import type { PaymentReview } from '../views/payment-views.ts'
import type { BackupContents } from './backup-contents.ts'

/** The account that several signers share, as it is on a network. */
export type SharedOwner = Pick<AccountView, 'id' | 'source' | 'descriptor'> & { network: Network }

/** PSBT_OUT_BIP32_DERIVATION and PSBT_OUT_TAP_BIP32_DERIVATION, whose values end with the two last steps of the path. */
const ORIGINS: readonly (number | undefined)[] = [0x02, 0x07]

/**
 * A payment of several signers as it is stored; null for one that is not what it says. What is kept of its PSBT are the signatures,
 * each of which is right and covers the whole transaction; all else is made anew from the account's descriptor. What the person is
 * shown of it is what the transaction says.
 */
export function checkCosigned(
  { job: told }: BackupContents['cosigned'][number],
  owner: SharedOwner,
): CosignedPlan | null {
  try {
    const { id, label, plan, accountId, network, digest, cosigned } = told as CosignedPlan
    if (owner.source !== 'multisig' || owner.descriptor === null || network !== owner.network)
      return null
    if (!/^[0-9a-f]{32}$/.test(id) || parseLabel(label) !== label) return null
    if (typeof accountId !== 'string' || !(Number.isSafeInteger(plan.at) && plan.at >= 0))
      return null
    // Of all that was worked out: damage anywhere shows here.
    if (digestOf({ id, network, accountId, label, plan, txid: null }) !== digest) return null
    const { parsed: descriptor } = readMultisig(owner.descriptor, network)
    const payment = decodePayment(plan.payment)
    const psbt = parsePsbt(fromHex(cosigned.psbt))
    const own = [...cosigned.places, ...listOwnPlaces(psbt, descriptor)]
    const previous = new Map(
      psbt.inputs.flatMap(({ txid, nonWitnessUtxo }) =>
        nonWitnessUtxo ? [[txid, nonWitnessUtxo] as const] : [],
      ),
    )
    const begun = beginCosigned({ descriptor, payment, previous, own })
    const sent = parsePsbt(fromHex(begun.psbt))
    const isOwn = createIsOwn(descriptor, own)
    if (!isShown(plan.review, payment, { network, isOwn })) return null
    if (JSON.stringify(plan.spends) !== JSON.stringify(payment.inputs.map(formatOutpoint)))
      return null
    const returned = fromHex(cosigned.psbt)
    const signed = addCosignatures({ sent, returned, prevouts: readPrevouts(sent, new Map()) })
    const stored = { id, network, accountId: owner.id, label, plan, txid: null }
    return {
      ...{ ...stored, digest: digestOf(stored) },
      cosigned: { ...begun, psbt: toHex(encodePsbt(signed)), isSigned: true },
    }
  } catch {
    // Whatever is missing or of another kind: it is no payment of ours.
    return null
  }
}

/** Where the outputs are that the descriptor has at the places that the PSBT tells. */
function listOwnPlaces(psbt: Psbt, descriptor: MultisigDescriptor): DescriptorPlace[] {
  return psbt.outputs.flatMap(({ scriptPubKey }, at) => {
    const origins = psbt.maps.outputs[at]?.filter(({ key }) => ORIGINS.includes(key[0])) ?? []
    const places = origins.flatMap(({ value }) => readPlace(value))
    return places
      .filter(place => equalBytes(deriveOutput(descriptor, place).scriptPubKey, scriptPubKey))
      .slice(0, 1)
  })
}

/** Of an internal key that nobody has there are no steps. */
function readPlace(origin: Uint8Array): DescriptorPlace[] {
  if (origin.length < 4 + 8) return []
  const steps = new DataView(origin.buffer, origin.byteOffset + origin.length - 8, 8)
  return [{ branch: steps.getUint32(0, true), index: steps.getUint32(4, true) }]
}

type IsOwn = (scriptPubKey: Uint8Array) => boolean

function createIsOwn(descriptor: MultisigDescriptor, places: readonly DescriptorPlace[]): IsOwn {
  const scripts = new Set(places.map(place => toHex(deriveOutput(descriptor, place).scriptPubKey)))
  return scriptPubKey => scripts.has(toHex(scriptPubKey))
}

/** Whether the person is shown the inputs, outputs, sums and fee of the payment, and as the account's own no others. */
function isShown(
  review: PaymentReview,
  { inputs, outputs, fee, vsize }: Payment<SpendType>,
  { network, isOwn }: { network: Network; isOwn: IsOwn },
): boolean {
  const addresses = outputs.map(({ scriptPubKey }) => addressOfScript(scriptPubKey, network))
  const isPaid = ({ address, sats }: PaymentReview['recipients'][number]) =>
    outputs.some(({ amount }, at) => addresses[at] === address && String(amount) === sats)
  const paid = review.recipients.reduce((sum, { sats }) => sum + BigInt(sats), 0n)
  const isTold = outputs.every(
    ({ scriptPubKey }, at) =>
      isOwn(scriptPubKey) ||
      addresses[at] === null ||
      review.recipients.some(({ address }) => address === addresses[at]),
  )
  return (
    isTold &&
    review.recipients.every(isPaid) &&
    review.sats === String(paid) &&
    review.fee === String(fee) &&
    review.vsize === vsize &&
    review.inputs.length === inputs.length &&
    inputs.every(
      (input, at) =>
        review.inputs[at]?.outpoint === formatOutpoint(input) &&
        review.inputs[at]?.sats === String(input.amount),
    ) &&
    review.outputs.length === outputs.length &&
    outputs.every(({ scriptPubKey, amount }, at) => {
      const output = review.outputs[at]
      return (
        output?.script === toHex(scriptPubKey) &&
        output.sats === String(amount) &&
        output.address === addresses[at] &&
        (!output.own || isOwn(scriptPubKey))
      )
    })
  )
}

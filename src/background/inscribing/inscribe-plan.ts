import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { InsufficientFundsError } from '../../bitcoin/payments/coin-selection.ts'
import { DustError } from '../../bitcoin/payments/payment.ts'
import type { Utxo } from '../../bitcoin/utxo.ts'
import { buildInscribing, InscribingLimitError } from '../../ordinals/inscriptions/inscribing.ts'
import { listTransactions } from '../../ordinals/inscriptions/inscribing-signature.ts'
import { failure, invalidParams } from '../../provider/errors.ts'
import { type PaymentContext, payerOf } from '../accounts/payment-context.ts'
import { locateAssets, type MovableCoin } from '../coins/asset-coins.ts'
import { buildOrThrowInsufficient, coinsHeld } from '../coins/coin-shortage.ts'
import { type Coins, ofFixedAddresses } from '../coins/coins.ts'
import type { ContentParts } from '../collectibles/inscription-content.ts'
import type { Signer } from '../keys/signer.ts'
import {
  buildWithCheckedInputs,
  loadCoinsAndFeeRate,
  type PlanningParts,
} from '../payments/payment-plan.ts'
import { findOwnAddresses } from '../payments/payment-signing.ts'
import { withoutAssets } from '../payments/transfer-plan.ts'
import type { DeliveryTerms } from '../views/delivery-views.ts'
import type { InscribeReview } from '../views/inscribe-views.ts'
import { reviewDelivery } from './delivery-review.ts'
import type { InscribeContent, ItemValidation } from './inscribe-items.ts'
import { describeItem, loadPreview, reviewInscribing } from './inscribe-review.ts'
import { assertDeviceCan, loadBaseKey } from './inscribing-on-device.ts'
import { encodeInscribing, type StoredInscribing } from './stored-inscribing.ts'

/** The parts of the wallet that an inscribing is worked out with. */
export type InscribePlanningParts = PlanningParts &
  ContentParts & { signer: Pick<Signer, 'deriveBasePublicKey'> }

/** What is to be inscribed, as a site or our own pages ask for it. */
export type InscribeOrder = {
  /** 1 to 24. */
  items: readonly InscribeContent[]
  /** Sats of each inscription's output. */
  postage: bigint
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  seed: string
  /** Whom the only item, a transfer inscription, is sent on to; null where the inscriptions stay. */
  delivery: (DeliveryTerms & { scriptPubKey: Uint8Array }) | null
}

/** A commit and its reveals as they are shown; exactly these are signed. */
export type InscribePlan = {
  inscribing: StoredInscribing
  review: InscribeReview
  /** Inputs of the commit, and the parent's coin. */
  spends: string[]
  /** When it was worked out. */
  at: number
}

/**
 * Works out a commit and its reveals; nothing is signed. Throws -32602 that names the field, TOO_LARGE, INSUFFICIENT_FUNDS,
 * COINS_HELD, PROTECTED_ASSET, ABSURD_FEE, DEVICE_CANNOT, BackendUnavailableError.
 */
export async function planInscribing(
  context: PaymentContext<InscribePlanningParts>,
  { items, postage, feeRate: asked, seed, delivery }: InscribeOrder,
  { parent, effects }: ItemValidation,
): Promise<InscribePlan> {
  const { wallet, account, network } = context
  const at = wallet.now()
  const baseKey = await loadBaseKey(context)
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, asked)
    if (parent === null)
      return { ...terms, parentCoin: null, paying: withoutAssets(terms.coins, []) }
    // Its reveal is signed with the key of the first address.
    const own = ofFixedAddresses(terms.coins, account, network)
    const homes = await locateAssets(context, own, [parent], 'parent')
    const [coin] = homes
    if (!coin) throw new Error(`No coin of ${parent}`)
    assertInBlock(terms.coins, coin)
    return { ...terms, parentCoin: { id: parent, coin }, paying: withoutAssets(terms.coins, homes) }
  }
  const { subject, payment } = await buildWithCheckedInputs(context, load, subject => {
    const { paying, feeRate, parentCoin, own } = subject
    const terms = {
      items: items.map(({ content }) => content),
      ...{ postage, parent: parentCoin, feeRate, seed },
      deliverTo: delivery?.scriptPubKey ?? null,
      required: paying.withRequired([]),
      own,
      baseKey,
    }
    return buildOrThrowInsufficient(paying, utxos => {
      const inscribing = preferConfirmed(utxos, chosen =>
        explainLimits(() => buildInscribing({ ...terms, utxos: chosen })),
      )
      return { inscribing, inputs: inscribing.commit.inputs }
    })
  })
  const { inscribing, inputs } = payment
  assertDeviceCan(context, listTransactions(inscribing, payerOf(account)))
  const views = await Promise.all(
    inscribing.reveals.map(async (reveal, index) => {
      const content = items[index]?.content ?? {}
      const preview = await loadPreview(wallet, network, content)
      if (content.contentEncoding !== undefined && preview.kind === 'brc-20') {
        const expected = 'null: indexers do not read BRC-20 that is compressed'
        throw invalidParams(`items[${index}].encoding`, content.contentEncoding, expected)
      }
      return describeItem(content, preview, reveal, effects[index] ?? null)
    }),
  )
  return {
    inscribing: encodeInscribing(inscribing),
    review: reviewInscribing(context, inscribing, {
      ...subject,
      fees: await subject.feesAsked,
      own: await findOwnAddresses(context, inscribing.commit),
      items: views,
      etching: null,
      delivered: await reviewDelivery(context, inscribing.delivery, delivery),
    }),
    spends: [...inputs, ...(subject.parentCoin ? [subject.parentCoin.coin] : [])].map(
      formatOutpoint,
    ),
    at,
  }
}

/**
 * Throws COINS_HELD: each reveal hangs on the one before, and nodes take no more than 25 transactions in a row that are in
 * no block. What such a coin comes from may be replaced, too.
 */
function assertInBlock({ all }: Coins, { outpoint }: MovableCoin): void {
  const waiting = all.filter(coin => coin.outpoint === outpoint && coin.height === null)
  if (waiting.length > 0) throw coinsHeld(waiting.map(coin => ({ ...coin, held: 'unconfirmed' })))
}

/** Nodes count what is unconfirmed before a commit together with its reveals: spent only where nothing else suffices. */
export function preferConfirmed<T>(
  utxos: readonly Utxo[],
  build: (chosen: readonly Utxo[]) => T,
): T {
  try {
    return build(utxos.filter(({ height }) => height !== null))
  } catch (error) {
    if (!(error instanceof InsufficientFundsError)) throw error
    return build(utxos)
  }
}

/** Throws -32602 for a postage that is dust, and TOO_LARGE. */
export function explainLimits<T>(build: () => T): T {
  try {
    return build()
  } catch (cause) {
    if (cause instanceof DustError) {
      const expected = `at least ${cause.limit} sats to this kind of address`
      throw Object.assign(invalidParams('postage', Number(cause.amount), expected), { cause })
    }
    if (!(cause instanceof InscribingLimitError)) throw cause
    const { limit, got, allowed } = cause
    throw failure('TOO_LARGE', cause.message, { cause, data: { limit, got, allowed } })
  }
}

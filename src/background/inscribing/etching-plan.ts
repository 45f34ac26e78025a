import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { fetchCountedHeight } from '../../chain/confirmation-limit.ts'
import { buildEtching } from '../../ordinals/inscriptions/inscribing.ts'
import { COMMIT_CONFIRMATIONS, type NewEtching } from '../../ordinals/runes/etching.ts'
import { formatRuneName } from '../../ordinals/runes/rune-name.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { buildWithCheckedInputs, loadCoinsAndFeeRate } from '../payments/payment-plan.ts'
import { findOwnAddresses } from '../payments/payment-signing.ts'
import { withoutAssets } from '../payments/transfer-plan.ts'
import { NO_DELIVERY } from './delivery-review.ts'
import { assertEtchable, viewEtching } from './etching-draft.ts'
import { fetchNameOwner, findEtchingOf, nameTaken } from './etching-name.ts'
import type { InscribeContent } from './inscribe-items.ts'
import {
  explainLimits,
  type InscribePlan,
  type InscribePlanningParts,
  preferConfirmed,
} from './inscribe-plan.ts'
import { describeItem, loadPreview, reviewInscribing } from './inscribe-review.ts'
import { loadBaseKey } from './inscribing-on-device.ts'
import type { Jobs } from './jobs.ts'
import { encodeInscribing } from './stored-inscribing.ts'

/** The parts of the wallet that an etching is worked out with. */
export type EtchingPlanningParts = InscribePlanningParts & { jobs: Pick<Jobs, 'list'> }

/** A rune, and what is inscribed with it. */
export type EtchingOrder = {
  etching: NewEtching
  content: InscribeContent['content'] | null
  /** Sats of each own output. */
  postage: bigint
  /** sat/vB; null for the server's word on half an hour. */
  feeRate: number | null
  seed: string
}

/**
 * Works out the commit and the reveal of an etching; nothing is signed. The index is asked whether the name is free: nobody
 * can see from a commit which name it is for, so that others can take it until the reveal is in a block. Throws NAME_TAKEN,
 * and like an inscribing's plan.
 */
export async function planEtching(
  context: PaymentContext<EtchingPlanningParts>,
  { etching, content, postage, feeRate: asked, seed }: EtchingOrder,
): Promise<InscribePlan> {
  const { wallet, network } = context
  const at = wallet.now()
  const name = formatRuneName(etching.name)
  const height = await fetchCountedHeight(await wallet.chain(network))
  // The commit's block is the next one at the earliest, and the first of its confirmations.
  assertEtchable(etching, network, height + COMMIT_CONFIRMATIONS)
  if (findEtchingOf(await wallet.jobs.list(), network, name)) throw nameTaken(name, null)
  // An index that keeps no runes would know of no name: this throws for one.
  await (await wallet.assets(network)).fetchTip()
  const owner = await fetchNameOwner(wallet, network, name)
  if (owner !== null) throw nameTaken(name, owner)
  const baseKey = await loadBaseKey(context)
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    () => loadCoinsAndFeeRate(context, asked),
    ({ coins, feeRate, own }) => {
      const paying = withoutAssets(coins, [])
      return buildOrThrowInsufficient(paying, utxos => {
        const inscribing = preferConfirmed(utxos, chosen =>
          explainLimits(() =>
            buildEtching({
              ...{ etching, content, postage, feeRate, seed },
              utxos: chosen,
              required: paying.withRequired([]),
              own,
              baseKey,
            }),
          ),
        )
        return { inscribing, inputs: inscribing.commit.inputs }
      })
    },
  )
  const { inscribing, inputs } = payment
  const items = content
    ? await Promise.all(
        inscribing.reveals.map(async reveal =>
          describeItem(content, await loadPreview(wallet, network, content), reveal, null),
        ),
      )
    : []
  const shown = viewEtching(etching, content !== null)
  return {
    inscribing: encodeInscribing(inscribing),
    review: reviewInscribing(context, inscribing, {
      ...subject,
      fees: await subject.feesAsked,
      own: await findOwnAddresses(context, inscribing.commit),
      items,
      etching: shown,
      delivered: NO_DELIVERY,
    }),
    spends: inputs.map(formatOutpoint),
    at,
  }
}

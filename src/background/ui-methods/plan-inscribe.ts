import { parseFeeRateParam, parseIndex } from '../../provider/params.ts'
import { payFromSelected } from '../accounts/payment-context.ts'
import { parseLabel } from '../activity/labels.ts'
import { validateItems } from '../brc20/inscribe-validation.ts'
import { parseDraftItems, parseMetadata } from '../inscribing/inscribe-items.ts'
import { planInscribing } from '../inscribing/inscribe-plan.ts'
import { keepInscribePlan } from '../inscribing/inscribe-plans.ts'
import { digestOf } from '../primitives/digest.ts'
import { parseInscriptionIdParam } from './read-inscription-id.ts'
import type { UiMethod } from './ui-context.ts'

/** More than this on an inscription is a mistake. */
const MAX_POSTAGE = 10_000

export const planInscribe: UiMethod<'planInscribe'> = async ({ wallet, random }, draft) => {
  const label = parseLabel(draft.label)
  const parent = draft.parent === null ? null : parseInscriptionIdParam(draft.parent)
  const metadata = parseMetadata(draft.metadata)
  const order = {
    items: parseDraftItems(draft.items).map(({ content, operation }) => ({
      content: metadata === null ? content : { ...content, metadata },
      operation,
    })),
    postage: BigInt(parseIndex('postage', draft.postage, MAX_POSTAGE)),
    feeRate: parseFeeRateParam('feeRate', draft.feeRate),
    // The same draft takes the same coins, whatever its fee rate.
    seed: digestOf(draft.items),
  }
  const context = await payFromSelected(wallet)
  const judged = await validateItems(context, order.items, parent)
  return keepInscribePlan(context, random, await planInscribing(context, order, judged), label)
}

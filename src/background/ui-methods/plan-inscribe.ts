import { readFeeRate, readIndex } from '../../provider/params.ts'
import { digestOf } from '../digest.ts'
import { readDraftItems, readMetadata } from '../inscribe-items.ts'
import { judgeItems } from '../inscribe-judgement.ts'
import { planInscribing } from '../inscribe-plan.ts'
import { keepInscribePlan } from '../inscribe-plans.ts'
import { readLabel } from '../labels.ts'
import { payFromSelected } from '../payment-context.ts'
import { readInscriptionId } from './read-inscription-id.ts'
import type { UiMethod } from './ui-context.ts'

/** More than this on an inscription is a mistake. */
const MAX_POSTAGE = 10_000

export const planInscribe: UiMethod<'planInscribe'> = async ({ wallet, random }, draft) => {
  const label = readLabel(draft.label)
  const parent = draft.parent === null ? null : readInscriptionId(draft.parent)
  const metadata = readMetadata(draft.metadata)
  const order = {
    items: readDraftItems(draft.items).map(({ content, operation }) => ({
      content: metadata === null ? content : { ...content, metadata },
      operation,
    })),
    postage: BigInt(readIndex('postage', draft.postage, MAX_POSTAGE)),
    feeRate: readFeeRate('feeRate', draft.feeRate),
    // The same draft takes the same coins, whatever its fee rate.
    seed: digestOf(draft.items),
  }
  const context = await payFromSelected(wallet)
  const judged = await judgeItems(context, order.items, parent)
  return keepInscribePlan(context, random, await planInscribing(context, order, judged), label)
}

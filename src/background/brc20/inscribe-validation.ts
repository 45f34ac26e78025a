import { countTickerBytes, foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { invalidParams } from '../../provider/errors.ts'
import type { InscribeContent, ItemValidation } from '../inscribing/inscribe-items.ts'
import { findDeployParent, judgeBrc20 } from './brc20.ts'
import type { Brc20Context } from './brc20-parts.ts'

/**
 * Asks what items do by the ledger's word. A mint of a self-mint token takes the deploy inscription as its parent, where the
 * account holds it. Throws -32602 where that leaves no one parent for all.
 */
export async function judgeItems(
  context: Brc20Context,
  items: readonly InscribeContent[],
  named: InscriptionId | null,
): Promise<ItemValidation> {
  const operations = items.flatMap(({ operation }) => operation ?? [])
  const judged = await judgeBrc20(context, operations)
  const effects = items.map(({ operation }) => (operation ? (judged.shift() ?? null) : null))
  return { effects, parent: await chooseParent(context, items, named) }
}

async function chooseParent(
  context: Brc20Context,
  items: readonly InscribeContent[],
  named: InscriptionId | null,
): Promise<InscriptionId | null> {
  const ticks = items.flatMap(({ operation }) =>
    operation?.op === 'mint' && countTickerBytes(operation.tick) === 5 ? operation.tick : [],
  )
  const [tick, ...others] = ticks
  if (tick === undefined) return named
  const other = others.find(one => foldTicker(one) !== foldTicker(tick))
  if (other !== undefined)
    throw invalidParams('tick', other, `"${tick}" alone: a batch has one parent`)
  const deploy = await findDeployParent(context, tick)
  if (named !== null && deploy !== null && named !== deploy)
    throw invalidParams('parent', named, `${deploy}, without which no ${tick} is minted`)
  return deploy ?? named
}

import { toHex } from '../../bitcoin/bytes.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { BURN_SCRIPT, buildBurn, NotAloneError } from '../../ordinals/transfers/burn.ts'
import { failure, type ProviderError } from '../../provider/errors.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import { locateAssets, renewCoins } from '../coins/asset-coins.ts'
import { buildOrThrowInsufficient } from '../coins/coin-shortage.ts'
import { ofAsker } from '../coins/coins.ts'
import {
  buildWithCheckedInputs,
  describePlan,
  loadCoinsAndFeeRate,
  type Plan,
  type PlanningParts,
} from './payment-plan.ts'
import { planOutdated } from './plan-checks.ts'
import { type ProvenHome, withoutAssets } from './transfer-plan.ts'

export type BurnOrder = {
  id: InscriptionId
  /** sat/vB. */
  feeRate: number
}

/**
 * Works out a transaction that burns an inscription, and takes its fee from clean coins; nothing is signed. Throws -32602 that names the
 * field, PROTECTED_ASSET where anything else is on the coin, COINS_HELD, INSUFFICIENT_FUNDS, PLAN_OUTDATED, BackendUnavailableError.
 */
export async function planBurn(
  context: PaymentContext<PlanningParts>,
  { id, feeRate: asked }: BurnOrder,
  proven: readonly ProvenHome[],
): Promise<Plan> {
  const at = context.wallet.now()
  const load = async () => {
    const terms = await loadCoinsAndFeeRate(context, asked)
    const moved = await locateAssets(context, ofAsker(terms.coins, context), [id], 'id')
    const [coin] = moved
    if (!coin) throw new Error(`No coin of ${id}`)
    if (coin.rareSats?.length)
      throw notAlone(id, 'holds rare sats, which would be lost or change hands')
    return { ...terms, coins: renewCoins(terms.coins, moved), coin }
  }
  const { subject, payment } = await buildWithCheckedInputs(
    context,
    load,
    ({ coins, feeRate, own, coin }) => {
      const paying = withoutAssets(coins, [coin])
      return buildOrThrowInsufficient(paying, utxos => {
        try {
          const required = paying.withRequired([])
          return buildBurn({ id, coin, utxos, required, own, feeRate, seed: id })
        } catch (cause) {
          if (!(cause instanceof NotAloneError)) throw cause
          const refusal = notAlone(id, 'holds something else too: move it out first')
          throw Object.assign(refusal, { cause })
        }
      })
    },
  )
  if (proven.some(({ outpoint }) => outpoint !== subject.coin.outpoint))
    throw planOutdated('What is to be burned is on another coin by now.')
  const isVerified = proven.some(({ proof }) => proof === 'verified')
  const moving = { asked: [id], unproven: isVerified ? [] : [id] }
  const purpose = { purpose: 'burn' as const, previous: null, moving }
  const plan = await describePlan(context, payment, purpose, { ...subject, at })
  assertBurnsAlone(plan, id)
  return { ...plan, about: { kind: 'nft', inscription: id } }
}

function notAlone(id: InscriptionId, why: string): ProviderError {
  const text = `The coin of inscription ${id} ${why}. Nothing was signed.`
  return failure('PROTECTED_ASSET', text, { data: { inscription: id } })
}

/** As it is shown: that inscription is burned for certain and nothing else is on the coins; every other output is the account's. */
function assertBurnsAlone({ review }: Plan, id: InscriptionId): void {
  const { assets, outputs, asked } = review
  const [move] = assets
  const [lost, ...more] = outputs.filter(({ own }) => !own)
  const isIt = move?.asset.kind === 'inscription' && move.asset.id === id
  const isBurned = move?.to === 'burned' && move.certainty === 'certain'
  const isApart = lost?.script === toHex(BURN_SCRIPT) && more.length === 0
  if (asked !== 1 || assets.length !== 1 || !isIt || !isBurned || !isApart)
    throw failure('PROTECTED_ASSET', 'This would burn something else too. Nothing was signed.')
}

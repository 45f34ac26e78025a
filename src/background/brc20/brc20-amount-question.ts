import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { formatBrc20Amount } from '../../ordinals/brc20/brc20-amount.ts'
import type { PaymentContext } from '../accounts/payment-context.ts'
import type { Brc20AmountReview } from '../views/brc20-views.ts'
import { fetchBrc20Share } from './brc20.ts'

/** The question for the amount of a transfer, with what the account holds as far as the server tells. */
export async function composeAmountQuestion(
  context: PaymentContext,
  { tick, proposed }: { tick: string; proposed: string | null },
): Promise<Brc20AmountReview> {
  const unknown = { available: null, transferable: null, decimals: null, problem: null }
  const question = { kind: 'brc20-amount' as const, tick, proposed }
  try {
    const share = await fetchBrc20Share(context, tick)
    if (!share) return { ...question, ...unknown }
    const { token, available, transferable } = share
    return {
      ...question,
      available: formatBrc20Amount(available),
      transferable: formatBrc20Amount(transferable),
      decimals: token === null || token === 'unknown' ? null : token.decimals,
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return { ...question, ...unknown, problem: error.problem }
  }
}

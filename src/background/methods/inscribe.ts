import type { MintResult } from '../../provider/inscribe-params.ts'
import { composeAmountQuestion } from '../brc20/brc20.ts'
import { encodeOperation } from '../inscribing/inscribe-items.ts'
import { assertConnected, type Method } from '../requests/method.ts'
import { finishInscribing, inscribeForSite, type SiteInscribingParts } from './site-inscribing.ts'

/** Inscribes a BRC-20 transfer of an amount that the person says; resolves the txid of the reveal. */
export const inscribe: Method<'inscribe', SiteInscribingParts> = {
  access: 'connected',
  // Any amount shows whether the ticker can be one.
  answer: async (_, { tick }) => void encodeOperation('tick', transferOf(tick, '1')),
  ask: async (context, { from, tick, proposed, feeRate }) => {
    assertConnected(context, from)
    const question = await context.once('question', () =>
      composeAmountQuestion(context, { tick, proposed }),
    )
    const amt = await context.once('amount', () => context.approve(question))
    if (amt === null) throw new Error('Approved without an amount')
    const items = [encodeOperation('amt', transferOf(tick, amt))]
    return revealOf(await inscribeForSite(context, { items, feeRate }))
  },
  finish: (wallet, journal) => finishInscribing(wallet, journal)?.then(revealOf) ?? null,
}

function transferOf(tick: string, amt: string) {
  return { op: 'transfer' as const, tick, amt }
}

function revealOf({ revealTxs: [txid] }: MintResult): string {
  if (txid === undefined) throw new Error('An inscribing without a reveal')
  return txid
}

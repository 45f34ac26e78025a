import type { EtchRuneParams, EtchRuneResult } from '../../provider/etch-rune-params.ts'
import type { MintResult } from '../../provider/inscribe-params.ts'
import { parseEtchingDraft } from '../inscribing/etching-draft.ts'
import { type EtchingOrder, planEtching } from '../inscribing/etching-plan.ts'
import { parseDraftItems } from '../inscribing/inscribe-items.ts'
import type { Method } from '../requests/method.ts'
import {
  carryOutForSite,
  finishInscribing,
  POSTAGE,
  type SiteInscribingParts,
} from './site-inscribing.ts'

/** Etches a rune, with an inscription where asked. The commit is sent, and the reveal by itself once it has six confirmations. */
export const etchRune: Method<'etchRune', SiteInscribingParts> = {
  access: 'connected',
  // What no index would take is told before anybody is asked.
  answer: async (_, params) => void parseEtchingOrder(params),
  ask: async (context, params) => {
    const { wallet, key } = context
    const order: EtchingOrder = { ...parseEtchingOrder(params), postage: POSTAGE, seed: key }
    // One plan at a time: the next one sees the coins of this one as reserved.
    const plan = await wallet.planInTurn(() =>
      context.once('plan', () => planEtching(context, order)),
    )
    return describe(await carryOutForSite(context, plan))
  },
  finish: (wallet, journal) => finishInscribing(wallet, journal)?.then(describe) ?? null,
}

/** The rune and what is inscribed with it. Throws -32602 that names the field. */
export function parseEtchingOrder({ inscription, feeRate, ...rune }: EtchRuneParams) {
  const etching = parseEtchingDraft({ ...rune, postage: 0, feeRate: 0, label: '' })
  if (inscription === null) return { etching, content: null, feeRate }
  const { contentType, base64 } = inscription
  const hex = Buffer.from(base64, 'base64').toString('hex')
  const [item] = parseDraftItems([{ kind: 'file', contentType, encoding: null, hex }], null)
  return { etching, content: item?.content ?? null, feeRate }
}

function describe({ commitTx, revealTxs, commitAddrs }: MintResult): EtchRuneResult {
  return { commitTx, revealTx: revealTxs[0] ?? '', commitAddr: commitAddrs[0] ?? '' }
}

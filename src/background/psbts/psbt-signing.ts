import { toHex } from '../../bitcoin/bytes.ts'
import { finalizePsbt } from '../../bitcoin/psbt/finalize.ts'
import { encodePsbt, unsignedTransaction } from '../../bitcoin/psbt/psbt.ts'
import { failure } from '../../provider/errors.ts'
import { assertNothingNew } from '../coins/spent-assets.ts'
import type { Signer } from '../keys/signer.ts'
import type { RequestContext } from '../requests/method.ts'
import {
  listOwnMoves,
  type ShownTransaction,
  type ShownTransactions,
} from '../sending/shown-transactions.ts'
import type { PsbtView } from '../views/psbt-views.ts'
import { listOpenSignatures } from './open-signatures.ts'
import { assertAsShown, assertOnlySigned } from './psbt-comparison.ts'
import {
  createReviewer,
  decodePrevouts,
  type PsbtOrder,
  type PsbtParts,
  parseTasks,
  planPsbts,
  preparePsbts,
} from './psbt-request.ts'

/** The parts of the wallet that sign PSBTs for a site. */
export type PsbtSigningParts = PsbtParts & {
  signer: Pick<Signer, 'signPsbts'>
  shownTransactions: Pick<ShownTransactions, 'add'>
}

/**
 * Signs PSBTs for a site with the person's approval, all or none, and resolves them in hex. What is signed follows from the
 * stored parameters and from what had been found out when the person was asked; only what sits on own coins is looked up
 * again. Throws PLAN_OUTDATED when something turns up there, and when signatures that were given meanwhile make the worst
 * case another one.
 */
export async function signPsbtsForSite(
  context: RequestContext<PsbtSigningParts>,
  orders: readonly PsbtOrder[],
): Promise<string[]> {
  const { wallet, account, network } = context
  const tasks = parseTasks(account, orders)
  const prepared = await context.once('review', () => preparePsbts(context, tasks))
  const { review } = prepared
  await context.approve(review)
  await assertNothingNew(context, prepared.own)
  const prevouts = prepared.prevouts.map(decodePrevouts)
  const plans = await planPsbts(context, tasks, prevouts)
  const shown = review.kind === 'sign-psbt' ? review.items : []
  const items = tasks.map(({ psbt, autoFinalized }, at) => {
    const plan = plans[at] ?? []
    const view = shown[at] ?? null
    if (view) assertAsShown(psbt, plan, view)
    return { psbt, autoFinalized, plan, prevouts: prevouts[at] ?? [], view }
  })
  const given = shown.flatMap(listOpenSignatures)
  if (given.length > 0) {
    const review = await createReviewer(context, tasks, prevouts, plans)
    const stands = await wallet.openSignatures.add(network, account.id, given, before =>
      review(before).every(({ worst }, at) => worst >= BigInt(shown[at]?.worst ?? worst)),
    )
    if (!stands) throw outdated()
  }
  const signed = await wallet.signer.signPsbts({ accountId: account.id, network, items })
  const results = items.map(({ psbt, plan, prevouts, autoFinalized, view }, at) => {
    const result = signed[at]
    if (!result) throw new Error('psbt: the signer left one out')
    assertOnlySigned(psbt, result, plan)
    const ours = view ? listSigned(view) : plan.map(({ index }) => index)
    return toHex(encodePsbt(autoFinalized ? finalizePsbt(result, prevouts, ours) : result))
  })
  await wallet.shownTransactions.add(
    items.flatMap(({ psbt, view }): ShownTransaction[] =>
      view && isBound(view)
        ? [
            {
              unsignedTxid: unsignedTransaction(psbt).getId(),
              network,
              accountId: account.id,
              fee: view.fee?.sats ?? null,
              moves: listOwnMoves(view.assets),
            },
          ]
        : [],
    ),
  )
  return results
}

function outdated() {
  return failure(
    'PLAN_OUTDATED',
    'Another signature that was given meanwhile makes this one worse than it was shown. Nothing was signed; ask again.',
  )
}

/** Inputs with a signature of ours, given now or before. */
function listSigned({ inputs }: PsbtView): number[] {
  return inputs.flatMap(({ sighash, state }, index) =>
    sighash !== null && state !== 'final' ? index : [],
  )
}

/** Whether none of our signatures leaves anything to others. */
function isBound({ inputs }: PsbtView): boolean {
  return inputs.every(({ sighash }) => sighash === null || sighash === 'all')
}

import type { Psbt } from '../bitcoin/psbt.ts'
import type { PsbtReview, ReviewInput } from '../bitcoin/psbt-review.ts'
import { foreseeTransaction } from '../bitcoin/psbt-txid.ts'
import type { CoinAssets } from '../ordinals/asset.ts'
import { type AssetMove, traceAssets } from '../ordinals/asset-flow.ts'
import { type TracedTransaction, traceBatch } from '../ordinals/batch-flow.ts'
import { findCreatedAssets } from '../ordinals/created-assets.ts'
import { foreseeOperation } from '../ordinals/psbt-operation.ts'
import { assertKept, describeMoves, type InscriptionNumbers } from './payment-assets.ts'
import type { PaymentContext } from './payment-context.ts'
import { loadSpentAssets, type OwnCoin, type SpentCoin } from './spent-assets.ts'
import type { AssetMoveView } from './ui-methods/asset-views.ts'
import type { ReviewedInput, ReviewedOutput } from './ui-methods/payment-views.ts'

/** What an item of a batch spends, and where that goes for all that is proven. */
export type PsbtAssets = TracedTransaction & { numbers: InscriptionNumbers }

type ReviewedPsbt = { field: string; psbt: Psbt; review: PsbtReview }

/**
 * Follows what sits on the inputs of PSBTs, through those that spend each other. Throws PROTECTED_ASSET when a signature of
 * ours would lose something of ours, as drawn or for certain, unless `mayBurn`.
 */
export async function tracePsbts(
  context: PaymentContext,
  items: readonly ReviewedPsbt[],
  mayBurn: boolean,
): Promise<{ items: PsbtAssets[]; own: OwnCoin[] }> {
  const transactions = items.map(({ psbt, review }) => {
    const { inputs, outputs } = review
    const { txid, raw } = foreseeTransaction(psbt)
    const operation = foreseeOperation(
      psbt,
      inputs.map(({ scriptPubKey, owner }) => ({ scriptPubKey, own: owner === 'own' })),
    )
    return { txid, inputs, outputs, creates: findCreatedAssets(raw), operation }
  })
  const made = new Set(
    transactions.flatMap(({ txid, outputs }) => outputs.map((_, vout) => `${txid}:${vout}`)),
  )
  const spent = new Map(
    transactions.flatMap(({ inputs }) =>
      inputs.flatMap(input => toSpentCoin(input, made)).map(coin => [coin.outpoint, coin] as const),
    ),
  )
  const { held, numbers, own } = await loadSpentAssets(context, [...spent.values()])
  const assetsOf = (outpoint: string): CoinAssets =>
    held.get(outpoint) ?? { known: false, why: 'unanswered' }

  const drawn = traceBatch(transactions, assetsOf)
  // An amount that is only claimed may be another one, and everything behind it somewhere else.
  const proven = traceBatch(
    transactions.map(({ inputs, ...transaction }) => ({
      ...transaction,
      inputs: inputs.map(({ outpoint, amount, proof }) => ({
        outpoint,
        amount: proof === 'claimed' ? null : amount,
      })),
    })),
    assetsOf,
  )
  if (!mayBurn) {
    for (const [at, { field, review }] of items.entries()) {
      const traced = drawn[at]
      if (traced) assertKept(field, review.outputs, listAtStake(review, traced))
    }
  }
  return { items: proven.map(traced => ({ ...traced, numbers })), own }
}

/** How it is shown: under signatures that leave inputs or outputs to others, only what those cannot change is certain. */
export function viewAssets(
  { inputs }: PsbtReview,
  { moves, numbers }: PsbtAssets,
  views: { inputs: readonly ReviewedInput[]; outputs: readonly ReviewedOutput[] },
): AssetMoveView[] {
  const isFixed = inputs.some(({ fixes }) => fixes === 'all')
  return describeMoves(moves, { ...views, numbers }).map(view => {
    const { owner, fixes } = inputs[view.input] ?? { owner: 'unknown', fixes: null }
    // Without a signature of ours nothing of ours moves.
    const isCertain = fixes === null ? isFixed || owner === 'own' : fixes === 'all'
    return isCertain ? view : { ...view, to: 'anywhere' }
  })
}

/** What sits on own inputs with a signature of ours, as drawn, and as ALL|ANYONECANPAY leaves it when the coin comes first. */
function listAtStake({ inputs, outputs }: PsbtReview, { moves, contents }: TracedTransaction) {
  const isSigned = ({ input }: AssetMove) =>
    inputs[input]?.owner === 'own' && inputs[input].fixes !== null
  const alone = inputs.flatMap(({ owner, fixes, amount }, input) => {
    const assets = contents[input]?.assets ?? []
    if (owner !== 'own' || fixes !== 'outputs' || assets.length === 0) return []
    const traced = traceAssets({ inputs: [{ amount, assets: { known: true, assets } }], outputs })
    // Coins that others put before it push it further towards the fee, and add to its runes.
    return traced.moves
      .filter(
        ({ asset, to }) =>
          to.kind === 'fee' || (asset.kind !== 'inscription' && to.kind === 'burned'),
      )
      .map(move => ({ ...move, input }))
  })
  return {
    moves: [...moves.filter(isSigned), ...alone],
    amounts: inputs.map(({ amount }) => amount),
  }
}

function toSpentCoin(input: ReviewInput, made: ReadonlySet<string>): SpentCoin[] {
  const { outpoint, amount, scriptPubKey, owner, accountId, placeholder } = input
  if (amount === null || scriptPubKey === null || placeholder || made.has(outpoint)) return []
  return [{ outpoint, amount, scriptPubKey, accountId: owner === 'own' ? accountId : null }]
}

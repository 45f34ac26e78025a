import { formatOutpoint } from '../../bitcoin/outpoint.ts'
import { type Certainty, weakest } from '../../bitcoin/psbt/binding.ts'
import type { Psbt } from '../../bitcoin/psbt/psbt.ts'
import type { OpenSignature, PsbtReview, ReviewInput } from '../../bitcoin/psbt/review.ts'
import { foreseeTransaction } from '../../bitcoin/psbt/txid.ts'
import { UNANSWERED } from '../../chain/open/asset-answers.ts'
import type { CoinAssets } from '../../ordinals/asset.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { type AssetMove, traceAssets } from '../../ordinals/flow/asset-flow.ts'
import { type TracedTransaction, traceBatch } from '../../ordinals/flow/batch-flow.ts'
import { findCreatedAssets } from '../../ordinals/flow/created-assets.ts'
import { foreseeOperation, proposedOperation } from '../../ordinals/flow/psbt-operation.ts'
import type { AccountContext } from '../accounts/payment-context.ts'
import type { InscriptionNumbers } from '../coins/coin-assets.ts'
import {
  loadSpentAssets,
  type OwnCoin,
  type SpentAssetParts,
  type SpentCoin,
} from '../coins/spent-assets.ts'
import { assertKept, type ClaimedMove, describeMoves } from '../review/asset-moves.ts'
import type { AssetMoveView } from '../views/asset-views.ts'
import type { ReviewedInput, ReviewedOutput } from '../views/payment-views.ts'

/** What an item of a batch spends, and where that goes for all that is certain of its inputs; `proposed` as its PSBT has it. */
export type PsbtAssets = TracedTransaction & {
  proposed: readonly AssetMove[]
  numbers: InscriptionNumbers
  /** Outpoints that an open signature of ours spends in another item, or spent in an earlier request. */
  openElsewhere: ReadonlySet<string>
  /** Outpoints of own coins that are in no block; not of those that another item makes. */
  unconfirmed: ReadonlySet<string>
  /** The items of the batch whose outputs it spends, and those that they spend. */
  ancestors: readonly number[]
}

type ReviewedPsbt = { field: string; psbt: Psbt; review: PsbtReview }

/**
 * Follows what sits on the inputs of PSBTs, through those that spend each other. Throws PROTECTED_ASSET when a signature of
 * ours would lose something of ours, as proposed or for certain, unless `mayBurn`. `earlier` are open signatures of before.
 */
export async function tracePsbts(
  context: AccountContext<SpentAssetParts>,
  items: readonly ReviewedPsbt[],
  { mayBurn, earlier }: { mayBurn: boolean; earlier: readonly OpenSignature[] },
): Promise<{ items: PsbtAssets[]; own: OwnCoin[] }> {
  const transactions = items.map(({ psbt, review: { inputs, outputs } }) => {
    const { txid, raw } = foreseeTransaction(psbt)
    return { txid, inputs, outputs, creates: findCreatedAssets(raw) }
  })
  const makers = new Map(
    transactions.flatMap(({ txid, outputs }, at) =>
      outputs.map((_, vout) => [formatOutpoint({ txid, vout }) as string, at] as const),
    ),
  )
  const parents = transactions.map(
    ({ inputs }) => new Set(inputs.flatMap(({ outpoint }) => makers.get(outpoint) ?? [])),
  )
  const hasChild = (at: number) => parents.some(some => some.has(at))
  const spent = new Map(
    transactions.flatMap(({ inputs }) =>
      inputs
        .flatMap(input => toSpentCoin(input, makers))
        .map(coin => [coin.outpoint, coin] as const),
    ),
  )
  const { held, numbers, own, ...told } = await loadSpentAssets(context, [...spent.values()])
  const unconfirmed = new Set([...told.unconfirmed].filter(outpoint => !makers.has(outpoint)))
  const assetsOf = (outpoint: string): CoinAssets => held.get(outpoint) ?? UNANSWERED
  // A coin of ours may come from a transaction that is in the batch again: what the index says of the coin counts then.
  const evidenceOf = (outpoint: string): CoinAssets | null =>
    spent.has(outpoint) ? assetsOf(outpoint) : null

  const proposed = traceBatch(
    transactions.map((transaction, at) => ({
      ...transaction,
      operation: proposedOperation(
        items[at]?.psbt.inputs ?? [],
        input => transaction.inputs[input]?.owner === 'own',
      ),
    })),
    assetsOf,
    evidenceOf,
  )
  const certain = traceBatch(
    transactions.map(({ inputs, ...transaction }, at) => {
      // An amount that only our signature commits to is certain for this transaction, but not for a child of it.
      const isKnown = ({ proof }: ReviewInput) =>
        proof === 'proven' || (proof === 'committed' && !hasChild(at))
      return {
        ...transaction,
        inputs: inputs.map(input => ({
          outpoint: input.outpoint,
          amount: isKnown(input) ? input.amount : null,
        })),
        operation: foreseeOperation(
          inputs.map((input, index) => ({
            scriptPubKey: isKnown(input) ? input.scriptPubKey : null,
            redeemScript: readRedeemScript(items[at]?.psbt.inputs[index]),
            own: input.owner === 'own',
            onlyLeaf: input.onlyLeaf,
          })),
        ),
      }
    }),
    assetsOf,
    evidenceOf,
  )
  if (!mayBurn) {
    for (const [at, { field, review }] of items.entries()) {
      for (const traced of [proposed[at], certain[at]])
        if (traced) assertKept(field, review.outputs, listAtStake(review, traced))
    }
  }
  return {
    items: certain.map((traced, at) => ({
      ...traced,
      proposed: proposed[at]?.moves ?? [],
      numbers,
      unconfirmed,
      openElsewhere: new Set([
        ...earlier.flatMap(({ outpoints }) => outpoints),
        ...items.flatMap(({ review }, other) => (other === at ? [] : listOpen(review))),
      ]),
      ancestors: listAncestors(parents, at),
    })),
    own,
  }
}

/** How it is shown: as proposed, with how far that holds. */
export function viewAssets(
  review: PsbtReview,
  { moves, proposed, numbers, openElsewhere }: PsbtAssets,
  views: { inputs: readonly ReviewedInput[]; outputs: readonly ReviewedOutput[] },
): AssetMoveView[] {
  const claimed = moves.flatMap((move): ClaimedMove[] => {
    const { owner, fixes, outpoint } = review.inputs[move.input] ?? NOBODYS
    const isUnknown = move.to.kind === 'unknown'
    if (owner === 'own') {
      // An asset of ours moves only with a signature of ours. An open one, here or elsewhere, lets others decide where to.
      const isOpen = (fixes !== null && fixes !== 'all') || openElsewhere.has(outpoint)
      return [{ ...move, certainty: isOpen ? 'open' : isUnknown ? 'unknown' : 'certain' }]
    }
    if (!isUnknown) return [{ ...move, certainty: review.certainty }]
    // What others are to bring cannot be certain: it is shown as proposed, with the reason for the doubt.
    return proposed
      .filter(other => isSame(other, move))
      .map(other => ({ ...other, certainty: weakest(review.certainty, doubtOf(other)) }))
  })
  return describeMoves(claimed, { ...views, numbers })
}

const NOBODYS = { owner: 'unknown', fixes: null, outpoint: '' } as const

/** Inputs with a signature of ours that leaves anything to others. */
function listOpen({ inputs }: PsbtReview): string[] {
  return inputs.flatMap(({ fixes, outpoint }) =>
    fixes === null || fixes === 'all' ? [] : outpoint,
  )
}

function doubtOf({ to }: AssetMove): Certainty {
  return to.kind === 'unknown' ? 'unknown' : 'claimed'
}

function isSame(a: AssetMove, b: AssetMove): boolean {
  return (
    a.input === b.input &&
    a.asset.kind === b.asset.kind &&
    keyOfAsset(a.asset) === keyOfAsset(b.asset)
  )
}

function readRedeemScript(input: Psbt['inputs'][number] | undefined): Uint8Array | null {
  // A final input has its redeem script in the scriptSig alone, after the byte of the push.
  return input?.redeemScript ?? input?.finalScriptSig?.subarray(1) ?? null
}

function listAncestors(parents: readonly ReadonlySet<number>[], of: number): number[] {
  const found = new Set(parents[of])
  // A loop over a Set also visits what is added while it runs.
  for (const at of found) for (const parent of parents[at] ?? []) found.add(parent)
  found.delete(of)
  return [...found]
}

/** What sits on own inputs with a signature of ours, as proposed, and as ALL|ANYONECANPAY leaves it when the coin comes first. */
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

/** Of what an item of the batch makes, only own coins are asked about. */
function toSpentCoin(input: ReviewInput, makers: ReadonlyMap<string, number>): SpentCoin[] {
  const { outpoint, amount, scriptPubKey, owner, accountId, placeholder } = input
  if (amount === null || scriptPubKey === null || placeholder) return []
  if (owner !== 'own' && makers.has(outpoint)) return []
  return [{ outpoint, amount, scriptPubKey, accountId: owner === 'own' ? accountId : null }]
}

import type { AssetMoveView } from '../../../background/ui-methods/asset-views.ts'
import type { SignPsbtReview } from '../../../background/ui-methods/psbt-views.ts'

/** What a review claims, as the test needs it. */
export type ReadItem = {
  txid: string | null
  net: { sats: bigint; isCertain: boolean }
  fee: { sats: bigint; isCertain: boolean } | null
  inputs: readonly { at: string; proof: string | null; sats: bigint | null }[]
  moves: readonly ReadMove[]
  /** Inputs of which the review says that nobody told what sits on them. */
  unchecked: ReadonlySet<number>
}

export type ReadMove = {
  key: string
  amount: bigint
  input: number
  own: boolean
  to: 'own' | 'foreign' | 'fee' | 'burned' | 'untold'
  certainty: string
  output: number | null
}

export type ReadReview = { items: readonly ReadItem[]; worst: bigint; warnings: readonly string[] }

/** Before claims had their certainty beside them. */
type Earlier = {
  net: string
  fee: { sats: string; certainty: string } | null
  to: string
}

export function readReview(review: SignPsbtReview): ReadReview {
  return {
    items: review.items.map((item): ReadItem => {
      const fee = item.fee && {
        sats: BigInt(item.fee.sats),
        isCertain: /^(certain|fixed)$/.test(item.fee.certainty),
      }
      const net = item.net as unknown as Earlier['net'] | { sats: string; certainty: string }
      return {
        txid: item.txid,
        net:
          typeof net === 'string'
            ? { sats: BigInt(net), isCertain: fee?.isCertain ?? false }
            : { sats: BigInt(net.sats), isCertain: net.certainty === 'certain' },
        fee,
        inputs: item.inputs.map(({ outpoint, proof, sats }) => ({
          ...{ at: outpoint, proof, sats: sats === null ? null : BigInt(sats) },
        })),
        moves: item.assets.map(readMove),
        unchecked: new Set(
          item.warnings.flatMap(warning =>
            warning.kind === 'unchecked-coins' ? warning.inputs : [],
          ),
        ),
      }
    }),
    worst: BigInt(review.total.worst),
    warnings: ((review as { warnings?: { kind: string }[] }).warnings ?? []).map(
      ({ kind }) => kind,
    ),
  }
}

function readMove(view: AssetMoveView): ReadMove {
  const { asset, input, own, output } = view
  const { to, certainty } = view as unknown as { to: string; certainty?: string }
  const open = to === 'anywhere' ? 'open' : to === 'untold' ? 'unknown' : 'certain'
  return {
    key: asset.kind === 'rune' ? asset.name : asset.id,
    amount: asset.kind === 'inscription' ? 1n : BigInt(asset.amount),
    ...{ input, own, output },
    to: (to === 'anywhere' ? 'untold' : to) as ReadMove['to'],
    certainty: certainty ?? open,
  }
}

import type { AssetMoveView } from '../../../src/background/views/asset-views.ts'
import type {
  PsbtInputView,
  PsbtView,
  SignPsbtReview,
} from '../../../src/background/views/psbt-views.ts'

/** What a review claims, as the test needs it. */
export type ReadItem = {
  txid: string | null
  net: { sats: bigint; isCertain: boolean }
  fee: { sats: bigint; isCertain: boolean } | null
  inputs: readonly { at: string; proof: PsbtInputView['proof']; sats: bigint | null }[]
  moves: readonly ReadMove[]
  /** Inputs whose content the review calls unknown. */
  unchecked: ReadonlySet<number>
}

export type ReadMove = {
  key: string
  amount: bigint
  input: number
  own: boolean
  to: AssetMoveView['to']
  certainty: AssetMoveView['certainty']
  output: number | null
}

export type ReadReview = { items: readonly ReadItem[]; worst: bigint; warnings: readonly string[] }

export function readReview({ items, total, warnings }: SignPsbtReview): ReadReview {
  return {
    items: items.map(({ txid, net, fee, inputs, assets, warnings }): ReadItem => {
      const unchecked = warnings.flatMap(warning =>
        warning.kind === 'unchecked-coins' ? warning.inputs : [],
      )
      return {
        txid,
        net: readClaim(net),
        fee: fee && readClaim(fee),
        inputs: inputs.map(({ outpoint, proof, sats }) => ({
          ...{ at: outpoint, proof, sats: sats === null ? null : BigInt(sats) },
        })),
        moves: assets.map(readMove),
        unchecked: new Set(unchecked),
      }
    }),
    worst: BigInt(total.worst),
    warnings: warnings.map(({ kind }) => kind),
  }
}

function readClaim({ sats, certainty }: PsbtView['net']) {
  return { sats: BigInt(sats), isCertain: certainty === 'certain' }
}

function readMove({ asset, input, own, to, certainty, output }: AssetMoveView): ReadMove {
  return {
    key: asset.kind === 'rune' ? asset.name : asset.id,
    amount: asset.kind === 'inscription' ? 1n : BigInt(asset.amount),
    ...{ input, own, to, certainty, output },
  }
}

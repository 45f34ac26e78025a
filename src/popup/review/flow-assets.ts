import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type { Flow, FlowAsset } from '../ui/pictures/flow-layout.ts'
import { outcomeOf } from './asset-outcomes.ts'
import { tellMove } from './asset-words.tsx'

/** Which assets each input, each output and the fee of the picture carries, by index. */
export type FlowAssets = {
  inputs: (input: number) => number[]
  outputs: (output: number) => number[]
  /** For the picture as a whole. */
  rest: Required<Pick<Flow, 'assets' | 'feeCarries'>>
}

/** Turns moves of assets into what the flow picture shows; `outputs` are those of the transaction. */
export function carryAssets(
  moves: readonly AssetMoveView[],
  outputs: readonly { sats: string }[],
): FlowAssets {
  const lands = (move: AssetMoveView) => outcomeOf(move) !== 'unknown'
  const placesOf = (holds: (move: AssetMoveView) => boolean) =>
    moves.flatMap((move, index) => (holds(move) ? [index] : []))
  return {
    inputs: input => placesOf(move => move.input === input),
    outputs: output => placesOf(move => move.output === output && lands(move)),
    rest: {
      assets: moves.map(
        (move): FlowAsset => ({
          told: tellMove(move),
          lost: outcomeOf(move) === 'lost',
          share: shareOf(move, move.output === null ? undefined : outputs[move.output]?.sats),
        }),
      ),
      feeCarries: placesOf(move => move.to === 'fee' && lands(move)),
    },
  }
}

function shareOf({ offset }: AssetMoveView, sats: string | undefined): number | null {
  if (offset === null || sats === undefined || sats === '0') return null
  return Number(offset) / Number(sats)
}

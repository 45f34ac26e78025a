import type { AssetMoveView } from '../../../background/views/asset-views.ts'
import { words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import textStyles from '../../ui/styles/text.module.css'
import { listAssets } from '../../ui/text/asset-names.ts'
import { outcomeOf } from '../asset-outcomes.ts'

/** What sits on an input or lands on an output, in the list of all of them. */
export function CoinAssetsNote({ moves }: { moves: readonly AssetMoveView[] }) {
  if (moves.length === 0) return null
  return (
    <p className={classNames(textStyles.small, textStyles.breakable)}>
      <b>{words('sendCoinCarries', { what: listAssets(moves.map(({ asset }) => asset)) })}</b>
    </p>
  )
}

/** What sits on an input. */
export function movesFrom(moves: readonly AssetMoveView[], input: number): AssetMoveView[] {
  return moves.filter(move => move.input === input)
}

/** What lands on an output; assets whose destination is unknown are left out. */
export function movesTo(moves: readonly AssetMoveView[], output: number): AssetMoveView[] {
  return moves.filter(move => move.output === output && outcomeOf(move) !== 'unknown')
}

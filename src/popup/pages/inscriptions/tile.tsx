import { Check, Clock, Lock, OctagonAlert } from 'lucide-react'
import { memo } from 'react'
import type { InscriptionView } from '../../../background/ui-methods/asset-views.ts'
import { InscriptionPicture, nameContentKind } from '../../ui/inscription-picture.tsx'
import { Link } from '../../ui/row.tsx'
import { obstacleOf } from './chosen.ts'
import { nameCondition, nameNumber } from './inscription-words.ts'

type TileProps = {
  inscription: InscriptionView
  /** Null when none are being chosen. */
  chosen: boolean | null
  onToggle: (inscription: InscriptionView) => void
}

/** One inscription in the gallery: the way to it, or something to choose. */
export const Tile = memo(function Tile({ inscription, chosen, onToggle }: TileProps) {
  const { id, kind } = inscription
  const parts = (
    <>
      <InscriptionPicture id={id} size="tile" kind={kind} />
      <Badge inscription={inscription} />
      <span className="tile-name">{nameNumber(inscription)}</span>{' '}
      <span className="tile-note">{nameCondition(inscription) ?? nameContentKind(kind)}</span>
    </>
  )
  if (chosen === null)
    return (
      <Link to={`/inscriptions/${id}`} className="inscription-tile">
        {parts}
      </Link>
    )
  const isFixed = obstacleOf(inscription) !== null && !chosen
  return (
    <button
      type="button"
      className="inscription-tile"
      aria-pressed={chosen}
      disabled={isFixed}
      onClick={() => onToggle(inscription)}
    >
      {parts}
      {isFixed ? null : (
        <span className="tick-box">
          {chosen ? <Check size={16} strokeWidth={3} aria-hidden /> : null}
        </span>
      )}
    </button>
  )
})

/** A sign on the picture; the words are below it. */
function Badge({ inscription }: { inscription: InscriptionView }) {
  const obstacle = obstacleOf(inscription)
  const isDoubtful = obstacle === 'contradicted'
  const Icon = isDoubtful ? OctagonAlert : obstacle === 'locked' ? Lock : Clock
  if (obstacle === null && !inscription.pending) return null
  return (
    <span className={`badge${isDoubtful ? ' danger' : ''}`}>
      <Icon size={14} aria-hidden />
    </span>
  )
}

import { Check, Clock, Lock, OctagonAlert } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { InscriptionView } from '../../../background/views/asset-views.ts'
import { classNames } from '../../ui/class-names.ts'
import {
  InscriptionPicture,
  nameContentKind,
  VeiledPicture,
} from '../../ui/pictures/inscription-picture.tsx'
import tileStyles from '../../ui/pictures/tile.module.css'
import { Link } from '../../ui/row.tsx'
import { nameNumber } from '../../ui/text/asset-names.ts'
import { obstacleOf } from './chosen.ts'
import styles from './collectibles.module.css'
import { type Condition, nameCondition } from './inscription-words.ts'

type TileProps = {
  inscription: InscriptionView
  /** Null when none are being chosen. */
  chosen: boolean | null
  /** Whether it cannot be chosen now. */
  isFixed: boolean
  /** Whether what it shows is neither asked for nor drawn. */
  isVeiled: boolean
  onToggle: (inscription: InscriptionView) => void
}

/** One inscription in the gallery: the way to it, or something to choose. */
export const Tile = memo(function Tile({
  inscription,
  chosen,
  isFixed,
  isVeiled,
  onToggle,
}: TileProps) {
  const { id, kind } = inscription
  return (
    <TileBox
      to={`/inscriptions/${id}`}
      chosen={chosen}
      isFixed={isFixed}
      onToggle={() => onToggle(inscription)}
    >
      {isVeiled ? <VeiledPicture /> : <InscriptionPicture id={id} size="tile" kind={kind} isHeld />}
      <Badge held={inscription.held} proof={inscription.proof} pending={inscription.pending} />
      <span className={tileStyles.name}>{nameNumber(inscription)}</span>{' '}
      <span className={tileStyles.note}>{nameCondition(inscription) ?? nameContentKind(kind)}</span>
    </TileBox>
  )
})

type TileBoxProps = {
  to: string
  /** Null when none are being chosen. */
  chosen: boolean | null
  /** Whether it cannot be chosen now. */
  isFixed: boolean
  onToggle: () => void
  children: ReactNode
}

/** A tile that leads to its screen, or is something to choose. */
export function TileBox({ to, chosen, isFixed, onToggle, children }: TileBoxProps) {
  if (chosen === null)
    return (
      <Link to={to} className={tileStyles.tile}>
        {children}
      </Link>
    )
  const isOut = isFixed && !chosen
  return (
    <button
      type="button"
      className={tileStyles.tile}
      aria-pressed={chosen}
      disabled={isOut}
      onClick={onToggle}
    >
      {children}
      {isOut ? null : (
        <span className={styles.tickBox}>
          {chosen ? <Check size={16} strokeWidth={3} aria-hidden /> : null}
        </span>
      )}
    </button>
  )
}

type BadgeProps = Condition

/** A sign on the picture; the words are below it. */
export function Badge({ held, proof, pending }: BadgeProps) {
  const obstacle = obstacleOf({ held, proof })
  const isDoubtful = obstacle === 'contradicted'
  const Icon = isDoubtful ? OctagonAlert : obstacle === 'locked' ? Lock : Clock
  if (obstacle === null && !pending) return null
  return (
    <span className={classNames(styles.badge, isDoubtful && styles.danger)}>
      <Icon size={14} aria-hidden />
    </span>
  )
}

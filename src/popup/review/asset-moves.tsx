import {
  ArrowDownLeft,
  ArrowRight,
  ArrowUpRight,
  CircleCheck,
  CircleHelp,
  Flame,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { AssetMoveView, AssetView } from '../../background/views/asset-views.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { countWords, type WordKey, words } from '../platform/words.ts'
import { InscriptionPicture } from '../ui/pictures/inscription-picture.tsx'
import { isNft, nameAsset } from '../ui/text/asset-names.ts'
import './asset-moves.css'
import {
  groupMoves,
  isNotable,
  type Outcome,
  type OutcomeGroup,
  outcomeOf,
} from './asset-outcomes.ts'
import { describeSat, describeWhere } from './asset-words.tsx'
import { Fold } from './fold.tsx'

type AssetMovesProps = {
  moves: readonly AssetMoveView[]
  /** Names of addresses, where they have any. */
  names?: ReadonlyMap<string, string | null>
  /** All go to one address, which is told beside them. */
  together?: boolean
}

/** Inscriptions and runes that are lost, given or received: what a person has to know first. */
export function TellingMoves(props: AssetMovesProps) {
  return <Groups {...props} groups={groupMoves(props.moves).filter(isNotable)} />
}

/** Those that stay, or pass between others. */
export function QuietMoves(props: AssetMovesProps) {
  return <Groups {...props} groups={groupMoves(props.moves).filter(group => !isNotable(group))} />
}

const HEADS: {
  [outcome in Outcome]: { Icon: typeof Flame; tone: string; title: WordKey; note: WordKey | null }
} = {
  lost: { Icon: Flame, tone: 'danger', title: 'assetsLost', note: 'assetsLostNote' },
  unknown: { Icon: CircleHelp, tone: 'danger', title: 'assetsUnknown', note: 'assetsUnknownNote' },
  open: { Icon: CircleHelp, tone: 'caution', title: 'assetsOpen', note: 'assetsOpenNote' },
  leaves: { Icon: ArrowUpRight, tone: 'caution', title: 'assetsLeave', note: null },
  promised: {
    Icon: CircleHelp,
    tone: 'caution',
    title: 'assetsPromised',
    note: 'assetsPromisedNote',
  },
  comes: { Icon: ArrowDownLeft, tone: 'positive', title: 'assetsCome', note: null },
  stays: { Icon: CircleCheck, tone: 'plain', title: 'assetsStay', note: null },
  passes: { Icon: ArrowRight, tone: 'plain', title: 'assetsPass', note: null },
}

function Groups({ groups, names }: { groups: OutcomeGroup[]; names?: AssetMovesProps['names'] }) {
  return groups.map(({ outcome, moves }) => {
    const { Icon, tone, title, note } = HEADS[outcome]
    return (
      <section key={outcome} className={`asset-moves ${tone}`}>
        <h2>
          <Icon size={18} aria-hidden />
          {words(title)}
        </h2>
        {note === null ? null : <p className="small">{words(note)}</p>}
        <MoveList moves={moves} {...(names ? { names } : {})} />
      </section>
    )
  })
}

/** As many as are taken in at a glance; the others are a press away. */
const FEW = 4

/** One row for each: picture, name, where it goes, the exact sat. */
export function MoveList({ moves, names, together = false }: AssetMovesProps) {
  const shown = moves.length <= FEW + 1 ? moves : moves.slice(0, FEW)
  const rest = moves.slice(shown.length)
  const rows = (listed: readonly AssetMoveView[]) => (
    <ul className="asset-list">
      {listed.map((move, index) => (
        <AssetRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a move is its place
          key={index}
          asset={move.asset}
          notes={[
            nameStandard(move.asset),
            together || outcomeOf(move) === 'unknown'
              ? null
              : describeWhere(
                  move,
                  move.address === null ? null : (names?.get(move.address) ?? null),
                ),
            describeSat(move),
          ]}
        />
      ))}
    </ul>
  )
  return (
    <>
      {rows(shown)}
      {rest.length > 0 ? (
        <Fold summary={countWords('assetsMore', rest.length)}>{rows(rest)}</Fold>
      ) : null}
    </>
  )
}

/** Something that sits on a coin, in a list. */
export function AssetRow(props: { asset: AssetView; notes: readonly (ReactNode | null)[] }) {
  const { asset, notes } = props
  return (
    <li className="asset-row">
      <AssetPicture asset={asset} />
      <span className="row-text">
        <span className="row-title">{nameAsset(asset)}</span>
        {notes.map((note, index) =>
          note === null || note === '' ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: a note is its place
            <span key={index} className="row-note">
              {note}
            </span>
          ),
        )}
      </span>
    </li>
  )
}

/** Tickers are what anybody chose, such as the name of a currency: what kind of token it is tells them apart. */
export function nameStandard(asset: AssetView): string | null {
  return asset.kind === 'atomical' && asset.type === 'ft' ? words('assetArc20') : null
}

/** What has no picture has its first letter in a round box (a rune's sign is what anybody chose, and few fonts have it). */
export function AssetPicture({ asset }: { asset: AssetView }) {
  if (asset.kind === 'inscription') return <InscriptionPicture id={asset.id} size="small" />
  if (isNft(asset))
    return <InscriptionPicture id={keyOfAsset(asset)} size="small" name={asset.name} />
  return (
    <span className="rune-sign" aria-hidden>
      {(asset.name ?? '#').charAt(0).toUpperCase()}
    </span>
  )
}

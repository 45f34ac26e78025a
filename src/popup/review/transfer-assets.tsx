import { ArrowUpRight, Link2 } from 'lucide-react'
import type { AssetMoveView } from '../../background/views/asset-views.ts'
import type { PaymentReview } from '../../background/views/payment-views.ts'
import { keyOfAsset } from '../../ordinals/asset-key.ts'
import { words } from '../platform/words.ts'
import { InscriptionPicture } from '../ui/pictures/inscription-picture.tsx'
import { countAssets, nameAsset, shortenId } from '../ui/text/asset-names.ts'
import { nameSats } from '../ui/text/btc-digits.ts'
import './asset-moves.css'
import { AssetPicture, MoveList, nameStandard, QuietMoves, TellingMoves } from './asset-moves.tsx'
import { outcomeOf, splitAsked } from './asset-outcomes.ts'
import { describeSat } from './asset-words.tsx'

type TransferAssetsProps = {
  review: PaymentReview
  names: ReadonlyMap<string, string | null>
  /** What was asked for stands with its receivers. */
  apart: boolean
}

/** What a transfer moves: what was asked for, what only shares a coin with it, and what stays behind. */
export function TransferAssets({ review, names, apart }: TransferAssetsProps) {
  const { asked, also, rest } = splitTransfer(review)
  const [only] = asked
  return (
    <>
      <TellingMoves moves={rest} names={names} />
      {asked.length === 1 && only ? (
        <OneAsset move={only} review={review} />
      ) : asked.length === 0 || apart ? null : (
        <section className="asset-moves">
          <h2>
            <ArrowUpRight size={18} aria-hidden />
            {words('transferAssets', { what: countAssets(asked.map(({ asset }) => asset)) })}
          </h2>
          <MoveList moves={asked} names={names} together={names.size === 1} />
        </section>
      )}
      {also.length > 0 ? (
        <section className="asset-moves caution">
          <h2>
            <Link2 size={18} aria-hidden />
            {words('transferAlso')}
          </h2>
          <p className="small">
            {words(canPart(review.assets) ? 'transferAlsoNote' : 'inscriptionsAlongShared')}
          </p>
          <MoveList moves={also} names={names} />
        </section>
      ) : null}
      <QuietMoves moves={rest} names={names} />
    </>
  )
}

/** What was asked for, what leaves along with it, and everything else. */
export function splitTransfer(review: Pick<PaymentReview, 'assets' | 'asked'>) {
  const { asked, others } = splitAsked(review)
  const isAlong = (move: AssetMoveView) => outcomeOf(move) === 'leaves'
  return {
    asked,
    also: others.filter(isAlong),
    rest: others.filter(move => !isAlong(move)),
  }
}

/** Whether the wallet can give each a coin of its own; with Atomicals it cannot. */
function canPart(moves: readonly AssetMoveView[]): boolean {
  return !moves.some(({ asset }) => asset.kind === 'atomical')
}

function OneAssetPicture({ asset }: { asset: AssetMoveView['asset'] }) {
  if (asset.kind === 'rune') return null
  if (asset.kind === 'atomical' && asset.type === 'ft') return <AssetPicture asset={asset} />
  const name = asset.kind === 'atomical' ? asset.name : null
  return <InscriptionPicture id={keyOfAsset(asset)} size="tile" name={name} />
}

/** A single one is seen large enough to be known again. */
function OneAsset({ move, review }: { move: AssetMoveView; review: PaymentReview }) {
  const { asset, output } = move
  const sats = output === null ? undefined : review.outputs[output]?.sats
  const notes = [
    nameStandard(asset),
    describeSat(move),
    sats === undefined ? null : words('transferOn', { amount: nameSats(BigInt(sats)) }),
  ]
  return (
    <div className="one-asset">
      <OneAssetPicture asset={asset} />
      <div className="row-text">
        <b>{nameAsset(asset)}</b>
        {asset.kind !== 'rune' ? (
          <span className="mono muted small" title={asset.id}>
            {shortenId(asset.id)}
          </span>
        ) : null}
        {notes.map(note =>
          note === null ? null : (
            <span key={note} className="muted small">
              {note}
            </span>
          ),
        )}
      </div>
    </div>
  )
}

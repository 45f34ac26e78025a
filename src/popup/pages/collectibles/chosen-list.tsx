import { atomicalOfKey, keyOfAsset } from '../../../ordinals/asset-key.ts'
import { HelpButton } from '../../help/help-button.tsx'
import { countWords, words } from '../../platform/words.ts'
import { InscriptionPicture } from '../../ui/pictures/inscription-picture.tsx'
import tileStyles from '../../ui/pictures/tile.module.css'
import { PlainRow, Rows } from '../../ui/row.tsx'
import layoutStyles from '../../ui/styles/layout.module.css'
import textStyles from '../../ui/styles/text.module.css'
import { nameAsset, nameNumber, shortenId } from '../../ui/text/asset-names.ts'
import { nameSats } from '../../ui/text/btc-digits.ts'
import { type Movable, sumPostage } from './chosen.ts'

/** With more than these there is a picture and a number for each. */
const FEW = 2

type ChosenListProps = { keys: string[]; movables: Movable[] | null }

/** What is about to be sent. */
export function ChosenList({ keys, movables }: ChosenListProps) {
  const known = new Map(movables?.map(movable => [keyOfAsset(movable.asset), movable]))
  const names = words('inscriptionsChosen')
  if (keys.length <= FEW)
    return (
      <Rows label={names}>
        {keys.map((key, at) => {
          const movable = known.get(key)
          return (
            <PlainRow
              key={key}
              icon={<InscriptionPicture id={key} size="small" name={nameOf(movable)} />}
              title={movable ? nameAsset(movable.asset) : shortenKey(key)}
              note={
                movable ? (
                  <>
                    {namePostage([movable])} {at === 0 ? <HelpButton term="postage" /> : null}
                  </>
                ) : (
                  ' '
                )
              }
            />
          )
        })}
      </Rows>
    )
  return (
    <div className={layoutStyles.stack}>
      <ul className={tileStyles.mosaic} aria-label={names}>
        {keys.map(key => {
          const movable = known.get(key)
          return (
            <li key={key}>
              <InscriptionPicture id={key} size="tile" name={nameOf(movable)} />
              <span>{movable ? nameShort(movable) : shortenKey(key)}</span>
            </li>
          )
        })}
      </ul>
      <p className={textStyles.note}>
        {movables ? namePostage(movables) : ' '} <HelpButton term="postage" />
      </p>
    </div>
  )
}

/** What a tile has room for. */
function nameShort({ asset }: Movable): string {
  if (asset.kind === 'atomical' && asset.name !== null) return asset.name
  return asset.number === null ? shortenId(asset.id) : nameNumber({ number: asset.number })
}

function shortenKey(key: string): string {
  return shortenId(atomicalOfKey(key) ?? key)
}

function namePostage(movables: readonly Movable[]): string {
  const coins = new Set(movables.map(({ outpoint }) => outpoint)).size
  return countWords('inscriptionsPostage', coins, { sats: nameSats(sumPostage(movables)) })
}

/** Some Atomicals are nothing but a name. */
function nameOf(movable: Movable | undefined): string | null {
  return movable?.asset.kind === 'atomical' ? movable.asset.name : null
}

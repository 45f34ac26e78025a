import type { InscriptionView } from '../../../background/ui-methods/asset-views.ts'
import { shortenId } from '../../ui/asset-names.ts'
import { nameSats } from '../../ui/btc-digits.ts'
import { InscriptionPicture } from '../../ui/inscription-picture.tsx'
import { PlainRow, Rows } from '../../ui/row.tsx'
import { countWords, words } from '../../words.ts'
import { sumPostage } from './chosen.ts'
import { nameInscription, nameNumber } from './inscription-words.ts'

/** With more than these there is a picture and a number for each. */
const FEW = 2

type ChosenListProps = { ids: string[]; inscriptions: InscriptionView[] | null }

/** What is about to be sent. */
export function ChosenList({ ids, inscriptions }: ChosenListProps) {
  const known = new Map(inscriptions?.map(inscription => [inscription.id, inscription]))
  const names = words('inscriptionsChosen')
  if (ids.length <= FEW)
    return (
      <Rows label={names}>
        {ids.map(id => {
          const inscription = known.get(id)
          return (
            <PlainRow
              key={id}
              icon={<InscriptionPicture id={id} size="small" />}
              title={inscription ? nameInscription(inscription) : shortenId(id)}
              note={inscription ? namePostage([inscription]) : ' '}
            />
          )
        })}
      </Rows>
    )
  return (
    <div className="stack">
      <ul className="mosaic" aria-label={names}>
        {ids.map(id => {
          const inscription = known.get(id)
          return (
            <li key={id}>
              <InscriptionPicture id={id} size="tile" />
              <span>{inscription ? nameNumber(inscription) : shortenId(id)}</span>
            </li>
          )
        })}
      </ul>
      <p className="muted small">{inscriptions ? namePostage(inscriptions) : ' '}</p>
    </div>
  )
}

function namePostage(inscriptions: readonly InscriptionView[]): string {
  const coins = new Set(inscriptions.map(({ outpoint }) => outpoint)).size
  return countWords('inscriptionsPostage', coins, { sats: nameSats(sumPostage(inscriptions)) })
}

import type { InscribeItemView } from '../../background/ui-methods/inscribe-views.ts'
import { shortenId } from '../ui/asset-names.ts'
import { nameSats } from '../ui/btc-digits.ts'
import { ContentPicture, nameContentKind } from '../ui/inscription-picture.tsx'
import { formatSize } from '../ui/size-text.ts'
import { countWords, words } from '../words.ts'
import { Fold } from './fold.tsx'
import './inscribe.css'

/** As many as fit in three rows. */
const IN_SIGHT = 9

/** What is inscribed, as it will look: a single one large, several as tiles, each with its size and the fee of its own transaction. */
export function InscribeItems({ items }: { items: readonly InscribeItemView[] }) {
  const [only] = items
  if (only === undefined) return null
  if (items.length === 1) {
    return (
      <figure className="one-item">
        <ContentPicture
          content={only.preview}
          kind={only.kind}
          size="large"
          label={describeItem(only)}
        />
        <figcaption className="muted small">
          {[describeItem(only), only.delegate === null ? only.contentType : null]
            .filter(part => part !== null)
            .join(' · ')}
        </figcaption>
      </figure>
    )
  }
  const rest = items.slice(IN_SIGHT)
  return (
    <>
      <Tiles items={items.slice(0, IN_SIGHT)} from={1} />
      {rest.length === 0 ? null : (
        <Fold summary={countWords('inscribeMore', rest.length)}>
          <Tiles items={rest} from={IN_SIGHT + 1} />
        </Fold>
      )}
    </>
  )
}

function Tiles({ items, from }: { items: readonly InscribeItemView[]; from: number }) {
  return (
    <ol className="item-tiles" start={from}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item is its place
        <li key={index}>
          <ContentPicture content={item.preview} kind={item.kind} size="tile" />
          <span className="name">{`${from + index}. ${nameItem(item)}`}</span>
          <span className="muted">{sizeOf(item)}</span>
          <span className="muted">
            {words('inscribeItemFee', { fee: nameSats(BigInt(item.fee)) })}
          </span>
        </li>
      ))}
    </ol>
  )
}

function nameItem({ delegate, kind }: InscribeItemView): string {
  return delegate === null ? nameContentKind(kind) : words('inscribeDelegate')
}

/** "Image · 12.3 kB", "Shows 6fb976…41i0". */
function describeItem(item: InscribeItemView): string {
  return item.delegate === null ? `${nameContentKind(item.kind)} · ${sizeOf(item)}` : sizeOf(item)
}

function sizeOf({ delegate, contentLength }: InscribeItemView): string {
  return delegate === null
    ? formatSize(contentLength)
    : words('inscribeShows', { id: shortenId(delegate) })
}

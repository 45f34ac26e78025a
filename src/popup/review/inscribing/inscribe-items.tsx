import { useState } from 'react'
import type { InscribeItemView } from '../../../background/views/inscribe-views.ts'
import { joinFacts } from '../../platform/join-facts.ts'
import { joinSentences } from '../../platform/join-words.ts'
import { countWords, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ContentPicture, nameContentKind } from '../../ui/pictures/inscription-picture.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { shortenId } from '../../ui/text/asset-names.ts'
import { nameSats } from '../../ui/text/btc-digits.ts'
import { formatSize } from '../../ui/text/size-text.ts'
import { countUnseen } from '../../ui/text/visible-parts.ts'
import styles from './inscribe-items.module.css'
import type { PlacedItem } from './inscribe-places.ts'

type InscribeItemsProps = {
  items: readonly PlacedItem[]
  /** How many items there are in all. */
  total: number
}

/** What is inscribed, as it will look: a single one large, several as tiles that open, each with its size and the fee of its own transaction. */
export function InscribeItems({ items, total }: InscribeItemsProps) {
  const [opened, setOpened] = useState<PlacedItem | null>(null)
  const [only] = items
  if (only === undefined) return null
  if (total === 1) return <WholeItem item={only.item} />
  return (
    <>
      <ol className={styles.tiles}>
        {items.map(placed => (
          <li key={placed.place} value={placed.place}>
            <Tile placed={placed} onOpen={() => setOpened(placed)} />
          </li>
        ))}
      </ol>
      {opened ? (
        <Dialog title={titleOf(opened)} onClose={() => setOpened(null)}>
          <WholeItem item={opened.item} />
        </Dialog>
      ) : null}
    </>
  )
}

/** All of its content, and what it is said to be. */
function WholeItem({ item }: { item: InscribeItemView }) {
  const { kind, contentType, encoding, preview, delegate } = item
  const text = preview.kind === 'text' ? preview : null
  const unseen = text === null ? 0 : countUnseen(text.text)
  const notes = [
    text !== null && (kind === 'html' || kind === 'svg') ? words('inscribeSource') : null,
    text?.cut ? words('inscribeCut') : null,
    unseen > 0 ? countWords('inscribeUnseen', unseen) : null,
  ].filter(note => note !== null)
  return (
    <figure className={styles.item}>
      <ContentPicture content={preview} kind={kind} size="large" label={describeItem(item)} />
      <figcaption className={textStyles.note}>
        {describeItem(item)}
        {/* A site writes it as it likes: it must not read as words of ours. */}
        {delegate === null && contentType !== null ? (
          <span className={classNames(textStyles.mono, styles.contentType)}>
            {joinFacts([contentType, encoding])}
          </span>
        ) : null}
        {notes.length > 0 ? <span className={styles.note}>{joinSentences(notes)}</span> : null}
      </figcaption>
    </figure>
  )
}

function Tile({ placed, onOpen }: { placed: PlacedItem; onOpen: () => void }) {
  const { preview, kind, fee } = placed.item
  return (
    <button type="button" onClick={onOpen}>
      <ContentPicture content={preview} kind={kind} size="tile" />
      <span className={styles.name}>{titleOf(placed)}</span>
      <span className={textStyles.muted}>{sizeOf(placed.item)}</span>
      {fee === '0' ? null : (
        <span className={textStyles.muted}>
          {words('inscribeItemFee', { fee: nameSats(BigInt(fee)) })}
        </span>
      )}
    </button>
  )
}

/** "2. Text". */
function titleOf({ place, item: { delegate, kind } }: PlacedItem): string {
  return `${place}. ${delegate === null ? nameContentKind(kind) : words('inscribeDelegate')}`
}

/** "Image · 12.3 kB", "Shows 6fb976…41i0". */
function describeItem(item: InscribeItemView): string {
  return item.delegate === null ? `${nameContentKind(item.kind)} · ${sizeOf(item)}` : sizeOf(item)
}

function sizeOf({ delegate, contentLength, encoding }: InscribeItemView): string {
  if (delegate !== null) return words('inscribeShows', { id: shortenId(delegate) })
  const size = formatSize(contentLength)
  return encoding === null ? size : words('inscribeSizePacked', { size })
}

import { type CSSProperties, useEffect, useRef, useState } from 'react'
import type { InscriptionView } from '../../../background/views/asset-views.ts'
import { PictureSkeleton } from '../../ui/pictures/inscription-picture.tsx'
import tileStyles from '../../ui/pictures/tile.module.css'
import type { Chosen } from './chosen.ts'
import styles from './collectibles.module.css'
import { PAGE_SIZE } from './gallery-pages.ts'
import { Tile } from './tile.tsx'

type GalleryPageProps = {
  index: number
  /** How many stand on this page, and in the whole gallery. */
  count: number
  total: number
  /** Undefined until the page was read. */
  inscriptions: readonly InscriptionView[] | undefined
  chosen: Chosen | null
  isChoosable: (inscription: InscriptionView) => boolean
  isVeiled: boolean
  onSee: (index: number, near: boolean) => void
  onToggle: (inscription: InscriptionView) => void
}

/** A page of the gallery as high as it will be; only where it is near does it hold anything. */
export function GalleryPage(props: GalleryPageProps) {
  const { index, count, total, inscriptions, chosen, isChoosable, isVeiled } = props
  const { onSee, onToggle } = props
  const block = useRef<HTMLDivElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    const element = block.current
    if (!element) return
    const observer = new IntersectionObserver(
      entries => {
        // Whoever has the focus in it stays there.
        const next = entries.some(entry => entry.isIntersecting)
        if (next || !element.contains(document.activeElement)) setNear(next)
        onSee(index, next)
      },
      { root: element.closest('main'), rootMargin: '800px' },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      onSee(index, false)
    }
  }, [index, onSee])
  return (
    <div ref={block} className={styles.galleryPage} style={tileCount(count)}>
      {near ? (
        <ul>
          {Array.from({ length: inscriptions?.length ?? count }, (_, at) => {
            const inscription = inscriptions?.[at]
            return (
              <li
                key={inscription?.id ?? at}
                aria-posinset={index * PAGE_SIZE + at + 1}
                aria-setsize={total}
              >
                {inscription ? (
                  <Tile
                    inscription={inscription}
                    chosen={chosen?.has(inscription.id) ?? null}
                    isVeiled={isVeiled}
                    isFixed={!isChoosable(inscription)}
                    onToggle={onToggle}
                  />
                ) : (
                  <span className={tileStyles.tile} aria-hidden>
                    <PictureSkeleton size="tile" />
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      ) : null}
    </div>
  )
}

/** For the style sheet, which knows how many stand in a row and how high one is. */
function tileCount(count: number): CSSProperties {
  return { '--tiles': count } as CSSProperties
}

import type { AtomicalView } from '../../../background/views/asset-views.ts'
import type { Chosen } from './chosen.ts'
import { type Gallery, NO_GALLERY } from './gallery-pages.ts'

/** The gallery as it was left: who looks at one inscription comes back to where it stood. */
type GalleryMemory = {
  subject: string
  gallery: Gallery
  scrolled: number
  /** Link of the tile that was opened last. */
  opened: string | null
  /** Null when nothing is being chosen. */
  chosen: Chosen | null
  chosenAtomicals: Chosen<AtomicalView> | null
}

let last: GalleryMemory | null = null

/** What is kept of the gallery of this account; of another one nothing is. */
export function galleryMemory(subject: string): GalleryMemory {
  if (last?.subject !== subject)
    last = {
      subject,
      gallery: NO_GALLERY,
      scrolled: 0,
      opened: null,
      chosen: null,
      chosenAtomicals: null,
    }
  return last
}

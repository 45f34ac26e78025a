import type { AtomicalView, InscriptionGroup } from '../../../background/views/asset-views.ts'
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

const last: { [group in InscriptionGroup]?: GalleryMemory } = {}

/** What is kept of a list of this account; of another one nothing is. */
export function galleryMemory(subject: string, group: InscriptionGroup = 'shown'): GalleryMemory {
  const kept = last[group]
  if (kept?.subject === subject) return kept
  const fresh: GalleryMemory = {
    subject,
    gallery: NO_GALLERY,
    scrolled: 0,
    opened: null,
    chosen: null,
    chosenAtomicals: null,
  }
  last[group] = fresh
  return fresh
}

import type { InscriptionPage, InscriptionView } from '../../../background/views/asset-views.ts'

/** Inscriptions of a page: rows of three fill it. */
export const PAGE_SIZE = 60

/** Pages that are kept; more than are in sight, so that scrolling back shows them at once. */
const MOST_PAGES = 12

/** A list of any length of which only some pages are known. */
export type Gallery = {
  /** Null until the first page is there. */
  total: number | null
  /** How many are in the other groups. */
  hidden: number
  spam: number
  unchecked: InscriptionPage['unchecked']
  pages: ReadonlyMap<number, readonly InscriptionView[]>
}

export const NO_GALLERY: Gallery = {
  total: null,
  hidden: 0,
  spam: 0,
  unchecked: { count: 0, why: null },
  pages: new Map(),
}

/** The gallery with a page that was just read; of too many, those farthest from it are forgotten. */
export function putPage(gallery: Gallery, index: number, page: InscriptionPage): Gallery {
  const last = countPages(page.total) - 1
  const near = [...gallery.pages]
    .filter(([other]) => other !== index && other <= last)
    .sort(([a], [b]) => Math.abs(a - index) - Math.abs(b - index))
    .slice(0, MOST_PAGES - 1)
  return {
    total: page.total,
    hidden: page.hidden,
    spam: page.spam,
    unchecked: page.unchecked,
    pages: new Map([...near, [index, page.inscriptions]]),
  }
}

export function countPages(total: number): number {
  return Math.ceil(total / PAGE_SIZE)
}

/** How many inscriptions stand on a page. */
export function countOn(index: number, total: number): number {
  return Math.max(0, Math.min(PAGE_SIZE, total - index * PAGE_SIZE))
}

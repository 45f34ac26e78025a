import { drawContent, INSCRIPTIONS, pageOf } from '../shots/fixtures/assets/inscriptions.ts'
import type { Answers } from '../shots/shot.ts'
import { value } from '../shots/shot.ts'

const PLAIN = INSCRIPTIONS.filter(({ id }) => /^[234b]/.test(id))

/** Pictures by the first digit of their ids, as {@link drawContent} draws them. */
const PICTURED = ['9', '8', '1', 'd', '7', 'f', '6', 'e'].flatMap((digit, at) =>
  PLAIN.slice(0, 1).map(one => ({
    ...one,
    id: one.id.replace(/^./, digit),
    number: 61_204_118 - at * 7_204_991,
  })),
)

/** A gallery as people have one: mostly pictures, and nothing wrong with any. */
export const GALLERY: Answers = {
  getInscriptions: value(pageOf([...PLAIN, ...PICTURED])),
  getInscriptionContent: { given: drawContent },
}

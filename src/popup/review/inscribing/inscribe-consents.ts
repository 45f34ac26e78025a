import type { Brc20Obstacle } from '../../../background/views/brc20-views.ts'
import type { InscribeReview } from '../../../background/views/inscribe-views.ts'
import { currentLanguage, type WordKey, words } from '../../platform/words.ts'
import { useConsents } from '../consents.tsx'
import type { Consent, Subject } from '../list-consents.ts'
import { isHindrance, isOrder } from './brc20-words.ts'

/** Boxes for what a person has to confirm beside approving an inscribing, and whether one is still open. */
export function useInscribeConsents(review: InscribeReview) {
  return useConsents([subjectOfInscribe(review)], [], listObstacleConsents(review))
}

function subjectOfInscribe({ warnings, totalFee }: InscribeReview): Subject {
  return { warnings, fee: BigInt(totalFee), assets: [] }
}

/** One box for all operations that no index would count, as they cost fees and bring nothing. Another for those where the order of blocks decides whether they count. */
export function listObstacleConsents({ items, purpose }: Obstructed): Consent[] {
  if (purpose !== 'inscribe') return []
  return [
    ...consentTo(items, 'brc20-obstacles', isHindrance, ['brc20Anyway', 'brc20AnywaySome']),
    ...consentTo(items, 'brc20-order', isOrder, ['brc20AnywayOrder', 'brc20AnywayOrderSome']),
  ]
}

type Obstructed = Pick<InscribeReview, 'items' | 'purpose'>

function consentTo(
  items: Obstructed['items'],
  kind: Consent['kind'],
  isMeant: (obstacle: Brc20Obstacle) => boolean,
  [all, some]: readonly [all: WordKey, some: WordKey],
): Consent[] {
  const hindered = items.filter(({ brc20 }) => brc20?.obstacles.some(isMeant))
  if (hindered.length === 0) return []
  if (hindered.length === items.length) return [{ kind, text: words(all) }]
  const [count, total] = [hindered.length, items.length].map(number =>
    number.toLocaleString(currentLanguage()),
  )
  return [{ kind, text: words(some, { count: count ?? '', total: total ?? '' }) }]
}

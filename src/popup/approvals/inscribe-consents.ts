import type { InscribeReview } from '../../background/ui-methods/inscribe-views.ts'
import { currentLanguage, words } from '../words.ts'
import { useConsents } from './consents.tsx'
import type { Consent, Subject } from './list-consents.ts'

/** Boxes for what a person has to confirm beside approving an inscribing, and whether one is still open. */
export function useInscribeConsents(review: InscribeReview) {
  return useConsents([subjectOfInscribe(review)], [], listObstacleConsents(review))
}

function subjectOfInscribe({ warnings, totalFee }: InscribeReview): Subject {
  return { warnings, fee: BigInt(totalFee), assets: [] }
}

/** One for all operations that no index would count: they cost what they cost and bring nothing. */
export function listObstacleConsents({
  items,
  purpose,
}: Pick<InscribeReview, 'items' | 'purpose'>): Consent[] {
  if (purpose !== 'inscribe') return []
  const hindered = items.filter(({ brc20 }) => brc20 !== null && brc20.obstacles.length > 0)
  if (hindered.length === 0) return []
  const [count, total] = [hindered.length, items.length].map(number =>
    number.toLocaleString(currentLanguage()),
  )
  const text =
    hindered.length === items.length
      ? words('brc20Anyway')
      : words('brc20AnywaySome', { count: count ?? '', total: total ?? '' })
  return [{ kind: 'brc20-obstacles', text }]
}

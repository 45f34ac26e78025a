import type { InscribeReview } from '../../background/ui-methods/inscribe-views.ts'
import { shortenId } from '../ui/asset-names.ts'
import { richWords, type WordKey, words } from '../words.ts'
import { Brc20Effects, isToken } from './brc20-effect.tsx'
import { InscribeCosts } from './inscribe-costs.tsx'
import { InscribeFlow } from './inscribe-flow.tsx'
import { InscribeItems } from './inscribe-items.tsx'
import { Parts } from './transaction-facts.tsx'
import { Cautions, Dangers } from './warnings.tsx'
import './review.css'

/** All that a person should see of an inscribing, a bump or a refund before it is signed: content, dangers, cost, picture, details. */
export function InscribeBody({ review }: { review: InscribeReview }) {
  const { commit, items, parent, warnings, purpose } = review
  const fee = BigInt(review.totalFee)
  // What was judged when it was inscribed is not asked again.
  const tokens = purpose === 'inscribe' ? items.filter(isToken) : []
  const pictures = items.filter(item => !tokens.some(token => token === item))
  return (
    <>
      <Dangers warnings={warnings} fee={fee} />
      <Brc20Effects items={tokens} />
      <InscribeItems items={pictures} />
      <InscribeCosts review={review} />
      <Cautions warnings={warnings} fee={fee} />
      <p className="muted small">{words(NOTES[purpose])}</p>
      {parent === null ? null : (
        <p className="muted small breakable">
          {richWords('inscribeParentNote', { id: <span title={parent}>{shortenId(parent)}</span> })}
        </p>
      )}
      <InscribeFlow review={review} />
      {commit === null ? null : (
        <Parts inputs={commit.inputs} outputs={commit.outputs} vsize={commit.vsize} />
      )}
    </>
  )
}

const NOTES: { [purpose in InscribeReview['purpose']]: WordKey } = {
  inscribe: 'inscribeNote',
  bump: 'inscribeBumpNote',
  refund: 'inscribeRefundNote',
}

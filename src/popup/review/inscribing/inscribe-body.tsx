/**
 * The review of inscribing: what is inscribed, where it goes, what it costs, and what BRC-20 indexes will make of it. Shared by
 * the approval of a site's request and by the wallet's own screens; like all of `review/` it only shows what the background found.
 */

import type { InscribeReview } from '../../../background/views/inscribe-views.ts'
import { richWords, type WordKey, words } from '../../platform/words.ts'
import { classNames } from '../../ui/class-names.ts'
import textStyles from '../../ui/styles/text.module.css'
import { shortenId } from '../../ui/text/asset-names.ts'
import { VisibleText } from '../../ui/text/visible-text.tsx'
import { CoinProofs } from '../coins/coin-proofs.tsx'
import { Fold } from '../fold.tsx'
import { Recipients } from '../recipients.tsx'
import { Parts } from '../transaction-facts.tsx'
import { Cautions, Dangers } from '../warnings.tsx'
import { Brc20Effects } from './brc20-effect.tsx'
import { nameTokens } from './brc20-words.ts'
import { EtchingFacts, EtchingRisks } from './etching-facts.tsx'
import { InscribeCosts } from './inscribe-costs.tsx'
import { InscribeFlow } from './inscribe-flow.tsx'
import { InscribeItems } from './inscribe-items.tsx'
import { isToken, placeItems } from './inscribe-places.ts'

/** Tiles of two rows: more would push what they cost out of sight. */
const FEW = 6

/** All that a person should see of an inscribing, a bump or a refund before it is signed: content, dangers, cost, picture, details. */
export function InscribeBody({ review }: { review: InscribeReview }) {
  const { commit, items, parent, warnings, purpose, etching, delivery } = review
  const fee = BigInt(review.totalFee)
  const placed = placeItems(items)
  // A bump or refund does not ask again about operations that were checked when they were inscribed.
  const tokens = purpose === 'inscribe' ? placed.filter(isToken) : []
  const others = placed.filter(item => !tokens.some(token => token === item))
  // What they say of themselves is the same for all.
  const metadata = items[0]?.metadata ?? null
  const costs = <InscribeCosts review={review} />
  return (
    <>
      <Dangers warnings={warnings} fee={fee} />
      {etching ? <EtchingFacts etching={etching} /> : null}
      {etching && purpose === 'inscribe' ? (
        <EtchingRisks etching={etching} review={review} />
      ) : null}
      <Brc20Effects items={tokens} total={items.length} isDelivered={delivery !== null} />
      {delivery ? (
        <Recipients
          recipients={[
            {
              ...{ address: delivery.to, sats: review.postage, name: delivery.name },
              what: nameTokens(delivery.amount, delivery.tick),
              paidBefore: delivery.paidBefore,
            },
          ]}
        />
      ) : null}
      {others.length > FEW ? costs : null}
      <InscribeItems items={others} total={items.length} />
      {others.length > FEW ? null : costs}
      <Cautions warnings={warnings} fee={fee} />
      {commit === null ? null : <CoinProofs transactions={[{ ...commit, warnings }]} />}
      <p className={textStyles.note}>{words(noteOf(review))}</p>
      {parent === null ? null : (
        <p className={classNames(textStyles.note, textStyles.breakable)}>
          {richWords('inscribeParentNote', { id: <span title={parent}>{shortenId(parent)}</span> })}
        </p>
      )}
      {metadata === null ? null : (
        <Fold summary={words('inscribeFormMetadata')}>
          <p className={classNames(textStyles.mono, textStyles.small, textStyles.exact)}>
            <VisibleText text={metadata} />
          </p>
        </Fold>
      )}
      <InscribeFlow review={review} />
      {commit === null ? null : (
        <Parts inputs={commit.inputs} outputs={commit.outputs} vsize={commit.vsize} />
      )}
    </>
  )
}

function noteOf({ etching, delivery, purpose }: InscribeReview): WordKey {
  if (etching) return ETCHING_NOTES[purpose]
  return delivery && purpose === 'inscribe' ? 'deliverNote' : NOTES[purpose]
}

const ETCHING_NOTES: { [purpose in InscribeReview['purpose']]: WordKey } = {
  inscribe: 'etchNote',
  bump: 'inscribeBumpNote',
  refund: 'etchRefundNote',
}

const NOTES: { [purpose in InscribeReview['purpose']]: WordKey } = {
  inscribe: 'inscribeNote',
  bump: 'inscribeBumpNote',
  refund: 'inscribeRefundNote',
}

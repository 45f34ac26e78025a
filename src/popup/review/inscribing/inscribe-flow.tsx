import type { InscribeReview } from '../../../background/views/inscribe-views.ts'
import { words } from '../../platform/words.ts'
import { joinAlike } from '../../ui/pictures/flow-join.ts'
import { type FlowEnd, groupEnds } from '../../ui/pictures/flow-layout.ts'
import { FlowPicture } from '../../ui/pictures/flow-picture.tsx'
import { shortenAddress } from '../../ui/text/address-text.tsx'
import { sayName } from '../../ui/text/names.ts'
import { TransactionFlow } from '../transaction-flow.tsx'
import { countOwnOutputs } from './inscribe-places.ts'

/** At most so many inputs are drawn one by one; more of the same owner become one strand. */
const OWN_INPUTS = 5

/** The picture of all transactions together: what goes in, the inscriptions and the change that come out, and all fees. A refund is one transaction. */
export function InscribeFlow({ review }: { review: InscribeReview }) {
  const { commit, etching, purpose, delivery, receiver } = review
  if (commit === null) return null
  if (purpose === 'refund')
    return <TransactionFlow inputs={commit.inputs} outputs={commit.outputs} />
  const fee = BigInt(review.totalFee)
  const count = countOwnOutputs(review)
  const postage = BigInt(review.postage)
  const spent = commit.inputs.reduce((sum, { sats }) => sum + BigInt(sats ?? 0), 0n)
  const change = spent - fee - postage * BigInt(count)
  const inputs: FlowEnd[] = commit.inputs.map(({ sats }) => ({
    label: words('reviewFlowYou'),
    sats: sats === null ? null : BigInt(sats),
    own: true,
  }))
  // The premine comes last, behind what is inscribed with it.
  const inscriptions = Array.from(
    { length: count },
    (_, at): FlowEnd => ({
      label: delivery
        ? delivery.name === null
          ? shortenAddress(delivery.to)
          : sayName(delivery.name)
        : words(etching && at === count - 1 ? 'etchRune' : 'inscribeFlowItem'),
      sats: postage,
      own: delivery === null || delivery.to === receiver,
    }),
  )
  const back: FlowEnd = { label: words('reviewFlowBack'), sats: change, own: true }
  return (
    <FlowPicture
      flow={{
        inputs: groupEnds(inputs, OWN_INPUTS),
        outputs: [...joinAlike(inscriptions), ...(change > 0n ? [back] : [])],
        fee,
      }}
    />
  )
}

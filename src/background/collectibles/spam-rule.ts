import { kindOfContent } from '../../ordinals/content/content-kind.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import type { SpamReason } from '../views/asset-views.ts'
import type { InscriptionTraits } from './inscription-traits.ts'

/** An inscription that came by a transaction which this wallet neither made nor took part in, from nobody whom it has paid. */
export type UnaskedArrival = {
  id: InscriptionId
  /** Scripts that the transaction which brought it pays. */
  recipients: number
  /** Undefined while the index has not said. */
  traits: InscriptionTraits | undefined
}

/** A transaction that pays so many carries what was sent to many. */
const MANY_RECIPIENTS = 10

/** Of the same content so many are no coincidence. */
const MANY_COPIES = 3

const SCRIPTS = /^(text|application)\/(x-)?(javascript|ecmascript)\b/i

/**
 * Which of these are possible spam, and why: content that runs code where it is opened elsewhere, a transaction that pays ten or more,
 * or three or more of the same content. What is not known counts as no reason.
 */
export function findSpam(
  arrivals: readonly UnaskedArrival[],
): ReadonlyMap<InscriptionId, SpamReason> {
  const copies = new Map<string, number>()
  for (const { traits } of arrivals)
    if (traits?.digest) copies.set(traits.digest, (copies.get(traits.digest) ?? 0) + 1)
  return new Map(
    arrivals.flatMap(({ id, recipients, traits }): [InscriptionId, SpamReason][] => {
      if (traits && runsCode(traits)) return [[id, 'code']]
      if (recipients >= MANY_RECIPIENTS) return [[id, 'many-recipients']]
      return (copies.get(traits?.digest ?? '') ?? 0) >= MANY_COPIES ? [[id, 'same-content']] : []
    }),
  )
}

function runsCode({ contentType, contentLength }: InscriptionTraits): boolean {
  const kind = kindOfContent(contentType, contentLength)
  return kind === 'html' || kind === 'svg' || SCRIPTS.test(contentType ?? '')
}

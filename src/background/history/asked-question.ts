import type { AskedQuestion } from '../views/approval-history-views.ts'
import type { ChosenAccount, Review } from '../views/approval-views.ts'
import type { GrantTerm } from '../views/settings-views.ts'

/** Bounds of an entry: whoever asks does not say how much of it is kept. */
const MOST_TEXT = 160
const MOST_LISTED = 3

/** What the person chose of the accounts that can be connected; null where nobody has. */
export function readChosen(input: string | null): ChosenAccount | null {
  return input === null ? null : JSON.parse(input)
}

/**
 * What is kept of a question, in at most 1 kB: no PSBT, no whole text, nothing that was filled in but how long a site stays
 * connected. Null for one that only goes on with the question before it.
 */
export function summariseReview(review: Review, input: string | null): AskedQuestion | null {
  switch (review.kind) {
    case 'sign-on-device':
    case 'preparing':
      return null
    case 'connect':
      return { kind: 'connect', term: (input ?? 'always') as GrantTerm }
    case 'choose-account':
      return { kind: 'connect', term: readChosen(input)?.term ?? 'always' }
    case 'unlock':
      return { kind: 'unlock' }
    case 'switch-network':
      return { kind: 'switch-network', network: review.network }
    case 'sign-message':
      return { kind: 'sign-messages', texts: clipAll([review.message]), count: 1 }
    case 'sign-messages': {
      const texts = review.messages.map(({ message }) => message)
      return { kind: 'sign-messages', texts: clipAll(texts), count: texts.length }
    }
    case 'derive-context-hash':
      return { kind: 'derive-context-hash', appName: clip(review.appName) }
    case 'payment': {
      const { recipients, sats, fee, assets } = review
      const listed = recipients.slice(0, MOST_LISTED)
      return {
        kind: 'payment',
        recipients: listed.map(({ address, sats }) => ({ address, sats })),
        ...{ count: recipients.length, sats, fee, assets: assets.length },
      }
    }
    case 'sign-psbt': {
      const { items, total, broadcast } = review
      return { kind: 'sign-psbts', count: items.length, net: total.net, fee: total.fee, broadcast }
    }
    case 'push-tx':
      return { kind: 'push', count: 1, net: negate(review.netCost), fee: review.fee }
    case 'send-batch': {
      const { items, total } = review
      return { kind: 'push', count: items.length, net: negate(total.netCost), fee: total.fee }
    }
    case 'inscribe': {
      const { items, etching, cost, totalFee } = review
      const texts = items.flatMap(({ brc20 }) => (brc20 ? describeOperation(brc20.operation) : []))
      const about = etching ? [etching.name, ...texts] : texts
      return { kind: 'inscribe', count: items.length, cost, fee: totalFee, texts: clipAll(about) }
    }
    case 'rune-mint':
      return {
        kind: 'rune-mint',
        ...{ rune: clip(review.rune.name), count: review.count, fee: review.fee },
      }
    case 'brc20-amount':
      return { kind: 'brc20-amount', tick: clip(review.tick) }
  }
}

/** The beginning of a text, no longer than so many UTF-16 units and an ellipsis; never half a character. */
export function clip(text: string): string {
  if (text.length <= MOST_TEXT) return text
  return `${text.slice(0, MOST_TEXT).replace(/[\ud800-\udbff]$/, '')}…`
}

function clipAll(texts: readonly string[]): string[] {
  return texts.slice(0, MOST_LISTED).map(clip)
}

function describeOperation(operation: { [field: string]: unknown }): string {
  const { op, tick, amt, max } = operation
  return [op, tick, amt ?? max].filter(part => part !== undefined).join(' ')
}

function negate(sats: string): string {
  return String(-BigInt(sats))
}

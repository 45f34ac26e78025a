import type { AssetMoveView } from '../../background/views/asset-views.ts'

/**
 * What a transaction does with an asset, as the person sees it: one's own is `lost` for good, `open` to what others
 * decide, `untold`, `leaves` or `stays`; somebody else's `comes`, is `promised` (drawn to come, and not certain to) or `passes` by.
 */
export type Outcome =
  | 'lost'
  | 'open'
  | 'untold'
  | 'leaves'
  | 'promised'
  | 'comes'
  | 'stays'
  | 'passes'

/** The gravest first. */
const ORDER: readonly Outcome[] = [
  'lost',
  'untold',
  'open',
  'leaves',
  'promised',
  'comes',
  'stays',
  'passes',
]

/** What the person must know before anything else; the rest is said where it does not stand in the way. */
const TELLING: readonly Outcome[] = ['lost', 'untold', 'open', 'leaves', 'promised', 'comes']

export type OutcomeGroup = { outcome: Outcome; moves: AssetMoveView[] }

export function outcomeOf({ own, to, certainty }: AssetMoveView): Outcome {
  if (!own) {
    if (to !== 'own') return 'passes'
    return certainty === 'certain' ? 'comes' : 'promised'
  }
  if (certainty !== 'certain') return certainty === 'open' ? 'open' : 'untold'
  switch (to) {
    case 'own':
      return 'stays'
    case 'foreign':
      return 'leaves'
    case 'unknown':
      return 'untold'
    case 'fee':
    case 'burned':
      return 'lost'
  }
}

/** Moves by what they come to, the gravest first, no group empty, the order within a group kept. */
export function groupMoves(moves: readonly AssetMoveView[]): OutcomeGroup[] {
  return ORDER.flatMap(outcome => {
    const members = moves.filter(move => outcomeOf(move) === outcome)
    return members.length === 0 ? [] : [{ outcome, moves: members }]
  })
}

/**
 * The moves of a payment that were asked for and do what was asked, and all others: what was asked for and is lost, or goes
 * nobody knows where, is as grave as if nobody had.
 */
export function splitAsked({ assets, asked }: { assets: readonly AssetMoveView[]; asked: number }) {
  const isMeant = (move: AssetMoveView, index: number) =>
    index < asked && ['leaves', 'stays'].includes(outcomeOf(move))
  return {
    asked: assets.filter(isMeant),
    others: assets.filter((move, index) => !isMeant(move, index)),
  }
}

export function isTelling({ outcome }: OutcomeGroup): boolean {
  return TELLING.includes(outcome)
}

import type { AssetMoveView } from '../../background/views/asset-views.ts'

/**
 * What a transaction does with an asset, as the person sees it. An asset of one's own is `lost` for good, `open` (others
 * decide where it goes), `unknown`, `leaves` or `stays`. An asset of somebody else `comes`, is `promised` (meant to come, but
 * not certain to) or `passes` by.
 */
export type Outcome =
  | 'lost'
  | 'open'
  | 'unknown'
  | 'leaves'
  | 'promised'
  | 'comes'
  | 'stays'
  | 'passes'

/** The gravest first. */
const ORDER: readonly Outcome[] = [
  'lost',
  'unknown',
  'open',
  'leaves',
  'promised',
  'comes',
  'stays',
  'passes',
]

/** What the person must know before anything else; the others are listed further down. */
const NOTABLE: readonly Outcome[] = ['lost', 'unknown', 'open', 'leaves', 'promised', 'comes']

export type OutcomeGroup = { outcome: Outcome; moves: AssetMoveView[] }

/** What becomes of an asset, from where it goes and how certain that is. */
export function outcomeOf({ own, to, certainty }: AssetMoveView): Outcome {
  if (!own) {
    if (to !== 'own') return 'passes'
    return certainty === 'certain' ? 'comes' : 'promised'
  }
  if (certainty !== 'certain') return certainty === 'open' ? 'open' : 'unknown'
  switch (to) {
    case 'own':
      return 'stays'
    case 'foreign':
      return 'leaves'
    case 'unknown':
      return 'unknown'
    case 'fee':
    case 'burned':
      return 'lost'
  }
}

/** Moves grouped by outcome, the gravest first. No group is empty, and moves keep their order. */
export function groupMoves(moves: readonly AssetMoveView[]): OutcomeGroup[] {
  return ORDER.flatMap(outcome => {
    const members = moves.filter(move => outcomeOf(move) === outcome)
    return members.length === 0 ? [] : [{ outcome, moves: members }]
  })
}

/**
 * Splits the moves of a payment into those that do what the person asked for, and all others. An asset that was to be sent
 * but would be lost, or would go nobody knows where, counts among the others.
 */
export function splitAsked({ assets, asked }: { assets: readonly AssetMoveView[]; asked: number }) {
  const isMeant = (move: AssetMoveView, index: number) =>
    index < asked && ['leaves', 'stays'].includes(outcomeOf(move))
  return {
    asked: assets.filter(isMeant),
    others: assets.filter((move, index) => !isMeant(move, index)),
  }
}

/** Whether it has to be said before anything else. */
export function isNotable({ outcome }: OutcomeGroup): boolean {
  return NOTABLE.includes(outcome)
}

import type { WordKey } from '../platform/words.ts'

/** The words that are explained, as they stand in paths (`/help/fee-rate`), in the order of the list, and what they are called. */
export const TERMS = {
  coin: 'termCoin',
  'fee-rate': 'termFeeRate',
  'speed-up': 'termSpeedUp',
  confirmation: 'termConfirmation',
  'held-coins': 'termHeldCoins',
  dust: 'termDust',
  sat: 'termSat',
  postage: 'termPostage',
  psbt: 'termPsbt',
  'worst-case': 'termWorstCase',
  'recovery-words': 'termRecoveryWords',
  'watch-only': 'termWatchOnly',
} as const satisfies { [term: string]: WordKey }

export type Term = keyof typeof TERMS

export const ALL_TERMS = Object.keys(TERMS) as Term[]

import type { FailureReason, ProviderErrorCode } from '../../src/provider/errors.ts'

/** Reasons that only the wallet's own pages get to see. */
type OfOwnPages =
  | 'BUMP_IMPOSSIBLE'
  | 'WATCHED_ONLY'
  | 'SEVERAL_SIGNERS'
  | 'TOO_MANY_PAYMENTS'
  | 'ACCOUNT_EXISTS'
  | 'LAST_ACCOUNT'
  | 'NO_ORDINALS_ADDRESS'
  | 'ONE_ADDRESS_ONLY'
  | 'NO_PHRASE'
  | 'PHRASE_EXISTS'
  | 'JOBS_UNDER_WAY'
  | 'TOO_MANY_PHRASES'
  | 'ELECTRUM_PHRASE'

/** What `data.reason` of a failure says. Does not compile where a reason that sites can see is missing. */
export const FAILURES = {
  INSUFFICIENT_FUNDS: 'The coins of the account do not suffice.',
  COINS_HELD:
    'They would, with coins that the wallet does not spend; `data` says how much of them and why.',
  PROTECTED_ASSET:
    'An inscription, rune or Atomical would be lost, or it is not known what is on a coin.',
  TOO_LARGE: 'The transaction is larger than nodes relay, or than can be reviewed.',
  PLAN_OUTDATED: 'Something changed meanwhile; nothing was signed or sent. Ask again.',
  DEVICE_CANNOT:
    'The key of the account is on a device, which cannot sign this, or not in one round; the message says what works.',
  SILENT_PAYMENT_IMPOSSIBLE:
    'A silent payment address (BIP-352) cannot be paid from this account; `data.why` is DEVICE or INPUTS.',
  BROADCAST_REJECTED: 'The network refused the transaction; the message has its words.',
  BACKEND_UNAVAILABLE: 'The server that the person chose does not answer.',
  UNVERIFIED_INPUT: 'What an input spends cannot be verified.',
  SIGHASH_REFUSED: 'The wallet does not sign with this sighash here; `data.input` is the input.',
  NOT_OURS: 'The connected account cannot sign an input that is named; `data.input` is the input.',
  NOTHING_TO_SIGN: 'No input is of the connected account, or all are signed.',
  MESSAGE_IN_PSBT: 'The PSBT is a message to be signed; use signMessage.',
  BAD_AMOUNTS: 'The amounts of the PSBT cannot be.',
  BAD_SIGNATURE: 'A signature in the PSBT is wrong.',
  ABSURD_FEE: 'The fee is more than 10,000 sat/vB.',
  NAME_TAKEN: 'The name of the rune is taken, or this wallet etches it already.',
} as const satisfies { [Reason in Exclude<FailureReason, OfOwnPages>]: string }

export type SiteFailure = keyof typeof FAILURES

export const MOVING_FUNDS = [
  'INSUFFICIENT_FUNDS',
  'COINS_HELD',
  'TOO_LARGE',
  'ABSURD_FEE',
  'UNVERIFIED_INPUT',
  'PLAN_OUTDATED',
  'BACKEND_UNAVAILABLE',
] as const

export const SENDING = [...MOVING_FUNDS, 'BROADCAST_REJECTED'] as const

export const PAYING = [...SENDING, 'SILENT_PAYMENT_IMPOSSIBLE'] as const

export const MOVING_ASSETS = [...SENDING, 'PROTECTED_ASSET'] as const

export const SIGNING = [
  'NOTHING_TO_SIGN',
  'NOT_OURS',
  'SIGHASH_REFUSED',
  'UNVERIFIED_INPUT',
  'MESSAGE_IN_PSBT',
  'BAD_AMOUNTS',
  'PROTECTED_ASSET',
  'ABSURD_FEE',
  'TOO_LARGE',
  'PLAN_OUTDATED',
  'BACKEND_UNAVAILABLE',
] as const

const BEFORE_A_PUSH = [
  'PROTECTED_ASSET',
  'ABSURD_FEE',
  'PLAN_OUTDATED',
  'BACKEND_UNAVAILABLE',
] as const

export const PUSHING = [...BEFORE_A_PUSH, 'BROADCAST_REJECTED'] as const

/** What the network refuses of several comes back as null. */
export const PUSHING_BATCH = [
  ...BEFORE_A_PUSH,
  'BAD_SIGNATURE',
  'UNVERIFIED_INPUT',
  'TOO_LARGE',
] as const

export const PUSHING_PSBT = [...PUSHING_BATCH, 'BROADCAST_REJECTED'] as const

/** Each code by the name that the document refers to it by. */
export const ERRORS = {
  UserRejected: {
    code: 4001,
    message: 'The person rejected the request, closed the window, or let the request expire.',
  },
  Unauthorized: {
    code: 4100,
    message: 'The site is not connected to the account in use, or the address named is another.',
  },
  Unsupported: {
    code: 4200,
    message: 'An Atomical is named, and no server that tells of Atomicals is set in the wallet.',
  },
  NotReady: {
    code: 4900,
    message: 'There is no wallet yet, it is damaged, or it was just updated or stopped.',
  },
  Failure: { code: -32000, message: 'A known failure; `data.reason` says which.' },
  TooManyPending: { code: -32002, message: 'Too many requests of the site wait for an answer.' },
  RateLimited: { code: -32005, message: 'Too many requests.' },
  UnknownMethod: { code: -32601, message: 'There is no such operation.' },
  InvalidParams: {
    code: -32602,
    message: 'An argument is wrong: the message names it, what it is, and what was expected.',
  },
  Internal: { code: -32603, message: 'Internal error' },
} as const satisfies { [name: string]: { code: ProviderErrorCode; message: string } }

/** Fails to compile when a code has no name. */
export const NAME_OF_CODE: { [Code in ProviderErrorCode]: keyof typeof ERRORS } = {
  4001: 'UserRejected',
  4100: 'Unauthorized',
  4200: 'Unsupported',
  4900: 'NotReady',
  [-32000]: 'Failure',
  [-32002]: 'TooManyPending',
  [-32005]: 'RateLimited',
  [-32601]: 'UnknownMethod',
  [-32602]: 'InvalidParams',
  [-32603]: 'Internal',
}

import type { Brc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import type { ServerProblem } from './settings-views.ts'

/** Amounts are decimal, in whole tokens, without trailing zeros. */
export type Brc20BalanceView = { tick: string; available: string; transferable: string }

/** The tokens of the selected account. */
export type Brc20Overview = {
  /** Host of the BRC-20 server; null where none is set. */
  server: string | null
  /** Newest block that it has indexed; null while it does not answer. */
  height: number | null
  /** Whether the chain server's tip is further: the balances are of an older block. False where that is not known. */
  behind: boolean
  problem: ServerProblem | null
  /** Those that hold something, and those that the person follows. */
  balances: (Brc20BalanceView & { followed: boolean })[]
}

export type Brc20TokenView = Brc20BalanceView & {
  /** Host of the BRC-20 server; null where none is set. */
  server: string | null
  followed: boolean
  /** `none` for a ticker that nobody deployed; null where the server does not say. */
  token:
    | {
        decimals: number
        supply: string
        limit: string
        /** Null where the server does not say. */
        minted: string | null
        selfMint: boolean
        deploy: string | null
      }
    | 'none'
    | null
  /**
   * Transfer inscriptions of this account that are valid, each for `amount`. `outpoint` is null where the coin is not
   * known.
   */
  transferables: { id: string; amount: string; outpoint: string | null }[]
  problem: ServerProblem | null
}

/** Why an indexer would not count an operation as things are now. */
export type Brc20Obstacle =
  | 'not-deployed'
  | 'already-deployed'
  /** More than the limit of one mint. */
  | 'over-limit'
  | 'minted-out'
  /** More than the available balance. */
  | 'insufficient'
  /** More decimals than the token has. */
  | 'too-precise'
  /** A self-mint token whose deploy inscription this account does not hold. */
  | 'not-deployer'
  /** Whether it counts depends on the order in which blocks take it and another unconfirmed operation. */
  | 'order'

/** What inscribing a BRC-20 operation does to this account, by the word of the server. */
export type Brc20Effect = {
  operation: Brc20Operation
  /** Whether the server said all that this takes. Where it did not, an empty `obstacles` means nothing. */
  checked: boolean
  obstacles: Brc20Obstacle[]
  /** What a mint gets where less is left than it asks for; else null. */
  gets: string | null
  /**
   * Balance before and after, with earlier items counted; null for a deploy, and where it is not known or depends on the
   * order.
   */
  before: { available: string; transferable: string } | null
  after: { available: string; transferable: string } | null
}

/** A site asks for a transfer inscription without an amount, or with a proposed one: the person fills it in. */
export type Brc20AmountReview = {
  kind: 'brc20-amount'
  tick: string
  /** Null where it is not known. */
  available: string | null
  transferable: string | null
  decimals: number | null
  proposed: string | null
  problem: ServerProblem | null
}

import type { Brc20Operation } from '../../ordinals/brc20/brc20-operation.ts'
import type { ServerProblem } from './activity-views.ts'

/** Amounts are decimal, in whole tokens, without trailing zeros. */
export type Brc20BalanceView = { tick: string; available: string; transferable: string }

/** The tokens of the selected account. */
export type Brc20Overview = {
  /** Host of the server that tells; null where none is set. */
  server: string | null
  /** Newest block that it has indexed; null while it does not answer. */
  height: number | null
  /** Whether the chain is further, as far as its server answers: the balances are of an older block. */
  behind: boolean
  problem: ServerProblem | null
  /** Those that hold something, and those that the person follows. */
  balances: (Brc20BalanceView & { followed: boolean })[]
}

export type Brc20TokenView = Brc20BalanceView & {
  /** Host of the server that tells; null where none is set. */
  server: string | null
  followed: boolean
  /** `none` for a ticker that nobody deployed; null where the server does not tell. */
  token:
    | {
        decimals: number
        supply: string
        limit: string
        /** Null where the server does not tell. */
        minted: string | null
        selfMint: boolean
        deploy: string | null
      }
    | 'none'
    | null
  /** Transfer inscriptions on this account that are good for `amount`. */
  transferables: { id: string; amount: string; outpoint: string | null }[]
  problem: ServerProblem | null
}

/** Why an index would not count an operation as things are now. */
export type Brc20Obstacle =
  | 'not-deployed'
  | 'already-deployed'
  /** More than one mint may take. */
  | 'over-limit'
  | 'minted-out'
  /** More than is available. */
  | 'insufficient'
  /** More digits after the point than the token has. */
  | 'too-precise'
  /** A self-mint token whose deploy inscription this account does not hold. */
  | 'not-deployer'
  /** It counts only if blocks take it before, or after, another one that is inscribed with it or waits for a block. */
  | 'order'

/** What inscribing a BRC-20 operation does, by the word of the server. */
export type Brc20Effect = {
  operation: Brc20Operation
  /** Whether the server said what is needed to judge it; `obstacles` are all that it knows of. */
  checked: boolean
  obstacles: Brc20Obstacle[]
  /** Of a mint that gets less than it asks for because no more is left: what it gets. */
  gets: string | null
  /** Of this account, from the first item to the last; null where that is not known or depends on the order, and for a deploy. */
  before: { available: string; transferable: string } | null
  after: { available: string; transferable: string } | null
}

/** A site wants a transfer inscription and names no amount, or one that is only a proposal: the person says how much. */
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

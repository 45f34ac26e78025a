import type { Brc20Token } from '../chain/brc20-source.ts'
import {
  BRC20_DECIMALS,
  formatBrc20Amount,
  MAX_BRC20_AMOUNT,
  parseBrc20Amount,
} from '../ordinals/brc20-amount.ts'
import { type Brc20Operation, foldTicker } from '../ordinals/brc20-operation.ts'
import type { Brc20Effect, Brc20Obstacle } from './ui-methods/brc20-views.ts'

/** What is known of a token and of the account's share in it; `untold` where the server cannot say. */
export type KnownToken = {
  token: Brc20Token | null | 'untold'
  available: bigint
  transferable: bigint
  /** Whether the account holds the token's deploy inscription. */
  holdsDeploy: boolean
}

/** What an operation does, and what is known of the token after it. */
export type Judgement = { effect: Brc20Effect; after: KnownToken }

type Amount = Exclude<Brc20Operation, { op: 'deploy' }>

/** Of an operation that was parsed; one with an obstacle does nothing. */
export function judgeOperation(operation: Brc20Operation, known: KnownToken): Judgement {
  if (operation.op === 'deploy') return judgeDeploy(operation, known)
  return operation.op === 'mint' ? judgeMint(operation, known) : judgeTransfer(operation, known)
}

/** The effect of an operation of which nobody can say anything. */
export function uncheckedEffect(operation: Brc20Operation): Brc20Effect {
  return { operation, checked: false, obstacles: [], gets: null, before: null, after: null }
}

function judgeDeploy(operation: Brc20Operation & { op: 'deploy' }, known: KnownToken): Judgement {
  const effect = { ...uncheckedEffect(operation), checked: known.token !== 'untold' }
  if (known.token === null) return { effect, after: { ...known, token: deployToken(operation) } }
  const obstacles: Brc20Obstacle[] = known.token === 'untold' ? [] : ['already-deployed']
  return { effect: { ...effect, obstacles }, after: known }
}

function judgeMint(operation: Amount, known: KnownToken): Judgement {
  const { token } = known
  const amount = parseBrc20Amount(operation.amt)
  if (token === null) return conclude(operation, known, ['not-deployed'])
  if (token === 'untold') {
    const effect = { ...uncheckedEffect(operation), before: viewAmounts(known) }
    return { effect, after: known }
  }
  const left = token.minted === null ? null : token.supply - token.minted
  const obstacles: Brc20Obstacle[] = [
    ...(isTooPrecise(operation, token) ? ['too-precise' as const] : []),
    ...(amount > token.limit ? ['over-limit' as const] : []),
    ...(left === 0n ? ['minted-out' as const] : []),
    ...(token.selfMint && !known.holdsDeploy ? ['not-deployer' as const] : []),
  ]
  const got = left !== null && left < amount ? left : amount
  const minted = token.minted === null ? null : token.minted + got
  const after = { ...known, available: known.available + got, token: { ...token, minted } }
  const judgement = conclude(operation, known, obstacles, after)
  const gets = obstacles.length === 0 && got < amount ? formatBrc20Amount(got) : null
  return { ...judgement, effect: { ...judgement.effect, gets, checked: left !== null } }
}

function judgeTransfer(operation: Amount, known: KnownToken): Judgement {
  const { token, available, transferable } = known
  const amount = parseBrc20Amount(operation.amt)
  if (token === null) return conclude(operation, known, ['not-deployed'])
  const obstacles: Brc20Obstacle[] = [
    ...(token !== 'untold' && isTooPrecise(operation, token) ? ['too-precise' as const] : []),
    ...(amount > available ? ['insufficient' as const] : []),
  ]
  const after = { ...known, available: available - amount, transferable: transferable + amount }
  const judgement = conclude(operation, known, obstacles, after)
  // Whoever holds enough holds a token that is deployed; how many digits it has matters only where there are some.
  const checked = token !== 'untold' || obstacles.length > 0 || !isTooPrecise(operation, WHOLE)
  return { ...judgement, effect: { ...judgement.effect, checked } }
}

const WHOLE = { decimals: 0 }

function conclude(
  operation: Brc20Operation,
  known: KnownToken,
  obstacles: Brc20Obstacle[],
  wished = known,
): Judgement {
  const after = obstacles.length > 0 ? known : wished
  const amounts = { before: viewAmounts(known), after: viewAmounts(after) }
  return { effect: { operation, checked: true, obstacles, gets: null, ...amounts }, after }
}

/** By its digits: zeros at the end count, too. */
function isTooPrecise({ amt }: Amount, { decimals }: Pick<Brc20Token, 'decimals'>): boolean {
  const [, fraction = ''] = amt.split('.')
  return fraction.length > decimals
}

function viewAmounts({ available, transferable }: KnownToken): NonNullable<Brc20Effect['before']> {
  return {
    available: formatBrc20Amount(available),
    transferable: formatBrc20Amount(transferable),
  }
}

/** As it will be; its inscription has no id yet. */
function deployToken(operation: Brc20Operation & { op: 'deploy' }): Brc20Token {
  const { tick, max, lim, dec, selfMint } = operation
  const supply = /^0+$/.test(max) ? MAX_BRC20_AMOUNT : parseBrc20Amount(max)
  return {
    tick: foldTicker(tick),
    decimals: dec === null ? BRC20_DECIMALS : Number(dec),
    supply,
    limit: lim === null ? supply : parseBrc20Amount(lim),
    minted: 0n,
    selfMint,
    deploy: null,
  }
}

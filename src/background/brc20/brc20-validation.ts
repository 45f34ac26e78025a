import type { Brc20Token } from '../../chain/brc20-source.ts'
import {
  BRC20_DECIMALS,
  formatBrc20Amount,
  MAX_BRC20_AMOUNT,
  parseBrc20Amount,
} from '../../ordinals/brc20/brc20-amount.ts'
import { type Brc20Operation, foldTicker } from '../../ordinals/brc20/brc20-operation.ts'
import type { Brc20Effect, Brc20Obstacle } from '../views/brc20-views.ts'

/** What is known of a token and of the account's share in it; `unknown` where the server cannot say. */
export type KnownToken = {
  token: Brc20Token | null | 'unknown'
  available: bigint
  transferable: bigint
  /** Whether the account holds the token's deploy inscription. */
  holdsDeploy: boolean
}

/** What is known of a token after operations that are in blocks; where their order matters, within bounds only. */
export type TokenState = Pick<KnownToken, 'token' | 'holdsDeploy'> & {
  /** Deploys of which one made the token, while it is not known which. */
  deploys: readonly Brc20Token[]
  available: Bounds
  /** What may still be minted; null where nobody tells. */
  left: Bounds | null
  /** Null where that depends on the order. */
  balance: Balance | null
}

type Bounds = { least: bigint; most: bigint }
type Balance = { available: bigint; transferable: bigint }
type Amount = Exclude<Brc20Operation, { op: 'deploy' }>

/** `amount` is what a mint gets and a transfer sets aside; zero for what comes to nothing, and where that is not known. */
type Verdict = {
  operation: Brc20Operation
  obstacles: Brc20Obstacle[]
  checked: boolean
  amount: bigint
}

/** What is known of a token before any operation that blocks do not have yet. */
export function startState({
  token,
  holdsDeploy,
  available,
  transferable,
}: KnownToken): TokenState {
  return {
    ...{ token, holdsDeploy },
    deploys: [],
    available: { least: available, most: available },
    left: leftOf(token),
    balance: { available, transferable },
  }
}

/** The state after operations of the token that are in blocks which are not counted yet. */
export function passOperations(
  state: TokenState,
  operations: readonly Brc20Operation[],
): TokenState {
  const verdicts = validateAll(operations, state)
  const deploys = [...state.deploys, ...listDeploys(operations)]
  const [deployed, ...others] = deploys
  const isDeployed = state.token === null && deployed !== undefined && others.length === 0
  const token = isDeployed ? deployed : state.token
  const left = isDeployed ? leftOf(deployed) : state.left
  const minting = sumOf(verdicts, 'mint', isPossible)
  const minted = sumOf(verdicts, 'mint', isSure)
  const setAside = sumOf(verdicts, 'transfer', isPossible)
  const { available, balance } = state
  return {
    ...state,
    token,
    deploys: state.token === null && !isDeployed ? deploys : [],
    available: {
      least: fromZero(available.least + minted - setAside),
      most: fromZero(available.most + minting - sumOf(verdicts, 'transfer', isSure)),
    },
    left: left && { least: fromZero(left.least - minting), most: fromZero(left.most - minted) },
    balance: balance && verdicts.every(isSure) ? verdicts.reduce(addTo, balance) : null,
  }
}

/** What is available after those that `wait` for a block, whatever blocks take first. */
export function leastAvailable(state: TokenState, wait: readonly Brc20Operation[]): bigint {
  return fromZero(state.available.least - sumOf(validateAll(wait, state), 'transfer', isPossible))
}

/**
 * What operations of one token do that are inscribed together and were parsed, while others `wait` for a block. Blocks take
 * transactions in the order of their fees, not of a list: what comes to something in one order and to another thing in
 * another has the obstacle `order`. Amounts before and after count from the first operation to the last; the last is right
 * in any order.
 */
export function validateOperations(
  state: TokenState,
  wait: readonly Brc20Operation[],
  operations: readonly Brc20Operation[],
): Brc20Effect[] {
  const verdicts = validateAll([...wait, ...operations], state)
  const isCertain = verdicts.every(isSure)
  const waiting = verdicts.slice(0, wait.length)
  let balance = state.balance && waiting.every(isSure) ? waiting.reduce(addTo, state.balance) : null
  return verdicts.slice(wait.length).map(verdict => {
    const { operation, obstacles, checked, amount } = verdict
    const before = balance && viewBalance(balance)
    balance = balance && addTo(balance, verdict)
    const isAbout = operation.op !== 'deploy'
    const isPart = operation.op === 'mint' && isSure(verdict) && obstacles.length === 0
    return {
      operation,
      checked,
      obstacles,
      gets: isPart && amount < parseBrc20Amount(operation.amt) ? formatBrc20Amount(amount) : null,
      before: isAbout ? before : null,
      after: isAbout && isCertain && balance ? viewBalance(balance) : null,
    }
  })
}

/** The effect of an operation of which nobody can say anything. */
export function uncheckedEffect(operation: Brc20Operation): Brc20Effect {
  return { operation, checked: false, obstacles: [], gets: null, before: null, after: null }
}

/** Of operations of one token, in whatever order blocks take them. */
function validateAll(operations: readonly Brc20Operation[], state: TokenState): Verdict[] {
  const candidates = candidatesOf(state, operations)
  const hinder = (one: Amount) => findHindrance(one, candidates, state)
  const free = operations.flatMap(one =>
    one.op !== 'deploy' && hinder(one).length === 0
      ? { op: one.op, amount: parseBrc20Amount(one.amt) }
      : [],
  )
  const mints = free.filter(({ op }) => op === 'mint')
  const minting = sum(mints)
  const most = state.available.most + minting
  const setAside = sum(free.filter(({ op, amount }) => op === 'transfer' && amount <= most))

  return operations.map(operation => {
    if (operation.op === 'deploy') return validateDeploy(operation)
    const hindrance = hinder(operation)
    if (hindrance.length > 0) return { operation, obstacles: hindrance, checked: true, amount: 0n }
    return operation.op === 'mint' ? validateMint(operation) : validateTransfer(operation)
  })

  function validateDeploy(operation: Brc20Operation): Verdict {
    if (candidates === null) return { operation, obstacles: [], checked: false, amount: 0n }
    if (state.token !== null || state.deploys.length > 0) return stop(operation, 'already-deployed')
    if (candidates.length > 1) return stop(operation, 'order')
    // Whether its parent is a predeploy of this ticker, and old enough, no server tells.
    if (operation.op === 'deploy' && operation.salt !== undefined)
      return { operation, obstacles: [], checked: false, amount: 0n }
    return { operation, obstacles: [], checked: true, amount: 0n }
  }

  function validateMint(operation: Amount): Verdict {
    const { left } = state
    const amount = parseBrc20Amount(operation.amt)
    if (state.token === null) return stop(operation, 'order')
    if (left === null) return { operation, obstacles: [], checked: false, amount: 0n }
    if (minting <= left.least) return { operation, obstacles: [], checked: true, amount }
    const isAlone = mints.length === 1 && left.least === left.most
    if (!isAlone) return stop(operation, 'order')
    return { operation, obstacles: [], checked: true, amount: left.least }
  }

  function validateTransfer(operation: Amount): Verdict {
    const amount = parseBrc20Amount(operation.amt)
    if (amount > most) return stop(operation, 'insufficient')
    if (state.token === null || setAside > state.available.least) return stop(operation, 'order')
    // Whoever holds enough holds a token that is deployed; how many digits it has matters only where there are some.
    const checked = state.token !== 'unknown' || !isTooPrecise(operation, WHOLE)
    return { operation, obstacles: [], checked, amount: checked ? amount : 0n }
  }
}

const WHOLE = { decimals: 0 }

function stop(operation: Brc20Operation, obstacle: Brc20Obstacle): Verdict {
  return { operation, obstacles: [obstacle], checked: true, amount: 0n }
}

/** What the token is or may become; null where nobody tells. */
function candidatesOf(
  { token, deploys }: TokenState,
  operations: readonly Brc20Operation[],
): Brc20Token[] | null {
  if (token === 'unknown') return null
  return token === null ? [...deploys, ...listDeploys(operations)] : [token]
}

function listDeploys(operations: readonly Brc20Operation[]): Brc20Token[] {
  return operations.flatMap(one => (one.op === 'deploy' ? deployToken(one) : []))
}

/** What stands against an operation by the terms of the token, whatever comes before it. */
function findHindrance(
  operation: Amount,
  candidates: readonly Brc20Token[] | null,
  { token, holdsDeploy, left }: TokenState,
): Brc20Obstacle[] {
  if (candidates === null) return []
  const lists = candidates.map((terms): Brc20Obstacle[] => {
    const isMint = operation.op === 'mint'
    const isOwn = holdsDeploy && terms === token
    return [
      ...(isTooPrecise(operation, terms) ? ['too-precise' as const] : []),
      ...(isMint && parseBrc20Amount(operation.amt) > terms.limit ? ['over-limit' as const] : []),
      ...(isMint && left?.most === 0n ? ['minted-out' as const] : []),
      ...(isMint && terms.selfMint && !isOwn ? ['not-deployer' as const] : []),
    ]
  })
  const [first] = lists
  if (first === undefined) return ['not-deployed']
  return lists.every(list => list.length > 0) ? first : []
}

/** By its digits: zeros at the end count, too. */
function isTooPrecise({ amt }: Amount, { decimals }: Pick<Brc20Token, 'decimals'>): boolean {
  const [, fraction = ''] = amt.split('.')
  return fraction.length > decimals
}

/** Whether what it does is the same in any order. */
function isSure({ obstacles, checked }: Verdict): boolean {
  return checked && !obstacles.includes('order')
}

/** Whether it may do something in some order. */
function isPossible({ obstacles }: Verdict): boolean {
  return obstacles.every(one => one === 'order')
}

/** Of those that are sure what they do, of the others what they ask for. */
function sumOf(
  verdicts: readonly Verdict[],
  op: Amount['op'],
  isMeant: (verdict: Verdict) => boolean,
): bigint {
  return verdicts.filter(isMeant).reduce((sum, verdict) => {
    const { operation, amount } = verdict
    if (operation.op !== op) return sum
    return sum + (isSure(verdict) ? amount : parseBrc20Amount(operation.amt))
  }, 0n)
}

function sum(amounts: readonly { amount: bigint }[]): bigint {
  return amounts.reduce((total, { amount }) => total + amount, 0n)
}

function addTo(balance: Balance, { operation, amount }: Verdict): Balance {
  const { available, transferable } = balance
  if (operation.op === 'mint') return { available: available + amount, transferable }
  return { available: available - amount, transferable: transferable + amount }
}

function viewBalance({ available, transferable }: Balance): NonNullable<Brc20Effect['before']> {
  return {
    available: formatBrc20Amount(available),
    transferable: formatBrc20Amount(transferable),
  }
}

function leftOf(token: KnownToken['token']): Bounds | null {
  if (token === null || token === 'unknown' || token.minted === null) return null
  const left = fromZero(token.supply - token.minted)
  return { least: left, most: left }
}

function fromZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
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

// brc20: BRC-20: what an account holds by the word of a server, and whether an operation will count after all that
// is under way. It promises to call what nobody vouches for unchecked; it never moves coins itself.

import type { Brc20Source, Brc20Token } from '../../chain/brc20-source.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import { formatBrc20Amount } from '../../ordinals/brc20/brc20-amount.ts'
import {
  type Brc20Operation,
  countTickerBytes,
  foldTicker,
} from '../../ordinals/brc20/brc20-operation.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { failure } from '../../provider/errors.ts'
import { assetAddressOf } from '../accounts/accounts.ts'
import { nullIfUnanswered } from '../primitives/timeout.ts'
import type { Brc20AmountReview, Brc20Effect } from '../views/brc20-views.ts'
import { listOwnBrc20 } from './brc20-holdings.ts'
import type { Brc20Context } from './brc20-parts.ts'
import { listPendingBrc20 } from './brc20-pending.ts'
import {
  type KnownToken,
  leastAvailable,
  passOperations,
  startState,
  type TokenState,
  uncheckedEffect,
  validateOperations,
} from './brc20-validation.ts'

/** Blocks that an index may be behind: the newest takes it a moment. */
export const MAX_LAG = 1

/**
 * What inscribing these together would do, after all that is on its way, by the word of the server; they were parsed. Never
 * throws because of the server: what it does not say, and all that one says that lags behind, is `checked: false`.
 */
export async function validateBrc20(
  context: Brc20Context,
  operations: readonly Brc20Operation[],
): Promise<Brc20Effect[]> {
  if (operations.length === 0) return []
  const ticks = new Set(operations.map(({ tick }) => foldTicker(tick)))
  const states = await nullIfUnanswered(loadStates(context, ticks))
  if (!states) return operations.map(uncheckedEffect)
  const effects = new Map(
    [...states].map(([tick, { state, wait }]) => [
      tick,
      validateOperations(state, wait, listOf(tick, operations)),
    ]),
  )
  return operations.map(
    operation => effects.get(foldTicker(operation.tick))?.shift() ?? uncheckedEffect(operation),
  )
}

/**
 * Throws PLAN_OUTDATED where something stands against operations that did not when these effects of theirs were shown, such as
 * another one that was inscribed meanwhile. A server that does not answer stops nothing.
 */
export async function assertUnhindered(
  context: Brc20Context,
  shown: readonly Brc20Effect[],
): Promise<void> {
  const now = await validateBrc20(
    context,
    shown.map(({ operation }) => operation),
  )
  const isNew = now.some(({ obstacles }, at) =>
    obstacles.some(obstacle => !shown[at]?.obstacles.includes(obstacle)),
  )
  if (isNew) {
    const text =
      'Something stands against a BRC-20 operation by now. Nothing was signed; work it out again.'
    throw failure('PLAN_OUTDATED', text)
  }
}

/**
 * The token, and what is available to the account whatever blocks take first of all that is on its way; null without a
 * server, and where it lags. Throws BackendUnavailableError.
 */
export async function fetchBrc20Share(
  context: Brc20Context,
  tick: string,
): Promise<Omit<KnownToken, 'holdsDeploy'> | null> {
  const folded = foldTicker(tick)
  const known = (await loadStates(context, new Set([folded])))?.get(folded)
  if (!known) return null
  const { state, wait, transferable } = known
  return { token: state.token, transferable, available: leastAvailable(state, wait) }
}

/**
 * The inscription that must be the parent of a mint of this token: its deploy, where it is a self-mint token and the account
 * holds that. Where no server tells of the token, it is what the account holds that says so: one that turns out not to count
 * does no harm. Null else.
 */
export async function findDeployParent(
  context: Brc20Context,
  tick: string,
): Promise<InscriptionId | null> {
  const source = await context.wallet.brc20(context.network)
  const token = source && (await nullIfUnanswered(source.fetchToken(tick).then(told => ({ told }))))
  if (!token || token.told === 'unknown') return findOwnDeploy(context, tick)
  if (token.told === null) return null
  return (await nullIfUnanswered(holdsDeploy(context, token.told))) ? token.told.deploy : null
}

async function findOwnDeploy(context: Brc20Context, tick: string): Promise<InscriptionId | null> {
  if (countTickerBytes(tick) !== 5) return null
  const own = (await nullIfUnanswered(listOwnBrc20(context))) ?? []
  const deploys = own.filter(({ op, tick: named }) => op === 'deploy' && isSame(named, tick))
  return deploys.at(-1)?.id ?? null
}

function isSame(a: string, b: string): boolean {
  return foldTicker(a) === foldTicker(b)
}

type LoadedToken = {
  /** After what is in blocks. */
  state: TokenState
  /** By the word of the server. */
  transferable: bigint
  /** The account's operations that wait for a block. */
  wait: Brc20Operation[]
}

/** By folded ticker; null without a server, and where it lags. Throws BackendUnavailableError. */
async function loadStates(
  context: Brc20Context,
  ticks: ReadonlySet<string>,
): Promise<Map<string, LoadedToken> | null> {
  const { wallet, network, account } = context
  const source = await wallet.brc20(network)
  const height = source && (await fetchLevel(context, source))
  if (source === null || height === null) return null
  const balances = await source.fetchBalances(assetAddressOf(account), [...ticks])
  const { mined, waiting } = await listPendingBrc20(context, height)
  const entries = [...ticks].map(async (tick): Promise<[string, LoadedToken]> => {
    const token = await source.fetchToken(tick)
    const { available = 0n, transferable = 0n } = balances.find(one => one.tick === tick) ?? {}
    const holds = token !== null && token !== 'unknown' && (await holdsDeploy(context, token))
    const told = startState({ token, available, transferable, holdsDeploy: holds })
    const state = passOperations(told, listOf(tick, mined))
    return [tick, { state, transferable, wait: listOf(tick, waiting) }]
  })
  return new Map(await Promise.all(entries))
}

/** Those of a token. */
function listOf(tick: string, operations: readonly Brc20Operation[]): Brc20Operation[] {
  return operations.filter(operation => foldTicker(operation.tick) === tick)
}

/** Newest block of the source; null where that is behind the chain. */
async function fetchLevel(
  { wallet, network }: Brc20Context,
  source: Brc20Source,
): Promise<number | null> {
  const chain = await wallet.chain(network)
  const [{ height }, tip] = await Promise.all([source.fetchTip(), chain.fetchTip()])
  return height < tip.height - MAX_LAG ? null : height
}

/** By the word of the index: the coin itself is looked at when it is to be spent. */
async function holdsDeploy(
  { wallet, network, account }: Brc20Context,
  { selfMint, deploy }: Brc20Token,
): Promise<boolean> {
  if (!selfMint || deploy === null) return false
  const index = await wallet.assets(network)
  return (await index.fetchInscriptions([deploy])).get(deploy)?.address === assetAddressOf(account)
}

/** The question for the amount of a transfer, with what the account holds as far as the server tells. */
export async function composeAmountQuestion(
  context: Brc20Context,
  { tick, proposed }: { tick: string; proposed: string | null },
): Promise<Brc20AmountReview> {
  const unknown = { available: null, transferable: null, decimals: null, problem: null }
  const question = { kind: 'brc20-amount' as const, tick, proposed }
  try {
    const share = await fetchBrc20Share(context, tick)
    if (!share) return { ...question, ...unknown }
    const { token, available, transferable } = share
    return {
      ...question,
      available: formatBrc20Amount(available),
      transferable: formatBrc20Amount(transferable),
      decimals: token === null || token === 'unknown' ? null : token.decimals,
      problem: null,
    }
  } catch (error) {
    if (!(error instanceof BackendUnavailableError)) throw error
    return { ...question, ...unknown, problem: error.problem }
  }
}

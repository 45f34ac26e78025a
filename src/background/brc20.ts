import type { Network } from '../bitcoin/network.ts'
import type { Brc20Source, Brc20Token } from '../chain/brc20-source.ts'
import { type Brc20Operation, countTickerBytes, foldTicker } from '../ordinals/brc20-operation.ts'
import type { InscriptionId } from '../ordinals/inscription-id.ts'
import { listOwnBrc20 } from './brc20-inscriptions.ts'
import { judgeOperation, type KnownToken, uncheckedEffect } from './brc20-judgement.ts'
import { listPendingBrc20 } from './brc20-pending.ts'
import type { AccountView } from './ui-methods/account-views.ts'
import type { Brc20Effect } from './ui-methods/brc20-views.ts'
import { nullIfUnanswered } from './unanswered.ts'
import type { Wallet } from './wallet.ts'

/** Whose tokens it is about. */
export type Brc20Context = { wallet: Wallet; network: Network; account: AccountView }

/** Blocks that an index may be behind: the newest takes it a moment. */
const MAX_LAG = 1

/**
 * What inscribing these would do, one after the other and after all that is on its way, by the word of the server; they were
 * parsed. Never throws because of the server: what it does not say, and all that one says that lags behind, is
 * `checked: false`.
 */
export async function judgeBrc20(
  context: Brc20Context,
  operations: readonly Brc20Operation[],
): Promise<Brc20Effect[]> {
  if (operations.length === 0) return []
  const ticks = operations.map(({ tick }) => foldTicker(tick))
  const tokens = await nullIfUnanswered(loadTokens(context, new Set(ticks)))
  return operations.map(
    operation => (tokens && judgeNext(tokens, operation)) ?? uncheckedEffect(operation),
  )
}

/**
 * What is known of a token, after all of the account's that is on its way; null without a server, and where it lags. Throws
 * BackendUnavailableError.
 */
export async function fetchBrc20Token(
  context: Brc20Context,
  tick: string,
): Promise<KnownToken | null> {
  const folded = foldTicker(tick)
  return (await loadTokens(context, new Set([folded])))?.get(folded) ?? null
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
  if (!token || token.told === 'untold') return findOwnDeploy(context, tick)
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

/** By folded ticker; null without a server, and where it lags. Throws BackendUnavailableError. */
async function loadTokens(
  context: Brc20Context,
  ticks: ReadonlySet<string>,
): Promise<Map<string, KnownToken> | null> {
  const { wallet, network, account } = context
  const source = await wallet.brc20(network)
  const height = source && (await fetchLevel(context, source))
  if (source === null || height === null) return null
  const balances = await source.fetchBalances(account.address, [...ticks])
  const entries = [...ticks].map(async (tick): Promise<[string, KnownToken]> => {
    const token = await source.fetchToken(tick)
    const { available = 0n, transferable = 0n } = balances.find(one => one.tick === tick) ?? {}
    const holds = token !== null && token !== 'untold' && (await holdsDeploy(context, token))
    return [tick, { token, available, transferable, holdsDeploy: holds }]
  })
  const tokens = new Map(await Promise.all(entries))
  for (const operation of await listPendingBrc20(context, height)) judgeNext(tokens, operation)
  return tokens
}

/** Null for a ticker that was not loaded. */
function judgeNext(tokens: Map<string, KnownToken>, operation: Brc20Operation): Brc20Effect | null {
  const tick = foldTicker(operation.tick)
  const known = tokens.get(tick)
  if (!known) return null
  const { effect, after } = judgeOperation(operation, known)
  tokens.set(tick, after)
  return effect
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
  return (await index.fetchInscriptions([deploy])).get(deploy)?.address === account.address
}

import type { Network } from '../../bitcoin/network.ts'
import { BackendUnavailableError } from '../../chain/chain-source.ts'
import type { Addresses } from '../accounts/addresses.ts'
import type { AccountView } from '../views/account-views.ts'
import type { ActivityParts } from './activity-page.ts'
import type { HistoryRow } from './history-rows.ts'

/** What an account held over time, in sats. */
export type BalanceLine = {
  /** In blocks at a time (milliseconds since 1970); null where it is not known. */
  at(time: number): bigint | null
  /** Now, with what is in no block yet. */
  total: bigint
}

export type BalanceLineParts = ActivityParts & {
  addresses: Pick<Addresses, 'fetchBalance'>
}

type DatedRow = Pick<HistoryRow, 'height' | 'at' | 'net'>

/** Older pages that are asked for at one time; the next time goes on from there. */
const MAX_PAGES = 4

/**
 * What an account held since `start`, or since the oldest of its transactions that a few requests reach. Throws
 * BackendUnavailableError, also where balance and history of the server contradict each other.
 */
export async function fetchBalanceLine(
  wallet: BalanceLineParts,
  network: Network,
  account: AccountView,
  start: number,
): Promise<BalanceLine> {
  const chain = await wallet.chain(network)
  const [first] = chain.servers
  // The second try is for a block that came between the two answers.
  for (const isLast of [false, true]) {
    const { confirmed, unconfirmed } = await wallet.addresses.fetchBalance(chain, account)
    const addresses = await wallet.addresses.listUsed(chain, account)
    await wallet.activity.refresh(chain, account, addresses)
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const { ledger } = await wallet.activity.load(network, account.id)
      if (ledger.next === null || sinceWhen(ledger.rows) <= start) break
      await wallet.activity.extend(chain, account, addresses)
    }
    const { ledger } = await wallet.activity.load(network, account.id)
    const at = traceBalance(confirmed, ledger.rows, ledger.next === null)
    if (at) return { at, total: confirmed + unconfirmed }
    if (isLast) break
  }
  throw new BackendUnavailableError({
    kind: 'nonsense',
    host: first?.host ?? '',
    detail: 'sent a balance that is not what its history adds up to',
    retryInMs: null,
  })
}

/**
 * Reckons back from what an account holds in blocks, so that what happened before the known rows need not be known. Blocks
 * count from their time on. Where that is later than the time of a block on top of it, which the rules allow within two hours,
 * it counts from the latter: none is counted before the one below it.
 * @param confirmed - sats in blocks now
 * @param rows - of the account, without gaps; those in no block are left out
 * @param isWhole - whether there are no older rows
 * @returns sats at a time, null before the oldest known row; null in all where balance and rows contradict each other
 */
export function traceBalance(
  confirmed: bigint,
  rows: readonly DatedRow[],
  isWhole: boolean,
): BalanceLine['at'] | null {
  /** Newest first: from when on the account held what. */
  const steps: { since: number; balance: bigint }[] = []
  let balance = confirmed
  let since = Number.POSITIVE_INFINITY
  for (const block of groupByBlock(rows)) {
    since = Math.min(since, block.at)
    steps.push({ since, balance })
    balance -= block.net
    if (balance < 0n) return null
  }
  if (isWhole && balance !== 0n) return null
  return time => steps.find(step => step.since <= time)?.balance ?? (isWhole ? 0n : null)
}

/** From when on all is known that these rows, and those before them, did. */
function sinceWhen(rows: readonly DatedRow[]): number {
  return Math.min(...rows.filter(({ height }) => height !== null).map(({ at }) => at))
}

/** What each block changed, the newest first. */
function groupByBlock(rows: readonly DatedRow[]): { at: number; net: bigint }[] {
  const blocks = new Map<number, { at: number; net: bigint }>()
  for (const { height, at, net } of rows) {
    if (height === null) continue
    const block = blocks.get(height)
    blocks.set(height, { at, net: (block?.net ?? 0n) + BigInt(net) })
  }
  return [...blocks].sort(([a], [b]) => b - a).map(([, block]) => block)
}

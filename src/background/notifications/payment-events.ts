import type { ActivityEntry } from '../views/activity-views.ts'

/** A transaction of the account as its activity tells it. */
export type Payment = Pick<
  ActivityEntry,
  'txid' | 'kind' | 'status' | 'net' | 'height' | 'replacedBy'
> & {
  /** Whether this wallet sent it. */
  isOwn: boolean
  /** Its first inputs; empty where they are not known any more. */
  spends: readonly string[]
}

/** What the person was told of a transaction, or knows: `height` once it was in a block. */
type ToldPayment = {
  height: number | null
  /** Of a payment to the account in no block. */
  incoming?: { net: string | null; spends: readonly string[] }
}

/** What is remembered of an account: nothing is told of blocks before `from`. */
export type ToldPayments = { from: number; payments: { [txid: string]: ToldPayment } }

export type PaymentEvent = {
  /**
   * - `received` came, and waits or is `inBlock`
   * - `confirmed` is in a block, and was told of or sent before
   * - `replaced` by another transaction, which `txid` names where that pays the account too
   * - `gone` was on its way to the account, and no server has it any more
   * - `refused` was sent by the wallet, and the network did not take it
   */
  is: 'received' | 'confirmed' | 'replaced' | 'gone' | 'refused'
  txid: string
  isIncoming: boolean
  inBlock: boolean
  net: string | null
}

/** Blocks that a reorganisation might undo: what was told of these is remembered. */
const REMEMBERED_BLOCKS = 100

/** The oldest are forgotten. */
const MOST_REMEMBERED = 2_000

/**
 * What happened to an account since it was last told of. With null for `told`, which is when it begins, nothing is told and all that is
 * there is remembered. `isFresh` says that the server was just asked: only then is a payment that is missing gone. `oldest` is the height
 * that the known history goes back to. `jobTxids` belong to jobs, of which the person is told as a whole.
 */
export function findPaymentEvents(
  told: ToldPayments | null,
  payments: readonly Payment[],
  {
    isFresh,
    oldest,
    jobTxids,
  }: { isFresh: boolean; oldest: number; jobTxids: ReadonlySet<string> },
): { events: PaymentEvent[]; next: ToldPayments } {
  const highest = Math.max(0, ...payments.map(({ height }) => height ?? 0))
  const floor = told?.from ?? Math.max(oldest, highest - REMEMBERED_BLOCKS)
  const before = new Map(Object.entries(told?.payments ?? {}))
  const after = new Map<string, ToldPayment>()
  const events: PaymentEvent[] = []
  const own = new Set(payments.flatMap(({ txid, isOwn }) => (isOwn ? txid : [])))
  const listed = new Set(payments.map(({ txid }) => txid))
  /** Payments to the account that were told of and are in its activity no more. */
  const missing = new Map(
    [...before].filter(([txid, { incoming }]) => incoming && !listed.has(txid)),
  )
  for (const payment of payments) {
    const { txid, status, height } = payment
    if (status === 'unsent' || (height !== null && height < floor)) continue
    const known = before.get(txid)
    const isOver = status === 'replaced' || status === 'failed'
    // What was undone comes back, and is not told of twice.
    if (!isOver) after.set(txid, height === null && known ? known : remember(payment))
    const event = told === null || jobTxids.has(txid) ? null : findEvent(payment, known, isOver)
    if (event) events.push(event)
  }
  for (const [txid, known] of missing) {
    if (!isFresh) after.set(txid, known)
    else events.push(eventOf('gone', { txid, net: known.incoming?.net ?? null }))
  }
  const from = Math.max(floor, highest - REMEMBERED_BLOCKS)
  const kept = [...after].filter(([, { height }]) => height === null || height >= from)
  return { events, next: { from, payments: Object.fromEntries(kept.slice(0, MOST_REMEMBERED)) } }

  function findEvent(
    payment: Payment,
    known: ToldPayment | undefined,
    isOver: boolean,
  ): PaymentEvent | null {
    const { kind, status, height, replacedBy } = payment
    const isIncoming = kind === 'received'
    if (isOver) {
      // What the person replaced is no news, nor is what was over when it was first seen.
      if (!known || (replacedBy !== null && own.has(replacedBy))) return null
      return eventOf(status === 'failed' ? 'refused' : 'replaced', payment, isIncoming)
    }
    if (known) {
      const isNews = height !== null && known.height === null
      return isNews ? eventOf('confirmed', payment, isIncoming) : null
    }
    if (!isIncoming) return height === null ? null : eventOf('confirmed', payment, false)
    const replaced = takeReplaced(payment)
    if (!replaced) return eventOf('received', payment)
    if (height !== null) return eventOf('confirmed', payment)
    // A sender who pays a higher fee changes nothing for the account.
    return replaced.incoming?.net === payment.net ? null : eventOf('replaced', payment)
  }

  /** The payment that is missing since this one spends an input of it. */
  function takeReplaced({ spends }: Payment): ToldPayment | null {
    for (const [txid, known] of missing) {
      if (!known.incoming?.spends.some(outpoint => spends.includes(outpoint))) continue
      missing.delete(txid)
      return known
    }
    return null
  }
}

function remember({ kind, height, net, spends }: Payment): ToldPayment {
  return {
    height,
    ...(kind === 'received' && height === null && { incoming: { net, spends: [...spends] } }),
  }
}

function eventOf(
  is: PaymentEvent['is'],
  { txid, net, height = null }: Pick<Payment, 'txid' | 'net'> & { height?: number | null },
  isIncoming = true,
): PaymentEvent {
  return { is, txid, isIncoming, inBlock: height !== null, net }
}

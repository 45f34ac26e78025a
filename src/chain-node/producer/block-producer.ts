import { setImmediate, setTimeout as wait } from 'node:timers/promises'
import type { Chain } from '../chain/chain.ts'
import type { Hex } from '../codec/hex.ts'
import type { Production } from '../config/config.ts'
import type { Header } from '../engine/block.ts'
import type { Engine, ProducedBlock } from '../engine/engine.ts'
import type { Transaction } from '../engine/transaction.ts'
import type { Pool } from '../pool/pool.ts'
import type { Producer } from './producer.ts'

export interface ProducerParts {
  readonly engine: Pick<Engine, 'produceBlock'>
  readonly chain: Pick<Chain, 'head' | 'append'>
  readonly pool: Pick<Pool, 'candidates' | 'drop' | 'find' | 'nextNonce' | 'onPending'>
  readonly production: Production
  readonly miner: Hex
  readonly extraData?: Hex
  /** Told of a block that could not be made or stored, which is tried again: with the next trigger, or after a second. */
  readonly onFault: (error: unknown) => void
  /** Told of a transaction that left the pool because no block can take it. */
  readonly onRefused: (transaction: Transaction, reason: string) => void
  /** Told of each block once it is stored, with the seconds that it took. */
  readonly onProduced?: (header: Header, transactions: number, seconds: number) => void
  /** Resolves once all transactions are in the pool that are on their way to it; null where none is. */
  readonly untilDecoded?: () => Promise<void> | null
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Milliseconds. */
const RETRY = 1000

/** Somebody who waits until one transaction, or all, need no block any more. */
interface Waiter {
  readonly transaction: Transaction | null
  /** Rounds that had begun when they came: these know nothing of the transaction. */
  readonly since: number
  readonly release: () => void
}

/** Milliseconds in which senders that wait for each answer send their next transaction. */
const CROWD_PAUSE = 1

interface Round {
  readonly header: Header
  readonly transactions: number
  /** Whether everything that could be in the block is in it, or was refused. */
  readonly tookAll: boolean
}

/** Seconds since 1970, some nine million years: what comes after it has room in the 64 bits of a header. */
const LAST_TIME = 2n ** 48n

function assertTime(timestamp: bigint): void {
  if (timestamp > LAST_TIME) {
    throw new RangeError(
      `the time ${timestamp} is after the last one that may be set, ${LAST_TIME}`,
    )
  }
}

/**
 * Makes blocks as transactions come (`automine`), every so many seconds (`interval`, also empty ones), or when asked
 * (`manual`); asking works with all of them.
 *
 * A block's time is the clock's, and at least a second after its parent's, as the yellow paper's rule for headers is and as
 * geth and anvil do: a chain that makes more than one block a second has times ahead of the clock.
 */
export function createProducer(parts: ProducerParts): Producer {
  const { engine, chain, pool, production, onFault } = parts
  const now = parts.now ?? Date.now
  let isAutomine = production.mode === 'automine'
  /** Seconds that the clock of blocks is ahead of the node's. */
  let ahead = 0n
  let nextTime: bigint | null = null
  let miner = parts.miner
  let turn: Promise<unknown> = Promise.resolve()
  let stopped = false
  let fault: unknown = null

  function report(error: unknown): void {
    fault = error
    onFault(error)
  }

  /** One block at a time: whatever asks for one. */
  function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(() => {
      if (stopped) throw new Error('the node makes no blocks any more: it is stopping')
      return work()
    })
    turn = result.catch(() => {})
    return result
  }

  /** @param emptyToo - without it null stands for a block that would hold nothing */
  async function makeBlock(emptyToo: boolean): Promise<Round | null> {
    const begin = performance.now()
    const offered = countItems(pool.candidates())
    if (!emptyToo && offered.peek() === null) {
      fault = null
      return null
    }
    const parent = chain.head()
    const produced = await engine.produceBlock(parent, describeNext(parent), offered.items)
    const { header, transactions } = produced.block
    const done = transactions.length + produced.refused.length
    const tookAll = offered.ended() && offered.count() === done
    if (transactions.length > 0 || emptyToo) {
      await chain.append(produced)
      followTime(header)
      parts.onProduced?.(header, transactions.length, (performance.now() - begin) / 1000)
    } else if (done === 0) {
      throw new Error('no candidate was put into the block, and none was refused')
    }
    fault = null
    dropRefused(produced)
    return { header, transactions: transactions.length, tookAll }
  }

  function readClock(): bigint {
    return BigInt(Math.floor(now() / 1000)) + ahead
  }

  /** From a time that was asked for the clock goes on. */
  function followTime({ timestamp }: Header): void {
    if (nextTime === null) return
    nextTime = null
    ahead += timestamp - readClock()
  }

  function describeNext(parent: Header) {
    const wanted = nextTime ?? readClock()
    return {
      timestamp: wanted > parent.timestamp ? wanted : parent.timestamp + 1n,
      miner,
      gasLimit: parent.gasLimit,
      extraData: parts.extraData ?? '0x',
    }
  }

  /** Of each sender the first alone: the others were refused because they come after it, and wait for another in its place. */
  function dropRefused({ refused }: ProducedBlock): void {
    const senders = new Set<Hex>()
    for (const { transaction, reason } of refused) {
      if (senders.has(transaction.from)) continue
      senders.add(transaction.from)
      pool.drop(transaction.hash)
      parts.onRefused(transaction, reason)
    }
  }

  const automine = createAutomine()
  let interval = production.mode === 'interval' ? startInterval(production.seconds) : null

  function createAutomine() {
    const waiters = new Set<Waiter>()
    let rounds = 0
    let working = false
    let retry: NodeJS.Timeout | undefined
    /** Whether something came since the candidates were looked at: what comes then must not be missed. */
    let woken = false

    function wake(): void {
      woken = true
      if (working || stopped) return
      working = true
      void work()
    }

    async function work(): Promise<void> {
      let crowd = false
      while (woken && !stopped) {
        // What came in at the same time shares a block, and what is sent because a block has just answered many.
        await (crowd ? wait(CROWD_PAUSE) : setImmediate())
        const arriving = parts.untilDecoded?.() ?? null
        if (arriving !== null) {
          await arriving
          await setImmediate()
        }
        try {
          const round = await takeTurn(() => {
            woken = false
            rounds++
            return makeBlock(false)
          })
          if (round) woken = true
          crowd = round !== null && round.transactions > 1
          release(round)
        } catch (error) {
          if (!stopped) {
            report(error)
            clearTimeout(retry)
            retry = setTimeout(wake, RETRY)
          }
          release(null)
        }
      }
      working = false
      release(null)
    }

    /** @param round - null where there is nothing to wait for now */
    function release(round: Round | null): void {
      for (const waiter of waiters) {
        const { transaction, since } = waiter
        const isOver =
          round === null ||
          (transaction !== null && !isWaiting(transaction)) ||
          (transaction !== null && round.tookAll && since < rounds)
        if (!isOver) continue
        waiters.delete(waiter)
        waiter.release()
      }
    }

    return {
      wake,
      stop: () => clearTimeout(retry),
      settle(transaction: Transaction | null): Promise<void> {
        if (!working || (transaction && !isWaiting(transaction))) return Promise.resolve()
        return new Promise(resolve => {
          waiters.add({ transaction, since: rounds, release: resolve })
        })
      },
    }
  }

  function isWaiting({ hash, from, nonce }: Transaction): boolean {
    return pool.find(hash) !== null && nonce < pool.nextNonce(from)
  }

  function startInterval(seconds: number) {
    let due = now()
    let isEnded = false
    let timer = plan()

    function plan() {
      due = Math.max(due + seconds * 1000, now())
      return setTimeout(tick, due - now())
    }

    async function tick(): Promise<void> {
      try {
        await takeTurn(() => makeBlock(true))
      } catch (error) {
        if (!stopped) report(error)
      }
      if (!stopped && !isEnded) timer = plan()
    }

    return {
      stop() {
        isEnded = true
        clearTimeout(timer)
      },
    }
  }

  let ignorePending = isAutomine ? pool.onPending(automine.wake) : () => {}
  if (isAutomine) automine.wake()

  return {
    describeNext: () => describeNext(chain.head()),
    async produce() {
      const round = await takeTurn(() => makeBlock(true))
      if (!round) throw new Error('there is no block')
      // What the base fee or the room of this block kept out may be in the next.
      if (isAutomine) automine.wake()
      return round.header
    },
    moveTime(seconds) {
      assertTime(readClock() + BigInt(seconds))
      ahead += BigInt(seconds)
      return Number(ahead)
    },
    setNextTime(timestamp) {
      const head = chain.head().timestamp
      if (timestamp <= head) {
        throw new RangeError(`the time ${timestamp} is not after that of the head, ${head}`)
      }
      assertTime(timestamp)
      nextTime = timestamp
    },
    clock: () => ({ now: readClock(), next: nextTime }),
    setClock(clock) {
      ahead += clock.now - readClock()
      nextTime = clock.next
    },
    setMiner(address) {
      miner = address
    },
    betweenBlocks: takeTurn,
    isAutomine: () => isAutomine,
    setAutomine(isOn) {
      if (isOn === isAutomine) return
      isAutomine = isOn
      ignorePending()
      ignorePending = isOn ? pool.onPending(automine.wake) : () => {}
      if (isOn) automine.wake()
    },
    setBlockTime(seconds) {
      interval?.stop()
      interval = seconds > 0 && !stopped ? startInterval(seconds) : null
    },
    settle: (transaction = undefined) => automine.settle(transaction ?? null),
    fault: () => (fault === null ? null : fault instanceof Error ? fault.message : String(fault)),
    async stop() {
      stopped = true
      ignorePending()
      automine.stop()
      interval?.stop()
      await turn
    },
  }
}

/** Hands items on, and knows how many it has handed on and whether there were more. */
function countItems<T>(source: Iterable<T>) {
  const iterator = source[Symbol.iterator]()
  let first: IteratorResult<T> | null = null
  let count = 0
  let ended = false

  const take = () => {
    const next = first ?? iterator.next()
    first = null
    return next
  }

  function* hand(): Generator<T> {
    for (let next = take(); !next.done; next = take()) {
      count++
      yield next.value
    }
    ended = true
  }

  return {
    items: hand(),
    peek(): T | null {
      first ??= iterator.next()
      return first.done ? null : first.value
    },
    count: () => count,
    ended: () => ended,
  }
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Hex } from '../codec/hex.ts'
import { readLogFilter } from '../codec/log-filter.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { createAddress, createFeed, createHash, createLog } from '../testing/feed.ts'
import { createFilters, type FilterOptions } from './filters.ts'

const MINUTE = 60_000
const NOT_FOUND = new RpcError(-32000, 'filter not found')

describe('block filters', () => {
  it('give the hashes of blocks since the last poll, in their order', () => {
    const { feed, filters, poll } = start()
    feed.append()
    const id = filters.addBlockFilter()
    expect(poll(id)).toEqual([])
    feed.append()
    feed.append()
    expect(poll(id)).toEqual([createHash(2), createHash(3)])
    expect(poll(id)).toEqual([])
    feed.append()
    expect(poll(id)).toEqual([createHash(4)])
  })

  it('do not share what they give', () => {
    const { feed, filters, poll } = start()
    const first = filters.addBlockFilter()
    feed.append()
    const second = filters.addBlockFilter()
    feed.append()
    expect(poll(second)).toEqual([createHash(2)])
    expect(poll(first)).toEqual([createHash(1), createHash(2)])
  })
})

describe('transaction filters', () => {
  it('give the hashes of transactions that became pending', () => {
    const { feed, filters, poll } = start()
    feed.makePending()
    const id = filters.addTransactionFilter()
    const hashes = [feed.makePending(), feed.makePending()].map(({ hash }) => hash)
    feed.append()
    expect(poll(id)).toEqual(hashes)
    expect(poll(id)).toEqual([])
  })
})

describe('log filters', () => {
  it('give the logs that their criteria name', () => {
    const { feed, filters, poll } = start()
    const byAddress = add(filters, { address: createAddress(1) })
    const byTopic = add(filters, { topics: [null, createHash(7)] })
    const all = add(filters, {})
    feed.append([
      createLog(1),
      createLog(2, createHash(1), createHash(7)),
      createLog(1, createHash(7)),
    ])
    expect(poll(byAddress)).toEqual(['1:', '1:7'])
    expect(poll(byTopic)).toEqual(['2:1,7'])
    expect(poll(all)).toEqual(['1:', '2:1,7', '1:7'])
    expect(poll(all)).toEqual([])
  })

  // Blocks 1 to 6 come; ranges as in geth's `EventSystem.SubscribeLogs` and `filterLogs`.
  it.each([
    [{}, [3, 4, 5, 6]],
    [{ fromBlock: 'latest', toBlock: 'latest' }, [3, 4, 5, 6]],
    [{ fromBlock: 'earliest' }, [3, 4, 5, 6]],
    [{ fromBlock: 'pending', toBlock: 'pending' }, [3, 4, 5, 6]],
    [{ fromBlock: '0x1', toBlock: 'latest' }, [3, 4, 5, 6]],
    [{ fromBlock: '0x5' }, [5, 6]],
    [{ fromBlock: '0x0', toBlock: '0x4' }, [3, 4]],
    [{ fromBlock: '0x4', toBlock: '0x4' }, [4]],
    [{ fromBlock: '0x1', toBlock: '0x2' }, []],
    [{ fromBlock: 'earliest', toBlock: 'earliest' }, []],
    [{ fromBlock: '0x7' }, []],
  ])('%j, installed at block 2, gives logs of new blocks in its range', (filter, expected) => {
    const { feed, filters, poll } = start()
    feed.append([createLog(1)])
    feed.append([createLog(2)])
    const id = add(filters, filter)
    for (const number of [3, 4, 5, 6]) feed.append([createLog(number)])
    expect(poll(id)).toEqual(expected.map(number => `${number}:`))
  })

  it.each([
    { fromBlock: '0x2', toBlock: '0x1' },
    { fromBlock: 'latest', toBlock: '0x10' },
    { toBlock: '0x10' },
    { fromBlock: '0x1', toBlock: 'earliest' },
  ])('refuse the range %j', filter => {
    const { filters } = start()
    expect(() => add(filters, filter)).toThrow(new RpcError(-32602, 'invalid block range params'))
  })

  it('refuse one block by its hash', () => {
    const { filters } = start()
    expect(() => add(filters, { blockhash: createHash(1) })).toThrow(
      new RpcError(-32602, 'cannot specify BlockHash for blocks to come'),
    )
  })

  it('give their criteria, and other filters have none', () => {
    const { filters } = start()
    const filter = readLogFilter({ fromBlock: '0x1', address: createAddress(1) })
    expect(filters.findLogFilter(filters.addLogFilter(filter))).toEqual(filter)
    expect(() => filters.findLogFilter(filters.addBlockFilter())).toThrow(NOT_FOUND)
    expect(() => filters.findLogFilter(filters.addTransactionFilter())).toThrow(NOT_FOUND)
  })
})

describe('ids', () => {
  it('are of 16 random bytes without leading zeros, each another', () => {
    const { filters } = start()
    const ids = Array.from({ length: 900 }, () => filters.addBlockFilter())
    for (const id of ids) expect(id).toMatch(/^0x[1-9a-f][0-9a-f]{0,31}$/)
    expect(new Set(ids).size).toBe(900)
    expect(ids.filter(id => id.length === 34).length).toBeGreaterThan(700)
  })

  it.each(['', '0x0', '__proto__', '0x1234'])('that no filter has (%j) are not found', id => {
    const { filters } = start()
    expect(() => filters.takeChanges(id)).toThrow(NOT_FOUND)
    expect(() => filters.findLogFilter(id)).toThrow(NOT_FOUND)
    expect(filters.remove(id)).toBe(false)
  })

  it('of removed filters are not found', () => {
    const { feed, filters } = start()
    for (const id of addEachKind(filters)) {
      expect(filters.remove(id)).toBe(true)
      expect(filters.remove(id)).toBe(false)
      expect(() => filters.takeChanges(id)).toThrow(NOT_FOUND)
    }
    feed.append([createLog(1)])
  })
})

describe('expiry', () => {
  it('comes five minutes after the last poll', () => {
    for (const kind of [0, 1, 2]) {
      const { clock, filters, poll } = start()
      const id = addEachKind(filters)[kind] ?? ''
      clock.advance(5 * MINUTE - 1)
      expect(poll(id)).toEqual([])
      clock.advance(5 * MINUTE - 1)
      expect(poll(id)).toEqual([])
      clock.advance(5 * MINUTE)
      expect(() => poll(id)).toThrow(NOT_FOUND)
    }
  })

  it('is not put off by a look at the logs', () => {
    const { clock, filters } = start()
    const id = add(filters, {})
    clock.advance(3 * MINUTE)
    filters.findLogFilter(id)
    clock.advance(2 * MINUTE)
    expect(() => filters.findLogFilter(id)).toThrow(NOT_FOUND)
    expect(filters.remove(id)).toBe(false)
  })

  it('frees the places of filters that nobody asks for, every 30 seconds', () => {
    const { clock, filters } = start({ maxFilters: 3 })
    addEachKind(filters)
    expect(clock.repeated).toEqual([30_000])
    expect(() => filters.addBlockFilter()).toThrow()
    clock.advance(5 * MINUTE)
    expect(filters.count()).toBe(3)
    clock.runRepeated()
    expect(filters.count()).toBe(0)
    expect(addEachKind(filters)).toHaveLength(3)
  })
})

describe('limits', () => {
  it('are 1000 filters, until one is removed or expires', () => {
    const { clock, filters } = start()
    const ids = Array.from({ length: 1000 }, () => filters.addBlockFilter())
    const tooMany = new RpcError(-32005, 'too many filters, at most 1000 at a time')
    expect(() => filters.addBlockFilter()).toThrow(tooMany)
    expect(() => filters.addTransactionFilter()).toThrow(tooMany)
    expect(() => add(filters, {})).toThrow(tooMany)
    filters.remove(ids[0] ?? '')
    filters.addBlockFilter()
    expect(() => filters.addBlockFilter()).toThrow(tooMany)
    clock.advance(5 * MINUTE)
    filters.addBlockFilter()
  })

  it('are 10,000 entries; one more ends the filter and no other', () => {
    const { feed, filters, poll } = start()
    const [blocks = '', transactions = '', logs = ''] = addEachKind(filters)
    const polled = add(filters, {})
    for (let i = 0; i < 10_000; i++) {
      feed.append([createLog(1)])
      feed.makePending()
      if (i === 5000) poll(polled)
    }
    expect(poll(blocks)).toHaveLength(10_000)
    feed.append([createLog(1)])
    feed.makePending()
    expect(poll(blocks)).toHaveLength(1)
    expect(() => poll(transactions)).toThrow(NOT_FOUND)
    expect(() => poll(logs)).toThrow(NOT_FOUND)
    expect(poll(polled)).toHaveLength(5000)
  })
})

it('gives every entry once and in order, whatever is done in between', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant({ do: 'append' as const }) },
    { weight: 2, arbitrary: fc.constant({ do: 'pending' as const }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('add' as const), kind: fc.nat(2) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('poll' as const), which: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), which: fc.nat(9) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('wait' as const),
        minutes: fc.integer({ min: 1, max: 4 }),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'sweep' as const }) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const { clock, feed, filters, poll } = start()
      // The model: everything that ever happened, and for each filter where in it the last poll was.
      const past: string[][] = [[], [], []]
      const known: { id: Hex; kind: number; seen: number; polled: number; isGone: boolean }[] = []
      const isAlive = (filter: (typeof known)[number]) =>
        !filter.isGone && clock.now() - filter.polled < 5 * MINUTE
      for (const step of steps) {
        if (step.do === 'append') {
          const count = past[2]?.length ?? 0
          const { block } = feed.append([
            createLog(1, createHash(count)),
            createLog(2, createHash(count)),
          ])
          past[0]?.push(block.header.hash)
          past[2]?.push(`1:${count}`)
        } else if (step.do === 'pending') {
          past[1]?.push(feed.makePending().hash)
        } else if (step.do === 'add') {
          const id = [
            () => filters.addBlockFilter(),
            () => filters.addTransactionFilter(),
            () => add(filters, { address: createAddress(1) }),
          ][step.kind]?.()
          const seen = past[step.kind]?.length ?? 0
          if (id) known.push({ id, kind: step.kind, seen, polled: clock.now(), isGone: false })
        } else if (step.do === 'wait') {
          clock.advance(step.minutes * MINUTE)
        } else if (step.do === 'sweep') {
          clock.runRepeated()
        } else {
          const filter = known[step.which]
          if (!filter) continue
          if (step.do === 'remove') {
            expect(filters.remove(filter.id)).toBe(isAlive(filter))
            filter.isGone = true
          } else if (isAlive(filter)) {
            const all = past[filter.kind] ?? []
            expect(poll(filter.id)).toEqual(all.slice(filter.seen))
            filter.seen = all.length
            filter.polled = clock.now()
          } else {
            expect(() => poll(filter.id)).toThrow(NOT_FOUND)
            filter.isGone = true
          }
        }
      }
    }),
  )
})

it('hears nothing after it is closed', () => {
  const { clock, feed, filters } = start()
  const ids = addEachKind(filters)
  expect(feed.countListeners()).toBe(2)
  filters.close()
  expect(feed.countListeners()).toBe(0)
  expect(clock.repeated).toEqual([])
  for (const id of ids) expect(() => filters.takeChanges(id)).toThrow(NOT_FOUND)
})

it('keeps no process alive with its timer', () => {
  const feed = createFeed()
  const before = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  const filters = createFilters(feed.chain, feed.pool)
  const after = process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
  filters.close()
  expect(after).toBe(before)
})

function start(options: FilterOptions = {}) {
  const feed = createFeed()
  const clock = createClock()
  const filters = createFilters(feed.chain, feed.pool, { clock, ...options })
  return {
    feed,
    clock,
    filters,
    poll: (id: string): unknown => JSON.parse(filters.takeChanges(id)),
  }
}

function createClock() {
  let now = 1000
  const repeated: { milliseconds: number; work: () => void }[] = []
  return {
    now: () => now,
    repeat(milliseconds: number, work: () => void) {
      const entry = { milliseconds, work }
      repeated.push(entry)
      return () => {
        repeated.splice(repeated.indexOf(entry), 1)
      }
    },
    advance(milliseconds: number) {
      now += milliseconds
    },
    runRepeated() {
      for (const { work } of repeated) work()
    },
    get repeated() {
      return repeated.map(({ milliseconds }) => milliseconds)
    },
  }
}

type Filters = ReturnType<typeof createFilters>

function add(filters: Filters, filter: object): Hex {
  return filters.addLogFilter(readLogFilter(filter))
}

function addEachKind(filters: Filters): Hex[] {
  return [filters.addBlockFilter(), filters.addTransactionFilter(), add(filters, {})]
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChainSource, HistoryTransaction } from '../../chain/chain-source.ts'
import { openAccountHistory } from './account-history.ts'

/** A transaction of some of the addresses, by number; null for one in no block. */
type Given = { height: number | null; addresses: readonly number[] }

const TRANSACTIONS = fc.array(
  fc.record({
    height: fc.option(fc.integer({ min: 1, max: 40 }), { freq: 8 }),
    addresses: fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 3 }),
  }),
  { maxLength: 80 },
)

const OWN = { branch: 0, index: 0, scriptPubKey: Uint8Array.of(1) }

/** A server that tells each address its transactions, newest first, in pages that end with the txid that the next begins after. */
function serve(given: readonly Given[], pageSize: number) {
  const asked: string[] = []
  const all = given.map(({ height, addresses }, at) => ({
    addresses,
    transaction: { txid: `t${at}`, height } as HistoryTransaction,
  }))
  const ordered = all.toSorted(
    (a, b) => (b.transaction.height ?? 1_000) - (a.transaction.height ?? 1_000),
  )
  const fetchHistory = async (address: string, after: string | null) => {
    asked.push(address)
    const own = ordered
      .filter(({ addresses }) => addresses.includes(Number(address.replace('address ', ''))))
      .map(({ transaction }) => transaction)
    const start = after === null ? 0 : own.findIndex(({ txid }) => txid === after) + 1
    const transactions = own.slice(start, start + pageSize)
    const isLast = start + pageSize >= own.length
    return { transactions, next: isLast ? null : (transactions.at(-1)?.txid ?? null) }
  }
  const chain = { network: 'regtest', fetchHistory } as unknown as ChainSource
  const addresses = Array.from({ length: 6 }, (_, at) => ({
    ...{ branch: 0, index: at, address: `address ${at}` },
    scriptPubKey: Uint8Array.of(at),
  }))
  return { history: openAccountHistory(chain, addresses), asked }
}

/** Heights in the order that a person should see: what waits, then the newest block first. */
const inOrder = (given: readonly Given[]) =>
  given.map(({ height }) => height).toSorted((a, b) => (b ?? 1_000) - (a ?? 1_000))

describe('the history of several addresses', () => {
  it('put together from its pages has every transaction once, newest first, whatever the pages of each', async () => {
    await fc.assert(
      fc.asyncProperty(TRANSACTIONS, fc.integer({ min: 1, max: 6 }), async (given, pageSize) => {
        const { history } = serve(given, pageSize)
        const rows: HistoryTransaction[] = []
        let after: string | null = null
        for (let pages = 0; pages <= given.length + 1; pages++) {
          const page = await history.fetchPage(after)
          rows.push(...page.transactions)
          after = page.next
          if (after === null) break
        }
        expect(after).toBeNull()
        expect(rows.map(({ height }) => height)).toEqual(inOrder(given))
        expect(new Set(rows.map(({ txid }) => txid)).size).toBe(given.length)
      }),
      { numRuns: 300 },
    )
  })

  it('goes on after any row that is in a block', async () => {
    await fc.assert(
      fc.asyncProperty(TRANSACTIONS, fc.nat(), async (given, pick) => {
        const heights = given.flatMap(({ height }) => height ?? [])
        const height = heights[pick % Math.max(1, heights.length)]
        if (height === undefined) return
        const { history } = serve(given, 3)
        let after: string | null = history.after({ txid: 'any', height })
        const rows: HistoryTransaction[] = []
        while (after !== null) {
          const page = await history.fetchPage(after)
          rows.push(...page.transactions)
          after = page.next
        }
        const older = heights.filter(one => one <= height).toSorted((a, b) => b - a)
        expect(rows.map(row => row.height)).toEqual(older)
      }),
    )
  })

  it.each([
    ['has always more that waits', null],
    ['has always more in one block', 7],
  ])('ends where a server %s', async (_, height) => {
    let asked = 0
    const fetchHistory = async (_: string, after: string | null) => {
      asked++
      const transactions = [{ txid: `t${asked}`, height } as HistoryTransaction]
      return { transactions, next: `${after}+` }
    }
    const chain = { network: 'regtest', fetchHistory } as unknown as ChainSource
    const addresses = [0, 1].map(at => ({ ...OWN, index: at, address: `a${at}` }))
    await openAccountHistory(chain, addresses).fetchPage(null)
    expect(asked).toBeLessThan(100)
  })

  it('names no address in what is kept to go on', async () => {
    const given = Array.from({ length: 12 }, (_, at) => ({ height: 40 - at, addresses: [0, 1] }))
    const { history } = serve(given, 3)
    const { next } = await history.fetchPage(null)
    expect(next).not.toBeNull()
    expect(next).not.toContain('address')
    expect(history.after({ txid: 'any', height: 5 })).not.toContain('address')
  })

  it('asks an address no further than for what is shown', async () => {
    const given = [
      ...Array.from({ length: 20 }, (_, at) => ({ height: 40 - at, addresses: [0] })),
      ...Array.from({ length: 20 }, (_, at) => ({ height: 20 - at, addresses: [1] })),
    ]
    const { history, asked } = serve(given, 5)
    await history.fetchPage(null)
    expect(asked.toSorted()).toEqual([0, 1, 2, 3, 4, 5].map(at => `address ${at}`))
  })
})

it('the history of one address has the pages of its server, with their names', async () => {
  const fetchHistory = async (address: string, after: string | null) => {
    return { transactions: [], next: `${address} ${after}` }
  }
  const chain = { fetchHistory } as unknown as ChainSource
  const one = openAccountHistory(chain, [{ ...OWN, address: 'a' }])
  expect(await one.fetchPage('x')).toEqual({ transactions: [], next: 'a x' })
  expect(one.after({ txid: 'y', height: 4 })).toBe('y')
})

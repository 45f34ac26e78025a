import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AddressFinding, GAP_LIMIT, lookAtAddresses } from './address-discovery.ts'

/** What a server knows: sats and transactions by branch and index. */
type Chain = Map<string, { transactions: number; sats: bigint }>

async function look(
  chain: Chain,
  {
    used = [0, 0],
    shown = 1,
    known = [],
    branches = 2,
  }: { used?: [number, number]; shown?: number; known?: AddressFinding[]; branches?: number } = {},
) {
  const asked: string[] = []
  const result = await lookAtAddresses({
    ...{ branches, used, shown, known },
    async ask({ branch, index }) {
      const name = `${branch}/${index}`
      asked.push(name)
      const { transactions = 0, sats = 0n } = chain.get(name) ?? {}
      return { transactions, confirmed: sats, unconfirmed: 0n }
    },
  })
  return { ...result, asked }
}

const paid = (...names: string[]): Chain =>
  new Map(names.map(name => [name, { transactions: 1, sats: 5n }]))

/** Indexes that are used, none of which is more than 20 after the one before. */
const REACHABLE = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 8 }).map(steps => {
  let last = -1
  return steps.map(step => {
    last += step
    return last
  })
})

describe('the addresses of an account', () => {
  it('are all found that follow each other with at most 19 unused ones in between, and asked about once', async () => {
    await fc.assert(
      fc.asyncProperty(REACHABLE, REACHABLE, async (receive, change) => {
        const names = [...receive.map(i => `0/${i}`), ...change.map(i => `1/${i}`)]
        const { found, used, asked } = await look(paid(...names))
        const usedNames = found
          .filter(({ transactions }) => transactions > 0)
          .map(({ branch, index }) => `${branch}/${index}`)
        expect(new Set(usedNames)).toEqual(new Set(names))
        expect(used).toEqual([receive, change].map(all => (all.at(-1) ?? -1) + 1))
        expect(new Set(asked).size).toBe(asked.length)
        const last = Math.max(2, (receive.at(-1) ?? -1) + 1) + GAP_LIMIT
        expect(asked.filter(name => name.startsWith('0/'))).toHaveLength(last)
      }),
    )
  })

  it('without a branch for change are those of the other', async () => {
    const { asked } = await look(new Map(), { branches: 1 })
    expect(asked.every(name => name.startsWith('0/'))).toBe(true)
  })

  it('are asked about again only where something can have changed', async () => {
    const chain = paid('0/0', '0/1', '0/2', '1/0')
    chain.set('0/1', { transactions: 2, sats: 0n })
    const { found, used } = await look(chain)
    const again = await look(chain, { used, shown: 3, known: found })
    expect(again.asked.toSorted()).toEqual(
      ['0/0', '0/2', '0/3', '0/4', '0/5', '0/6', '1/0', '1/1', '1/2', '1/3'].toSorted(),
    )
    expect(again.found.find(({ branch, index }) => branch === 0 && index === 1)).toMatchObject({
      transactions: 2,
    })
  })

  it('are told again where a payment came to one that was given out', async () => {
    const first = await look(new Map())
    const chain = paid('0/3')
    const { found, used } = await look(chain, { used: first.used, shown: 3, known: first.found })
    expect(used).toEqual([4, 0])
    expect(found.find(({ index, branch }) => index === 3 && branch === 0)?.confirmed).toBe('5')
  })

  it('are looked for to an end, though a server says that all are used', async () => {
    let asked = 0
    const ask = async () => {
      asked++
      return { transactions: 1, confirmed: 0n, unconfirmed: 0n }
    }
    const { used } = await lookAtAddresses({
      ...{ ask, branches: 2, used: [0, 0], shown: 1, known: [] },
    })
    expect(asked).toBeLessThan(2_500)
    expect(Math.max(...used)).toBeLessThan(1_200)
  })

  it('are not told at all where the server does not answer for one of them', async () => {
    const ask = async ({ index }: { index: number }) => {
      if (index === 12) throw new Error('busy')
      return { transactions: 0, confirmed: 0n, unconfirmed: 0n }
    }
    await expect(
      lookAtAddresses({ ...{ ask, branches: 2, used: [0, 0], shown: 1, known: [] } }),
    ).rejects.toThrow('busy')
  })
})

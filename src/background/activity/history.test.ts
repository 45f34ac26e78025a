import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { campaign } from '../../../testing/campaigns.ts'
import { fromHex } from '../../bitcoin/bytes.ts'
import type { ChainSource, HistoryTransaction } from '../../chain/chain-source.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import { createHistory } from './history.ts'
import {
  ACCOUNT,
  buildTransaction,
  createActivityWorld,
  fundAccount,
  OTHER_ADDRESS,
  OWN_ADDRESS,
} from './testing/activity-world.ts'
import { createLongHistory, OWN_SCRIPT } from './testing/long-history.ts'

function createStored() {
  const local = createMemoryArea()
  const start = () => createHistory({ local, now: () => 1_700_000_000_000 })
  return { local, start }
}

describe('the history of an account', () => {
  it('agrees with one fetched anew, whatever happened on the chain in between', async () => {
    const step: fc.Arbitrary<Step> = fc.oneof(
      fc.tuple(fc.constant('receive' as const), fc.integer({ min: 1, max: 30 })),
      fc.tuple(fc.constant('unconfirmed' as const), fc.integer({ min: 1, max: 8 })),
      fc.tuple(fc.constant('spend' as const), fc.constant(1)),
      fc.tuple(fc.constant('mine' as const), fc.integer({ min: 1, max: 3 })),
      fc.tuple(fc.constant('reorg' as const), fc.integer({ min: 1, max: 4 })),
      fc.tuple(fc.constant('evict' as const), fc.nat(5)),
      fc.tuple(fc.constant('refresh' as const), fc.constant(1)),
      fc.tuple(fc.constant('extend' as const), fc.integer({ min: 1, max: 3 })),
      fc.tuple(fc.constant('restart' as const), fc.constant(1)),
    )
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 40 }), assertAgrees), {
      numRuns: campaign('steps of an account’s history').count,
    })
  })

  it('keeps no row of blocks that were undone between two of its pages', async () => {
    await assertAgrees([
      ['receive', 26],
      ['receive', 3],
      ['refresh', 1],
      ['reorg', 1],
      ['receive', 18],
      ['extend', 1],
      ['evict', 0],
      ['unconfirmed', 5],
    ])
  })

  it('asks for one page while nothing is new, and for older ones only when they are wanted', async () => {
    const { chain, asked } = createLongHistory(120)
    const { start } = createStored()
    const history = start()
    await history.refresh(chain, ACCOUNT)
    await start().refresh(chain, ACCOUNT)
    expect(asked).toEqual([null, null])
    while (await history.extend(chain, ACCOUNT)) {}
    expect(asked).toHaveLength(6)
    const again = start()
    await again.refresh(chain, ACCOUNT)
    expect(asked).toHaveLength(7)
    expect((await again.load('regtest', ACCOUNT.id)).rows).toHaveLength(120)
  })

  it('keeps the newest 2,000 rows in well below 1 MB, and fetches older ones again', async () => {
    const { chain, transactions } = createLongHistory(2_300)
    const { local, start } = createStored()
    const history = start()
    await history.refresh(chain, ACCOUNT)
    while (await history.extend(chain, ACCOUNT)) {}
    expect((await history.load('regtest', ACCOUNT.id)).rows).toHaveLength(2_300)
    expect(JSON.stringify(local.dump()).length).toBeLessThan(500_000)
    const later = start()
    expect((await later.load('regtest', ACCOUNT.id)).rows).toHaveLength(2_000)
    while (await later.extend(chain, ACCOUNT)) {}
    const { rows } = await later.load('regtest', ACCOUNT.id)
    expect(rows.map(({ txid }) => txid)).toEqual(transactions.map(({ txid }) => txid))
  })

  it('of the account used longest ago makes room for a new one', async () => {
    const { chain } = createLongHistory(5)
    const { local, start } = createStored()
    const history = start()
    for (let id = 0; id < 15; id++) await history.refresh(chain, { ...ACCOUNT, id: `account${id}` })
    const keys = Object.keys(local.dump()).filter(key => key.startsWith('history.'))
    expect(keys).toHaveLength(12)
    expect(keys).not.toContain('history.regtest.account0')
  })

  it('ends with a server that sends the same page again and again', async () => {
    const { chain } = createLongHistory(60)
    const stuck: ChainSource = {
      ...chain,
      fetchHistory: async address => ({ ...(await chain.fetchHistory(address, null)), next: 'x' }),
    }
    const history = createStored().start()
    await history.refresh(stuck, ACCOUNT)
    expect(await history.extend(stuck, ACCOUNT)).toBe(false)
    expect(await history.extend(stuck, ACCOUNT)).toBe(false)
  })
})

type Step = readonly [
  what:
    | 'receive'
    | 'unconfirmed'
    | 'spend'
    | 'mine'
    | 'reorg'
    | 'evict'
    | 'refresh'
    | 'extend'
    | 'restart',
  count: number,
]

/** Takes the steps, then expects in the wallet's history what the chain itself lists. */
async function assertAgrees(steps: readonly Step[]): Promise<void> {
  const world = createActivityWorld()
  const { chain } = world.memory
  const { start } = createStored()
  let history = start()
  for (const [what, count] of steps) {
    const all = await listAll(chain)
    const waiting = all.filter(({ height }) => height === null)
    if (what === 'receive' || what === 'unconfirmed')
      for (let made = 0; made < count; made++)
        fundAccount(world, 1_000n, { confirmed: what === 'receive' })
    if (what === 'mine') world.memory.mine(count)
    if (what === 'reorg') world.memory.reorg(count)
    if (what === 'evict') world.memory.evict(waiting[count]?.txid ?? '')
    if (what === 'spend') {
      const [coin] = await chain.fetchUtxos(OWN_ADDRESS, fromHex(OWN_SCRIPT))
      const pays = [{ address: OTHER_ADDRESS, sats: 900n }]
      if (coin) world.memory.receive(fromHex(buildTransaction([coin], pays)))
    }
    if (what === 'refresh') await history.refresh(chain, ACCOUNT)
    if (what === 'extend')
      for (let made = 0; made < count; made++) await history.extend(chain, ACCOUNT)
    if (what === 'restart') history = start()
  }
  await history.refresh(chain, ACCOUNT)
  while (await history.extend(chain, ACCOUNT)) {}
  const truth = await listAll(chain)
  const { rows, next } = await history.load('regtest', ACCOUNT.id)
  expect(next).toBeNull()
  const place = ({ txid, height }: { txid: string; height: number | null }) => ({ txid, height })
  const isInBlock = ({ height }: { height: number | null }) => height !== null
  expect(rows.filter(isInBlock).map(place)).toEqual(truth.filter(isInBlock).map(place))
  const waiting = rows.filter(row => row.height === null && !row.replacedBy && !row.undone)
  const pending = truth.filter(one => !isInBlock(one)).map(({ txid }) => txid)
  expect(waiting.filter(({ txid }) => !pending.includes(txid))).toEqual([])
  expect(rows.map(({ txid }) => txid)).toEqual(expect.arrayContaining(pending))
  expect(rows.length).toBe(new Set(rows.map(({ txid }) => txid)).size)
}

async function listAll(chain: ChainSource): Promise<HistoryTransaction[]> {
  const all: HistoryTransaction[] = []
  for (let after: string | null = null, first = true; first || after !== null; first = false) {
    const page = await chain.fetchHistory(OWN_ADDRESS, after)
    all.push(...page.transactions)
    after = page.next
  }
  return all
}

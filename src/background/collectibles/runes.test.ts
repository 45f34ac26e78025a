import { describe, expect, it } from 'vitest'
import { RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { fund } from '../testing/test-wallet.ts'

const GOLD = { name: 'GOLD•OF•TESTS', rune: '90:1', divisibility: 2, symbol: 'G' }
const SILVER = { name: 'SILVER•OF•TESTS', rune: '90:2' }
const PAGE = { offset: 0, limit: 10 }

describe('the runes of an account', () => {
  it('are listed by name, with what of them can be sent, and page by page', async () => {
    const { world, worker, txids } = await startFunded(50_000n, 546n, 600n, 700n)
    const [, first, second, third] = txids.map(txid => `${txid}:0`)
    world.assets.etch(first ?? '', { ...SILVER, amount: 7n })
    world.assets.etch(second ?? '', { ...GOLD, amount: 150n })
    world.assets.etch(third ?? '', { ...GOLD, amount: 50n })
    await worker.ui('setCoinChoice', { outpoint: third ?? '', choice: 'locked' })
    const { total, runes, unchecked } = await worker.ui('getRunes', PAGE)
    expect(total).toBe(2)
    expect(unchecked).toEqual({ count: 0, why: null })
    expect(runes).toEqual([
      {
        ...{ name: GOLD.name, symbol: 'G', divisibility: 2 },
        ...{ amount: '2', sendable: '1.5', coins: 2, pending: '0' },
      },
      {
        ...{ name: SILVER.name, symbol: null, divisibility: 0 },
        ...{ amount: '7', sendable: '7', coins: 1, pending: '0' },
      },
    ])
    const next = await worker.ui('getRunes', { offset: 1, limit: 1 })
    expect(next).toMatchObject({ total: 2, runes: [{ name: SILVER.name }] })
  })

  it('that an index told of in a block which is undone are on their way, and nothing is sent of them', async () => {
    const { world, worker, account } = await startFunded(50_000n)
    world.chain.mine()
    const outpoint = `${fund(world, account.address, 546n)}:0`
    world.assets.etch(outpoint, { ...GOLD, amount: 150n })
    const read = async () => (await worker.ui('getRunes', PAGE)).runes
    expect(await read()).toMatchObject([{ amount: '1.5', sendable: '1.5', pending: '0' }])
    world.chain.reorg()
    world.clock.now += 60_000
    expect(await read()).toMatchObject([{ amount: '1.5', sendable: '0', pending: '1.5' }])
    const order = { rune: GOLD.name, amount: '1', to: RECIPIENT }
    await expect(
      worker.ui('planRuneTransfer', { orders: [order], feeRate: 2, label: '' }),
    ).rejects.toMatchObject({ code: expect.any(Number) })
    world.chain.mine()
    world.clock.now += 60_000
    expect(await read()).toMatchObject([{ amount: '1.5', sendable: '1.5', pending: '0' }])
  })

  it('may be more where an index does not tell of all coins', async () => {
    const { world, worker } = await startFunded(50_000n)
    world.assets.faults.notIndexed = true
    expect(await worker.ui('getRunes', PAGE)).toEqual({
      total: 0,
      runes: [],
      unchecked: { count: 1, why: 'not-indexed' },
    })
  })

  it('have details: what the index tells, how far that is proven, and the coins with all that is on them', async () => {
    const { world, worker, txids } = await startFunded(50_000n, 546n)
    const outpoint = `${txids[1]}:0`
    world.assets.etch(outpoint, { ...GOLD, amount: 150n })
    const id = world.assets.inscribe(outpoint, { number: 12 })
    world.assets.describeRune(GOLD.rune, {
      ...{ number: 4, premine: 1_000n, mints: 3n, burned: 50n, isMintable: true, height: 90 },
      terms: {
        amount: 100n,
        cap: 10n,
        height: { start: 80n, end: 500n },
        offset: { start: 20n, end: 300n },
      },
    })
    const detail = await worker.ui('getRune', { name: GOLD.name })
    expect(detail).toMatchObject({
      name: GOLD.name,
      held: { amount: '1.5', coins: 1 },
      coins: [
        {
          outpoint,
          sats: '546',
          held: 'inscribed',
          assets: expect.arrayContaining([
            { kind: 'inscription', id, number: 12 },
            { kind: 'rune', name: GOLD.name, amount: '1.5', symbol: 'G' },
          ]),
        },
      ],
      facts: {
        ...{ id: GOLD.rune, number: 4, supply: '12.5', premine: '10', burned: '0.5', mints: '3' },
        // The later start and the earlier end count: 90 + 20, and 90 + 300.
        terms: { amount: '1', cap: '10', start: 110, end: 390 },
        ...{ isMintable: true, turbo: false, proof: 'server' },
      },
    })
  })

  it('that are not held, or of which nobody tells, have details too', async () => {
    const { world, worker } = await startFunded(50_000n)
    const none = { name: 'NO•SUCH•RUNE', held: null, coins: [], facts: null }
    expect(await worker.ui('getRune', { name: 'NO•SUCH•RUNE' })).toEqual(none)
    world.assets.faults.unreachable = true
    expect(await worker.ui('getRune', { name: 'NO•SUCH•RUNE' })).toEqual(none)
  })

  it.each(['', 'gold', 'A••B', 7, null])('are not asked for by %o', async name => {
    const { worker } = await startFunded(50_000n)
    await expect(worker.ui('getRune', { name: name as string })).rejects.toMatchObject({
      code: -32602,
    })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  SITE,
  startFunded,
} from '../testing/funded-wallet.ts'
import { decideNext, fund, openPage } from '../testing/test-wallet.ts'

const GOLD = 'GOLD•OF•TESTS'
const SILVER = 'SILVER•OF•TESTS'
const MOST = 2n ** 128n - 1n

/** A connected site, and an account with 1,000.00 of one rune on two coins, and 9 of another, which is on a coin with a fee. */
async function start() {
  const started = await startFunded(90_000n, 80_000n, 546n, 547n, 548n)
  const { world, txids } = started
  const coins = txids.slice(2).map(txid => `${txid}:0`)
  const [first = '', second = '', third = ''] = coins
  const gold = { name: GOLD, rune: '90:1', divisibility: 2, symbol: '¢' }
  world.assets.etch(first, { ...gold, amount: 60_000n })
  world.assets.etch(second, { ...gold, amount: 40_000n })
  world.assets.etch(third, { name: SILVER, rune: '90:2', amount: 9n })
  return { ...started, coins }
}

const to = (address: string, rune: string, amount: string) => ({ address, rune, amount })

describe('getRunes', () => {
  it('tells a page each rune by name with its id, amount and coins, and nothing past the end', async () => {
    const { page, coins } = await start()
    const [first, second, third] = coins
    const gold = {
      ...{ id: '90:1', name: GOLD, symbol: '¢', divisibility: 2 },
      ...{ amount: '1000', spendable: '1000' },
      coins: expect.arrayContaining([
        { output: first, outputValue: 546, amount: '600' },
        { output: second, outputValue: 547, amount: '400' },
      ]),
    }
    const silver = {
      ...{ id: '90:2', name: SILVER, symbol: null, divisibility: 0, amount: '9', spendable: '9' },
      coins: [{ output: third, outputValue: 548, amount: '9' }],
    }
    expect(await page.call('getRunes')).toMatchObject({
      result: { total: 2, list: [gold, silver] },
    })
    expect(await page.call('getRunes', 1, 5)).toMatchObject({
      result: { total: 2, list: [silver] },
    })
    expect(await page.call('getRunes', 0, 0)).toMatchObject({ result: { total: 2, list: [] } })
    expect(await page.call('getRunes', 7)).toMatchObject({ result: { total: 2, list: [] } })
  })

  it('tells amounts of 128 bits to the last digit, and what is locked as not to be sent', async () => {
    const { world, worker, page, account } = await start()
    const outpoint = `${fund(world, account.address, 546n)}:0`
    world.assets.etch(outpoint, { name: 'ALL•OF•TESTS', amount: MOST })
    await worker.ui('setCoinChoice', { outpoint, choice: 'locked' })
    expect(await page.call('getRunes', 0, 1)).toMatchObject({
      result: { total: 3, list: [{ amount: String(MOST), spendable: '0' }] },
    })
  })

  it('is not for pages that are not connected, and names what does not fit', async () => {
    const { worker, page } = await start()
    const other = openPage(worker, 'https://other.example', 2)
    expect(await other.call('getRunes')).toMatchObject({ error: { code: 4100 } })
    expect(await page.call('getRunes', -1)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('offset: ') },
    })
    expect(await page.call('getRunes', 0, 101)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('limit: ') },
    })
  })

  it('tells what is known while the index is silent, without the ids', async () => {
    const { world, page } = await start()
    await page.call('getRunes')
    world.assets.faults.unreachable = true
    expect(await page.call('getRunes')).toMatchObject({
      result: { total: 2, list: [{ id: null, name: GOLD, amount: '1000' }, { id: null }] },
    })
  })

  it('tells nothing while the wallet is locked, as getInscriptions does', async () => {
    const { worker, page } = await start()
    await worker.ui('lock', null)
    const answers = await Promise.all(['getRunes', 'getInscriptions'].map(name => page.call(name)))
    for (const answer of answers) expect(answer).toMatchObject({ error: { code: 4100 } })
  })

  it('fails while the index is silent and nothing is known', async () => {
    const { world, page } = await startFunded(10_000n)
    world.chain.faults.unreachable = true
    expect(await page.call('getRunes')).toMatchObject({
      error: { data: { reason: 'BACKEND_UNAVAILABLE' } },
    })
  })
})

describe('sendRunes', () => {
  it('sends several runes to several, shows them before, and brings back the rest', async () => {
    const { world, worker, page, account } = await start()
    const recipients = [
      to(RECIPIENT, GOLD, '12.5'),
      { address: SECOND_RECIPIENT, rune: '90:1', units: '1' },
      to(SECOND_RECIPIENT, 'SILVEROFTESTS', '9'),
    ]
    const answer = page.call('sendRunes', { recipients, feeRate: 2 })
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({ purpose: 'transfer' })
    const moves = review.kind === 'payment' ? review.assets : []
    expect(
      moves.map(({ asset, to }) => [to, 'amount' in asset && `${asset.amount} ${asset.name}`]),
    ).toEqual(
      expect.arrayContaining([
        ['foreign', `12.5 ${GOLD}`],
        ['foreign', `0.01 ${GOLD}`],
        ['foreign', `9 ${SILVER}`],
        ['own', `387.49 ${GOLD}`],
      ]),
    )
    const { result } = (await answer) as { result: { txid: string } }
    expect(world.chain.broadcasts).toEqual([result.txid])
    const outputs = outputsOf(readBroadcast(world, result.txid))
    const landed = outputs.flatMap(({ address }, vout) =>
      world.assets
        .truth(`${result.txid}:${vout}`)
        .map(asset => [address, 'amount' in asset && asset.amount, 'name' in asset && asset.name]),
    )
    expect(landed).toEqual([
      [account.address, 38_749n, GOLD],
      [RECIPIENT, 1_250n, GOLD],
      [SECOND_RECIPIENT, 1n, GOLD],
      [SECOND_RECIPIENT, 9n, SILVER],
    ])
  })

  it('sends nothing where the person says no', async () => {
    const { world, worker, page } = await start()
    const answer = page.call('sendRunes', { recipients: [to(RECIPIENT, GOLD, '1')] })
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('spends clean coins for the fee, and no inscription', async () => {
    const { world, worker, page, coins } = await start()
    const answer = page.call('sendRunes', { recipients: [to(RECIPIENT, GOLD, '1000')] })
    await decideNext(worker, 'approve', 'payment')
    const { result } = (await answer) as { result: { txid: string } }
    const spent = inputsOf(readBroadcast(world, result.txid))
    expect(spent).toEqual(expect.arrayContaining(coins.slice(0, 2)))
    expect(spent).not.toContain(coins[2])
  })

  const one = (changes: object) => ({ recipients: [{ ...to(RECIPIENT, GOLD, '1'), ...changes }] })
  it.each([
    [{}, 'recipients: expected a list of 1 to 20'],
    [{ recipients: Array(21).fill(to(RECIPIENT, GOLD, '1')) }, 'recipients: expected a list of 1'],
    [one({ address: 'me' }), 'recipients[0].address: '],
    [one({ rune: 'gold' }), 'recipients[0].rune: expected the name of a rune'],
    [
      one({ rune: 'NOBODY•KNOWS•THIS' }),
      'recipients[0].rune: expected a rune that the index knows',
    ],
    [one({ rune: '7:7' }), 'recipients[0].rune: expected a rune that the index knows'],
    [one({ amount: 1 }), 'recipients[0].amount: expected a string'],
    [one({ amount: '1e3' }), 'recipients[0].amount: expected a decimal amount'],
    [one({ amount: '0.00' }), 'recipients[0].amount: expected an amount above 0'],
    [one({ amount: '0.001' }), 'recipients[0].amount: expected at most 2 digits behind the point'],
    [one({ amount: String(MOST) }), 'recipients[0].amount: expected an amount that fits 128 bits'],
    [one({ amount: '1000.01' }), `recipients[0].amount: expected at most 1000 ${GOLD}`],
    [one({ amount: null }), 'recipients[0]: expected an amount or units'],
    [one({ units: '1' }), 'recipients[0]: expected an amount or units, one of them'],
    [one({ amount: null, units: '0' }), 'recipients[0].units: expected a whole number above 0'],
    [one({ amount: null, units: 100_001 }), `recipients[0].units: expected at most 100000 units`],
    [{ ...one({}), feeRate: 'fast' }, 'feeRate: '],
  ])('(%j) is refused by name, and nobody is asked', async (transfer, text) => {
    const { world, page } = await start()
    const { shown } = world.window
    expect(await page.call('sendRunes', transfer)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(text) },
    })
    expect(world.window.shown).toBe(shown)
    expect(world.chain.broadcasts).toEqual([])
  })

  it('of a rune that the chain contradicts sends nothing', async () => {
    const { world, page, account } = await start()
    const unconfirmed = fund(world, account.address, 700n, { confirmed: false })
    world.assets.describeRune('90:1', { etching: unconfirmed })
    expect(await page.call('sendRunes', one({}))).toMatchObject({
      error: { data: { reason: 'PROTECTED_ASSET' } },
    })
  })

  it('of whatever kind gets a clean answer, and burns and moves nothing unasked', async () => {
    const amounts = fc.oneof(
      fc.bigInt({ min: 1n, max: 120_000n }).map(units => ({ units: String(units) })),
      fc.integer({ min: 1, max: 1200 }).map(whole => ({ amount: `${whole}.5` })),
    )
    const order = fc
      .tuple(
        fc.constantFrom(RECIPIENT, SECOND_RECIPIENT),
        fc.constantFrom(GOLD, '90:1', SILVER, '90:2'),
        amounts,
      )
      .map(([address, rune, amount]) => ({ address, rune, ...amount }))
    const tally = { sent: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(order, { minLength: 1, maxLength: 4 }), async recipients => {
        const { world, worker, page, account } = await start()
        const answer = page.call('sendRunes', { recipients })
        const isGold = (rune: string) => rune === GOLD || rune === '90:1'
        const wanted = new Map<string, bigint>()
        let isWhole = true
        for (const { address, rune, ...rest } of recipients) {
          const units =
            'units' in rest
              ? BigInt(rest.units)
              : isGold(rune)
                ? BigInt(rest.amount.replace('.', '')) * 10n
                : null
          if (units === null) isWhole = false
          const key = `${address} ${isGold(rune) ? GOLD : SILVER}`
          wanted.set(key, (wanted.get(key) ?? 0n) + (units ?? 0n))
        }
        const sumOf = (name: string) =>
          [...wanted].reduce((sum, [key, units]) => sum + (key.endsWith(name) ? units : 0n), 0n)
        const isThere = isWhole && sumOf(GOLD) <= 100_000n && sumOf(SILVER) <= 9n
        if (!isThere) {
          expect(await answer).toMatchObject({ error: { code: -32602 } })
          tally.refused++
          return
        }
        await decideNext(worker, 'approve', 'payment')
        const { result } = (await answer) as { result: { txid: string } }
        const landed = new Map<string, bigint>()
        for (const [vout, { address }] of outputsOf(readBroadcast(world, result.txid)).entries())
          for (const asset of world.assets.truth(`${result.txid}:${vout}`)) {
            if (asset.kind !== 'rune') throw new Error('something else moved')
            const key = `${address} ${asset.name}`
            landed.set(key, (landed.get(key) ?? 0n) + asset.amount)
          }
        for (const [key, units] of wanted) expect(landed.get(key)).toBe(units)
        const strangers = [...landed.keys()].filter(key => !key.startsWith(account.address))
        expect(strangers.toSorted()).toEqual([...wanted.keys()].toSorted())
        tally.sent++
      }),
      { numRuns: 40 },
    )
    expect(Math.min(...Object.values(tally))).toBeGreaterThan(3)
  })

  it('in UniSat’s words names the smallest units, and resolves the txid', async () => {
    const { world, worker, page } = await start()
    const answer = page.call('unisat.sendRunes', RECIPIENT, '90:1', '1250', { feeRate: 3 })
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({
      assets: expect.arrayContaining([
        expect.objectContaining({
          to: 'foreign',
          asset: expect.objectContaining({ amount: '12.5' }),
        }),
      ]),
    })
    expect(await answer).toMatchObject({ result: world.chain.broadcasts[0] })
    for (const [args, text] of [
      [[RECIPIENT, 'x', '1'], 'runeid: '],
      [['me', '90:1', '1'], 'toAddress: '],
      [[RECIPIENT, '90:1', '1.5'], 'amount: '],
      [[RECIPIENT, '90:1', '1000000'], 'amount: expected at most'],
      [[RECIPIENT, '90:1', 1, { feeRate: 'x' }], 'options.feeRate: '],
    ] as const) {
      expect(await page.call('unisat.sendRunes', ...args)).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(new RegExp(`^${text}`)) },
      })
    }
  })

  it('asked again by a page that came back is sent and answered once', async () => {
    const { world, worker, page } = await start()
    const params = { recipients: [to(RECIPIENT, GOLD, '1')] }
    const first = page.send('again', 'sendRunes', params)
    await decideNext(worker, 'approve', 'payment')
    const answer = await first
    const back = openPage(worker, SITE)
    expect(await back.send('again', 'sendRunes', params)).toEqual(answer)
    expect(world.chain.broadcasts).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'
import { decipherRunestone } from '../../ordinals/runes/runestone.ts'
import { startWithAtomicals } from '../testing/atomical-wallet.ts'
import {
  inputsOf,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  startFunded,
} from '../testing/funded-wallet.ts'
import { fund, type Worker, type World } from '../testing/test-wallet.ts'
import type { BumpKind } from '../views/payment-views.ts'

const GOLD = 'GOLD•OF•TESTS'
const SILVER = 'SILVER•OF•TESTS'
const MOST = 2n ** 128n - 1n

/** A wallet with clean coins of 90,000 and 80,000 sats, and coins of 546 sats with these amounts of the two runes. */
async function startWithRunes(...contents: { gold?: bigint; silver?: bigint; inscribed?: true }[]) {
  const started = await startFunded(90_000n, 80_000n, ...contents.map(() => 546n))
  const { world, txids } = started
  const coins = contents.map((_, at) => `${txids[at + 2]}:0`)
  for (const [at, { gold, silver, inscribed }] of contents.entries()) {
    const outpoint = coins[at] ?? ''
    if (gold)
      world.assets.etch(outpoint, { name: GOLD, rune: '90:1', amount: gold, divisibility: 2 })
    if (silver) world.assets.etch(outpoint, { name: SILVER, rune: '90:2', amount: silver })
    if (inscribed) world.assets.inscribe(outpoint, { offset: 7n })
  }
  return { ...started, coins }
}

function plan(worker: Worker, orders: { rune: string; amount: string; to: string }[], feeRate = 2) {
  return worker.ui('planRuneTransfer', { orders, feeRate, label: 'coins of a kind' })
}

const gold = (amount: string, to = RECIPIENT) => ({ rune: GOLD, amount, to })

async function send(worker: Worker, ...orders: { rune: string; amount: string; to: string }[]) {
  const { planId, digest, review } = await plan(worker, orders)
  return { ...(await worker.ui('confirmPayment', { planId, digest })), review }
}

/** What really sits where, of runes and inscriptions, by address and output. */
function landed(world: World, txid: string): string[] {
  return outputsOf(readBroadcast(world, txid)).flatMap(({ address }, vout) =>
    world.assets
      .truth(`${txid}:${vout}`)
      .map(asset =>
        asset.kind === 'rune'
          ? `${vout} ${nameOf(address)} ${asset.amount} ${asset.name}`
          : `${vout} ${nameOf(address)} inscription`,
      ),
  )
}

function nameOf(address: string | null): string {
  if (address === RECIPIENT) return 'receiver'
  return address === SECOND_RECIPIENT ? 'second' : 'own'
}

describe('runes', () => {
  it('go in exactly the amount asked for, and the rest comes back on a coin of its own', async () => {
    const { world, worker, coins } = await startWithRunes({ gold: 1_000n })
    const { txid, review } = await send(worker, gold('3.5'))
    expect(landed(world, txid)).toEqual([`0 own 650 ${GOLD}`, `1 receiver 350 ${GOLD}`])
    const sent = readBroadcast(world, txid)
    expect(inputsOf(sent)[0]).toBe(coins[0])
    expect(review).toMatchObject({
      purpose: 'transfer',
      memo: null,
      asked: 1,
      recipients: [{ address: RECIPIENT, sats: '546' }],
    })
    expect(
      review.assets.map(({ asset, to, output }) => [to, output, 'amount' in asset && asset.amount]),
    ).toEqual([
      ['foreign', 1, '3.5'],
      ['own', 0, '6.5'],
    ])
    expect(review.fee).toBe(String(Math.ceil(sent.vsize * 2)))
    expect(review.runestone).toMatchObject({
      ...{ flaw: null, rest: 0, mint: null, etching: null },
      edicts: [{ name: GOLD, amount: { text: '3.5', isUnits: false }, output: 1 }],
    })
  })

  it('of several kinds go to several receivers in one transaction', async () => {
    const { world, worker } = await startWithRunes({ gold: 1_000n }, { silver: 9n })
    const { txid, review } = await send(
      worker,
      gold('1'),
      { rune: SILVER, amount: '9', to: SECOND_RECIPIENT },
      { rune: GOLD, amount: '2', to: SECOND_RECIPIENT },
    )
    expect(landed(world, txid).toSorted()).toEqual([
      `0 own 700 ${GOLD}`,
      `1 receiver 100 ${GOLD}`,
      `2 second 200 ${GOLD}`,
      `2 second 9 ${SILVER}`,
    ])
    expect(review.recipients.map(({ address }) => address)).toEqual([RECIPIENT, SECOND_RECIPIENT])
  })

  it('all go, to the last unit of 128 bits', async () => {
    const { world, worker } = await startWithRunes({ gold: MOST })
    const whole = `${String(MOST).slice(0, -2)}.${String(MOST).slice(-2)}`
    const { txid } = await send(worker, gold(whole))
    expect(landed(world, txid)).toEqual([`1 receiver ${MOST} ${GOLD}`])
    const scripts = outputsOf(readBroadcast(world, txid)).map((_, at) => {
      const { script } = readBroadcast(world, txid).getOutput(at)
      return script ?? new Uint8Array()
    })
    expect(decipherRunestone(scripts)).toMatchObject({ kind: 'runestone', pointer: null })
  })

  it('take along no inscription and no other rune that they need not', async () => {
    const { world, worker, coins } = await startWithRunes(
      { gold: 5_000n, inscribed: true },
      { gold: 500n, silver: 3n },
      { gold: 300n },
    )
    const [first, second, third] = coins
    expect(inputsOf(readBroadcast(world, (await send(worker, gold('3'))).txid))).not.toContain(
      first,
    )
    world.chain.mine()
    const { txid } = await send(worker, gold('5'))
    expect(inputsOf(readBroadcast(world, txid))[0]).toBe(second)
    expect(landed(world, txid)).toEqual([`0 own 3 ${SILVER}`, `1 receiver 500 ${GOLD}`])
    world.chain.mine()
    const last = await send(worker, gold('20'))
    expect(inputsOf(readBroadcast(world, last.txid))[0]).toBe(first)
    expect(landed(world, last.txid)).toEqual([
      '0 own inscription',
      `1 own 3000 ${GOLD}`,
      `2 receiver 2000 ${GOLD}`,
    ])
    expect(third).toBeDefined()
  })

  it('that came back can be sent on before a block has them', async () => {
    const { world, worker } = await startWithRunes({ gold: 1_000n })
    const first = await send(worker, gold('4'))
    expect(await worker.ui('getRunes', { offset: 0, limit: 10 })).toMatchObject({
      runes: [{ name: GOLD, amount: '6', sendable: '6', pending: '6', coins: 1 }],
    })
    const second = await send(worker, gold('6'))
    expect(inputsOf(readBroadcast(world, second.txid))[0]).toBe(`${first.txid}:0`)
    expect(landed(world, second.txid)).toEqual([`1 receiver 600 ${GOLD}`])
  })

  it.each<[BumpKind, string[]]>([
    ['speed-up', [`0 own 650 ${GOLD}`, `1 receiver 350 ${GOLD}`]],
    ['cancel', [`0 own 1000 ${GOLD}`]],
  ])('land as they should after a %s', async (kind, expected) => {
    const { world, worker } = await startWithRunes({ gold: 1_000n })
    const { txid } = await send(worker, gold('3.5'))
    const options = await worker.ui('getBumpOptions', { txid })
    const feeRate = (options[kind].leastFeeRate ?? 0) + 3
    const bump = await worker.ui('planBump', { txid, kind, feeRate })
    // What the person is shown of it names every amount.
    const shown = bump.review.assets.map(({ asset, to }) => [to, 'amount' in asset && asset.amount])
    expect(shown.toSorted()).toEqual(
      kind === 'cancel'
        ? [['own', '10']]
        : [
            ['foreign', '3.5'],
            ['own', '6.5'],
          ],
    )
    const done = await worker.ui('confirmPayment', { planId: bump.planId, digest: bump.digest })
    expect(landed(world, done.txid)).toEqual(expected)
  })

  it('stay where they are when a child lifts the transaction', async () => {
    const { world, worker } = await startWithRunes({ gold: 1_000n })
    const { txid } = await send(worker, gold('3.5'))
    const feeRate = ((await worker.ui('getBumpOptions', { txid })).child.leastFeeRate ?? 0) + 3
    const { planId, digest } = await worker.ui('planBump', { txid, kind: 'child', feeRate })
    const child = await worker.ui('confirmPayment', { planId, digest })
    expect(inputsOf(readBroadcast(world, child.txid))).not.toContain(`${txid}:0`)
    expect(world.assets.truth(`${txid}:0`)).toMatchObject([{ name: GOLD, amount: 650n }])
  })
})

describe('what is not proven of runes', () => {
  it('is said in the review, once for each', async () => {
    const { worker } = await startWithRunes({ gold: 1_000n }, { silver: 5n })
    const orders = [gold('1'), { rune: SILVER, amount: '2', to: RECIPIENT }, gold('2')]
    const { review } = await plan(worker, orders)
    expect(review.warnings).toContainEqual({ kind: 'unproven-inscriptions', ids: [GOLD, SILVER] })
  })
})

describe('runes are not sent', () => {
  it.each([
    ['orders[0].amount', 'more than there are', gold('10.01'), { data: { most: '10' } }],
    [
      'orders[0].amount',
      'more digits than the rune has',
      gold('1.001'),
      { message: expect.stringContaining('at most 2 digits behind the point') },
    ],
    ['orders[0].amount', 'nothing', gold('0'), { message: expect.stringContaining('above 0') }],
    ['orders[0].amount', 'a comma', gold('1,5'), { message: expect.stringContaining('12.5') }],
    ['orders[0].amount', 'a negative amount', gold('-1'), {}],
    ['orders[0].amount', 'beyond 128 bits', gold(String(MOST)), {}],
    ['orders[0].rune', 'no name', { ...gold('1'), rune: 'gold' }, {}],
    ['orders[0].rune', 'a rune that nobody knows', { ...gold('1'), rune: 'NO•SUCH' }, {}],
    ['orders[0].to', 'no address', gold('1', 'bc1q'), {}],
  ])('%s: %s', async (field, _, order, data) => {
    const { world, worker } = await startWithRunes({ gold: 1_000n })
    const error = await plan(worker, [order]).catch((cause: unknown) => cause)
    expect(error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^orders\[0\]/),
      ...data,
    })
    expect(String(error)).toContain(`${field}: expected`)
    expect(world.chain.broadcasts).toEqual([])
  })

  it.each([[[]], [null], [[null]], [Array.from({ length: 21 }, () => gold('1'))]])(
    'without orders that can be read: %j',
    async orders => {
      const { worker } = await startWithRunes({ gold: 1_000n })
      await expect(plan(worker, orders as never)).rejects.toMatchObject({ code: -32602 })
    },
  )

  it('from coins that the person locked, or that a payment under way spends', async () => {
    const { worker, coins } = await startWithRunes({ gold: 1_000n }, { gold: 200n })
    await worker.ui('setCoinChoice', { outpoint: coins[0] ?? '', choice: 'locked' })
    await expect(plan(worker, [gold('3')])).rejects.toMatchObject({ data: { most: '2' } })
    await send(worker, gold('2'))
    await expect(plan(worker, [gold('2')])).rejects.toMatchObject({ data: { most: '0' } })
  })

  it('while no index tells the id of another one on the coin', async () => {
    const { world, worker, coins } = await startWithRunes({ gold: 1_000n })
    world.assets.etch(coins[0] ?? '', { name: 'VAGUE•RUNE', rune: null })
    await expect(plan(worker, [gold('1')])).rejects.toMatchObject({
      data: { reason: 'PROTECTED_ASSET' },
    })
  })

  it('and nothing is signed where no clean coin pays the fee', async () => {
    const { world, worker, txids } = await startFunded(546n)
    world.assets.etch(`${txids[0]}:0`, { name: GOLD, rune: '90:1', amount: 10n })
    await expect(plan(worker, [gold('1')])).rejects.toMatchObject({
      data: { reason: 'INSUFFICIENT_FUNDS' },
    })
  })
})

describe('runes that share a coin with an Atomical', () => {
  it('stay where they are, as Atomicals do not follow sats', async () => {
    const started = await startWithAtomicals([{ sats: 1_000n, with: [{}] }], [90_000n])
    const { world, worker, outpoints, account } = started
    world.assets.etch(outpoints[0] ?? '', { name: GOLD, rune: '90:1', amount: 100n })
    const alone = `${fund(world, account.address, 546n)}:0`
    world.assets.etch(alone, { name: GOLD, rune: '90:1', amount: 30n })
    expect(await worker.ui('getRunes', { offset: 0, limit: 10 })).toMatchObject({
      runes: [{ amount: '130', sendable: '30' }],
    })
    await expect(plan(worker, [gold('31')])).rejects.toMatchObject({ data: { most: '30' } })
    const { txid } = await send(worker, gold('30'))
    expect(inputsOf(readBroadcast(world, txid))).not.toContain(outpoints[0])
  })
})

describe('an index that lies about a rune', () => {
  it('gets nobody else the runes, and loses none: an edict of another rune moves nothing', async () => {
    const { world, worker } = await startWithRunes({ gold: 1_000n })
    world.assets.describeRune('90:1', { id: '77:7' })
    const { txid } = await send(worker, gold('3.5'))
    expect(landed(world, txid)).toEqual([`0 own 1000 ${GOLD}`])
  })
})

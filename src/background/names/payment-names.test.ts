import { describe, expect, it } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { silentAddressOf } from '../../bitcoin/testing/silent-payment-scanner.ts'
import {
  draft,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  startFunded,
} from '../testing/funded-wallet.ts'
import { startWorker } from '../testing/test-wallet.ts'

const NAME = 'alice@names.test'
const linkTo = (address: string) => `bitcoin:?bcrt=${address}`
const MINUTE = 60_000

async function start() {
  const { world, worker } = await startFunded(100_000n)
  world.names.set(NAME, [linkTo(RECIPIENT)])
  const plan = (to: string) =>
    worker.ui('planPayment', draft({ recipients: [{ to, sats: '20000' }] }))
  return { world, worker, plan, lookUp: (name: string) => worker.ui('lookUpName', { name }) }
}

const problem = (nameProblem: string) => ({ code: -32602, data: { nameProblem } })

describe('a payment to a name', () => {
  it('goes to the address that the name leads to, and its review says both', async () => {
    const { world, worker, plan } = await start()
    const { planId, digest, review } = await plan('₿Alice@names.test')
    expect(review.recipients).toEqual([
      {
        ...{ address: RECIPIENT, sats: '20000', name: null, paymentName: NAME },
        paidBefore: 'never',
      },
    ])
    const { txid } = await worker.ui('confirmPayment', { planId, digest })
    const outputs = outputsOf(readBroadcast(world, txid))
    expect(outputs).toContainEqual({ address: RECIPIENT, sats: 20_000n })
  })
  it('goes to a silent payment address where the name gives no plain one', async () => {
    const silent = silentAddressOf(
      { scanKey: fromHex('21'.repeat(32)), spendKey: fromHex('22'.repeat(32)) },
      'tsp',
    )
    const { world, plan } = await start()
    world.names.set(NAME, [`bitcoin:?tsp=${silent}`])
    expect((await plan(NAME)).review.recipients).toMatchObject([
      { address: silent, paymentName: NAME, output: expect.stringMatching(/^bcrt1p/) },
    ])
    world.names.set(NAME, [`bitcoin:?tsp=${silent}&bcrt=${RECIPIENT}`])
    world.clock.now += 6 * MINUTE
    expect((await plan(NAME)).review.recipients[0]?.address).toBe(RECIPIENT)
  })
  it('says nothing of a name where the person gave the address', async () => {
    const { plan } = await start()
    expect((await plan(RECIPIENT)).review.recipients[0]).not.toHaveProperty('paymentName')
  })
  it('looks the name up again when its answer has run out, and goes on where it is the same', async () => {
    const { world, worker, plan } = await start()
    const { planId, digest } = await plan(NAME)
    const before = world.names.asked.length
    world.clock.now += 6 * MINUTE
    await worker.ui('confirmPayment', { planId, digest })
    expect(world.names.asked.length).toBe(before + 1)
  })
  it('is refused as PLAN_OUTDATED when the name leads elsewhere by then', async () => {
    const { world, worker, plan } = await start()
    const { planId, digest } = await plan(NAME)
    world.clock.now += 6 * MINUTE
    world.names.set(NAME, [linkTo(SECOND_RECIPIENT)])
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject({
      data: { reason: 'PLAN_OUTDATED' },
    })
    expect((await plan(NAME)).review.recipients[0]?.address).toBe(SECOND_RECIPIENT)
  })
  it('is not signed while the name cannot be looked up again', async () => {
    const { world, worker, plan } = await start()
    const { planId, digest } = await plan(NAME)
    world.clock.now += 6 * MINUTE
    world.names.faults.unreachable = true
    await expect(worker.ui('confirmPayment', { planId, digest })).rejects.toMatchObject({
      data: { reason: 'BACKEND_UNAVAILABLE' },
    })
  })
  it('goes to at most 20 names', async () => {
    const { world, worker } = await start()
    const names = Array.from({ length: 21 }, (_, at) => `u${at}@names.test`)
    for (const name of names) world.names.set(name, [linkTo(RECIPIENT)])
    const recipients = names.map(to => ({ to, sats: '1000' }))
    await expect(worker.ui('planPayment', draft({ recipients }))).rejects.toMatchObject({
      message: 'recipients: expected at most 20 names, got the number 21',
    })
    expect(world.names.asked).toEqual([])
  })
})

describe('a name', () => {
  it('is asked for once while its answer is good, and by nobody before a server is chosen', async () => {
    const { world, lookUp } = await start()
    expect(await lookUp(NAME)).toEqual({ name: NAME, address: RECIPIENT })
    await lookUp(`₿${NAME}`)
    expect(world.names.asked).toEqual(['alice.user._bitcoin-payment.names.test'])
    world.names.faults.none = true
    await expect(lookUp('bob@names.test')).rejects.toMatchObject(problem('no-server'))
  })
  it('is asked for again where the clock was set back since', async () => {
    const { world, lookUp } = await start()
    world.names.set(NAME, [linkTo(RECIPIENT)], world.clock.now - 24 * 60 * MINUTE)
    await lookUp(NAME)
    world.clock.now -= 60 * MINUTE
    world.names.set(NAME, [linkTo(SECOND_RECIPIENT)])
    expect(await lookUp(NAME)).toEqual({ name: NAME, address: SECOND_RECIPIENT })
    expect(world.names.asked).toHaveLength(2)
  })
  it.each([
    [[], 'missing'],
    [['hello'], 'none'],
    [[linkTo(RECIPIENT), linkTo(SECOND_RECIPIENT)], 'several'],
    [['bitcoin:?lightning=lnbc1'], 'unpayable'],
    [['bitcoin:?bc=bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'], 'unpayable'],
    [[`bitcoin:${RECIPIENT}?req-pop=x`], 'broken'],
    [['bitcoin:'], 'broken'],
  ])('with the texts %j is refused as %s', async (texts, expected) => {
    const { world, lookUp } = await start()
    if (texts.length > 0) world.names.set('bob@names.test', texts)
    await expect(lookUp('bob@names.test')).rejects.toMatchObject(problem(expected))
  })
  it('is refused when its signatures are over or not begun', async () => {
    const { world, lookUp } = await start()
    world.names.set('old@names.test', [linkTo(RECIPIENT)], world.clock.now - 31 * 24 * 60 * MINUTE)
    await expect(lookUp('old@names.test')).rejects.toMatchObject(problem('expired'))
    world.names.set('early@names.test', [linkTo(RECIPIENT)], world.clock.now + MINUTE)
    await expect(lookUp('early@names.test')).rejects.toMatchObject(problem('expired'))
  })
  it('is no text of another form', async () => {
    const { lookUp, world } = await start()
    for (const text of ['alice', '@names.test', 'älice@names.test', 'a@b@c', 'a b@names.test'])
      await expect(lookUp(text), text).rejects.toMatchObject(problem('not-a-name'))
    expect(world.names.asked).toEqual([])
  })
  it('never takes an older answer for a newer one, after the background started again too', async () => {
    const { world, lookUp } = await start()
    const before = world.clock.now
    await lookUp(NAME)
    world.clock.now += 60 * MINUTE
    world.names.set(NAME, [linkTo(SECOND_RECIPIENT)])
    expect((await lookUp(NAME)).address).toBe(SECOND_RECIPIENT)
    world.clock.now += 60 * MINUTE
    // Its signature is good for weeks.
    world.names.set(NAME, [linkTo(RECIPIENT)], before)
    await expect(lookUp(NAME)).rejects.toMatchObject(problem('superseded'))
    const next = startWorker(world)
    await expect(next.ui('lookUpName', { name: NAME })).rejects.toMatchObject(problem('superseded'))
    // The same answer as the newest may come with an older signature of it, from a cache.
    world.names.set(NAME, [linkTo(SECOND_RECIPIENT)], before + MINUTE)
    expect((await lookUp(NAME)).address).toBe(SECOND_RECIPIENT)
    world.names.set(NAME, [linkTo(RECIPIENT)])
    world.clock.now += 6 * MINUTE
    expect((await lookUp(NAME)).address).toBe(RECIPIENT)
  })
})

import { describe, expect, it } from 'vitest'
import {
  dieAfter,
  outputsOf,
  RECIPIENT,
  readBroadcast,
  SECOND_RECIPIENT,
  SITE,
  startFunded,
  THIRD_RECIPIENT,
} from '../testing/funded-wallet.ts'
import { decideNext, nextApproval, openPage, startWorker } from '../testing/test-wallet.ts'

describe('sendTransfer', () => {
  it('pays all recipients in one transaction, after one question that shows each', async () => {
    const { world, worker, account, page } = await startFunded(100_000n)
    const recipients = [
      { address: RECIPIENT, amount: 20_000 },
      { address: SECOND_RECIPIENT, amount: '1000' },
      { address: RECIPIENT, amount: 3_000 },
      { address: THIRD_RECIPIENT, amount: 546 },
      { address: account.address, amount: 7_000 },
    ]
    const answer = page.call('sendTransfer', { recipients, feeRate: 3 })
    const { review } = await decideNext(worker, 'approve', 'payment')
    const response = await answer
    expect(world.chain.broadcasts).toHaveLength(1)
    const [txid = ''] = world.chain.broadcasts
    expect(response).toMatchObject({ result: { txid } })
    const sent = readBroadcast(world, txid)
    expect(outputsOf(sent).slice(0, 5)).toEqual(
      recipients.map(({ address, amount }) => ({ address, sats: BigInt(amount) })),
    )
    expect(outputsOf(sent)[5]).toMatchObject({ address: account.address })
    expect(sent.outputsLength).toBe(6)
    expect(review).toMatchObject({
      purpose: 'send',
      recipients: recipients.map(({ address, amount }) => ({ address, sats: String(amount) })),
      sats: '31546',
      fee: String(Math.ceil(sent.vsize * 3)),
      warnings: expect.arrayContaining([{ kind: 'own-address' }]),
    })
    expect(world.window.shown).toBe(2)
  })

  it('pays a hundred', async () => {
    const { world, worker, page } = await startFunded(1_000_000n)
    const recipients = Array.from({ length: 100 }, (_, at) => ({
      address: RECIPIENT,
      amount: 1_000 + at,
    }))
    const answer = page.call('sendTransfer', { recipients })
    await decideNext(worker, 'approve', 'payment')
    expect(await answer).toHaveProperty('result.txid')
    const sent = readBroadcast(world, world.chain.broadcasts[0] ?? '')
    expect(outputsOf(sent).slice(0, 100)).toEqual(
      recipients.map(({ address, amount }) => ({ address, sats: BigInt(amount) })),
    )
  })

  const fine = { address: RECIPIENT, amount: 1000 }
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'recipients: expected a list of 1 to 100 recipients, got undefined'],
    ['no list', { recipients: fine }, 'recipients: expected a list'],
    ['an empty list', { recipients: [] }, 'recipients: expected a list'],
    ['too many', { recipients: Array(101).fill(fine) }, 'got an array of 101'],
    ['a hole', { recipients: [fine, null] }, 'recipients[1].address: expected a string, got undef'],
    ['text', { recipients: [fine, RECIPIENT] }, 'recipients[1]: expected an object'],
    ['no amount', { recipients: [{ address: RECIPIENT }] }, 'recipients[0].amount: expected'],
    ['parts of sats', { recipients: [fine, { ...fine, amount: 0.5 }] }, 'recipients[1].amount'],
    ['nothing paid', { recipients: [fine, { ...fine, amount: 0 }] }, 'recipients[1].amount'],
    ['a debt', { recipients: [fine, { ...fine, amount: '-5' }] }, 'recipients[1].amount'],
    [
      'dust',
      { recipients: [fine, fine, fine, { ...fine, amount: 293 }] },
      'recipients[3].amount: expected at least 294 sats',
    ],
    [
      'an address with a slip',
      { recipients: [fine, { ...fine, address: `${RECIPIENT.slice(0, -1)}q` }] },
      'recipients[1].address: expected an address on regtest',
    ],
    [
      'more than there can be',
      { recipients: Array(3).fill({ ...fine, amount: 1_000_000_000_000_000 }) },
      'recipients: expected amounts of at most 2100000000000000 sats together',
    ],
    ['a fee rate below all', { recipients: [fine], feeRate: 0 }, 'feeRate: expected sat/vB'],
  ])('refuses %s before anybody is asked, and names the field', async (_, payment, message) => {
    const { worker, page } = await startFunded(100_000n)
    const answer = await page.call('sendTransfer', ...(payment === undefined ? [] : [payment]))
    expect(answer).toMatchObject({
      error: { code: -32602, message: expect.stringContaining(message) },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('counts the sum against what there is', async () => {
    const { page } = await startFunded(30_000n)
    const recipients = [
      { address: RECIPIENT, amount: 20_000 },
      { address: SECOND_RECIPIENT, amount: 20_000 },
    ]
    expect(await page.call('sendTransfer', { recipients })).toMatchObject({
      error: { code: -32000, data: { reason: 'INSUFFICIENT_FUNDS', available: '30000' } },
    })
  })

  it('pays nobody when the person rejects', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    const answer = page.call('sendTransfer', { recipients: [fine, fine] })
    await decideNext(worker, 'reject', 'payment')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(world.chain.broadcasts).toEqual([])
  })

  it('pays once when the worker dies at any write, and the page asks again', async () => {
    for (let moment = 0; moment < 12; moment++) {
      const { world } = await startFunded(100_000n)
      const watched = dieAfter(world, moment)
      const dying = startWorker(watched)
      const request = { recipients: [fine, { address: SECOND_RECIPIENT, amount: 2_000 }] }
      const lost = openPage(dying, SITE).send('pay', 'sendTransfer', request)
      void decideNext(dying, 'approve', 'payment').catch(() => {})
      await Promise.race([watched.died, lost])

      const second = startWorker(world)
      const again = openPage(second, SITE).send('pay', 'sendTransfer', request)
      let isThere = false
      void again.then(() => {
        isThere = true
      })
      while (!isThere) {
        const { key, digest } = (await second.ui('getApproval', null)) ?? {}
        if (key && digest) await second.ui('decide', { key, digest, decision: 'approve' })
        await new Promise(resolve => setTimeout(resolve, 1))
      }
      const [txid] = world.chain.broadcasts
      expect(await again).toMatchObject({ result: { txid } })
      expect(new Set(world.chain.broadcasts).size).toBe(1)
    }
  })

  it('does not let two at once spend the same coin', async () => {
    const { world, worker, page } = await startFunded(50_000n, 50_000n)
    const payment = { recipients: [fine, { ...fine, amount: 29_000 }], feeRate: 20 }
    const answers = [page.call('sendTransfer', payment), page.call('sendTransfer', payment)]
    const { key, digest } = await nextApproval(worker, 'payment')
    await worker.ui('decide', { key, digest, decision: 'approve' })
    await Promise.race(answers)
    await decideNext(worker, 'approve', 'payment')
    for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('result.txid')
    const spent = world.chain.broadcasts.flatMap(txid => {
      const sent = readBroadcast(world, txid)
      return Array.from({ length: sent.inputsLength }, (_, at) =>
        Buffer.from(sent.getInput(at).txid ?? []).toString('hex'),
      )
    })
    expect(new Set(spent).size).toBe(spent.length)
  })
})

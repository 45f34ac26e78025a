import { p2tr, p2wpkh } from '@scure/btc-signer'
import { describe, expect, it, vi } from 'vitest'
import { fromHex } from '../../bitcoin/bytes.ts'
import { REQUEST_TTL_MS } from '../requests/requests.ts'
import {
  dieAfter,
  RECIPIENT,
  REGTEST,
  readBroadcast,
  SITE,
  startFunded,
} from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  fund,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
  type World,
} from '../testing/test-wallet.ts'

const REPEATED = {
  kind: 'paid-already',
  to: RECIPIENT,
  sats: '20000',
  at: expect.any(Number),
}

describe('sendBitcoin', () => {
  it('pays exactly what was shown and resolves the txid', async () => {
    const { world, worker, account, page } = await startFunded(100_000n, 50_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 3.5 })
    const { review } = await decideNext(worker, 'approve', 'payment')
    if (review.kind !== 'payment') throw new Error('Wrong review')
    const response = await answer
    const txid = 'result' in response ? String(response.result) : ''
    expect(world.chain.broadcasts).toEqual([txid])
    const sent = readBroadcast(world, txid)
    expect(sent.id).toBe(txid)
    expect(sent.getOutput(0)).toMatchObject({ amount: 20_000n })
    expect(sent.getOutputAddress(0, REGTEST)).toBe(RECIPIENT)
    expect(sent.getOutputAddress(1, REGTEST)).toBe(account.address)
    const paid = review.inputs.reduce((sum, { sats }) => sum + BigInt(sats ?? 0), 0n)
    const out = (sent.getOutput(0).amount ?? 0n) + (sent.getOutput(1).amount ?? 0n)
    expect(paid - out).toBe(BigInt(review.fee))
    expect(BigInt(review.fee)).toBe(BigInt(Math.ceil(sent.vsize * 3.5)))
    expect(review).toMatchObject({
      purpose: 'send',
      recipients: [{ address: RECIPIENT, sats: '20000', name: null }],
      sats: '20000',
      vsize: sent.vsize,
    })
    expect((await worker.ui('getOverview', null)).activity[0]).toMatchObject({
      txid,
      kind: 'sent',
      net: String(-20_000n - BigInt(review.fee)),
      origin: SITE,
    })
  })

  it.each([20_000, '20000'])('takes satoshis as %o', async satoshis => {
    const { worker, page } = await startFunded(100_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, satoshis)
    const { review } = await decideNext(worker, 'approve', 'payment')
    expect(review).toMatchObject({ sats: '20000' })
    expect(await answer).toHaveProperty('result')
  })

  it('says of a second call for the same that the first is still waiting, until that is in a block', async () => {
    const { world, worker, page } = await startFunded(100_000n, 50_000n, 40_000n)
    const paying = page.call('sendBitcoin', RECIPIENT, 20_000)
    const { review: first } = await decideNext(worker, 'approve', 'payment')
    expect(first).toHaveProperty('warnings', expect.not.arrayContaining([REPEATED]))
    expect(await paying).toHaveProperty('result')
    const sentAt = world.clock.now
    world.clock.now += 60_000
    const ask = async (sats: number) => {
      const answer = page.call('sendBitcoin', RECIPIENT, sats)
      const { review } = await decideNext(worker, 'reject', 'payment')
      expect(await answer).toMatchObject({ error: { code: 4001 } })
      return review.kind === 'payment' ? review.warnings : []
    }
    expect(await ask(20_000)).toContainEqual({ ...REPEATED, at: sentAt })
    expect(await ask(20_001)).not.toContainEqual(REPEATED)
    world.chain.mine()
    expect(await ask(20_000)).not.toContainEqual(REPEATED)
  })

  it('says what is needed and what there is when coins do not suffice', async () => {
    const { page } = await startFunded(30_000n)
    expect(await page.call('sendBitcoin', RECIPIENT, 30_000)).toMatchObject({
      error: { code: -32000, data: { reason: 'INSUFFICIENT_FUNDS', available: '30000' } },
    })
  })

  it('does not spend coins of which no index says what sits on them', async () => {
    const { page, worker, world } = await startFunded(100_000n, 10_000n, 546n)
    world.assets.faults.unreachable = true
    expect(await page.call('sendBitcoin', RECIPIENT, 5_000)).toMatchObject({
      error: {
        data: {
          ...{ reason: 'COINS_HELD', available: '0' },
          ...{ heldUnknown: '110546', unknownWhy: 'unanswered' },
        },
      },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('refuses an address of another network and one with a slip, naming the field', async () => {
    const { page } = await startFunded(100_000n)
    const mainnet = p2wpkh(
      fromHex(`02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'}`),
    ).address
    for (const address of [mainnet, `${RECIPIENT.slice(0, -1)}q`, ` ${RECIPIENT}`, '']) {
      expect(await page.call('sendBitcoin', address, 20_000)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('toAddress') },
      })
    }
  })

  it('refuses less than dust', async () => {
    const { page } = await startFunded(100_000n)
    expect(await page.call('sendBitcoin', RECIPIENT, 293)).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('294') },
    })
  })

  it('warns of an absurd fee', async () => {
    const { page, worker } = await startFunded(1_000_000n)
    void page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 500 })
    const { review } = await nextApproval(worker, 'payment')
    expect(review).toMatchObject({
      warnings: expect.arrayContaining([expect.objectContaining({ kind: 'high-fee' })]),
    })
  })

  it('two payments at once never spend the same coin', async () => {
    const { world, worker, page } = await startFunded(100_000n, 100_000n)
    const answers = [
      // Above the long-term rate, where selection takes no more coins than it needs.
      page.call('sendBitcoin', RECIPIENT, 60_000, { feeRate: 20 }),
      page.call('sendBitcoin', RECIPIENT, 60_000, { feeRate: 20 }),
    ]
    await decideNext(worker, 'approve', 'payment')
    await decideNext(worker, 'approve', 'payment')
    for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('result')
    const spent = world.chain.broadcasts.map(txid => {
      const input = readBroadcast(world, txid).getInput(0)
      return `${Buffer.from(input.txid ?? []).toString('hex')}:${input.index}`
    })
    expect(new Set(spent).size).toBe(2)
  })

  it('two payments at once of one coin: the second is told that it is taken, however slow the server', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    world.chain.faults.slowFeesMs = 30
    const answers = [
      page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 }),
      page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 6 }),
    ]
    await decideNext(worker, 'approve', 'payment')
    const [first, second] = await Promise.all(answers)
    expect(first).toHaveProperty('result')
    expect(second).toMatchObject({
      error: { data: { reason: 'COINS_HELD', heldByPayments: '100000' } },
    })
    expect(world.chain.broadcasts).toHaveLength(1)
  })

  it('keeps the coins of a payment whose answer was lost, and finds it in the chain', async () => {
    const { world, worker, account, page } = await startFunded(100_000n)
    world.chain.faults.loseAnswers = true
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decideNext(worker, 'approve', 'payment')
    const response = await answer
    expect(response).toMatchObject({
      error: { data: { reason: 'BACKEND_UNAVAILABLE', txid: world.chain.broadcasts[0] } },
    })
    expect(JSON.stringify(response)).not.toContain('rawTx')
    world.chain.faults.unreachable = true
    expect((await worker.ui('getOverview', null)).activity[0]).toMatchObject({ status: 'sending' })
    delete world.chain.faults.unreachable
    delete world.chain.faults.loseAnswers
    await worker.wallet.activity.refresh(world.chain.chain, account)
    expect((await worker.ui('getOverview', null)).activity[0]).toMatchObject({ status: 'pending' })
  })

  it('warns of a fee rate that only a server calls usual', async () => {
    const { world, worker, page } = await startFunded(500_000_000n)
    world.chain.faults.fees = { fastest: 9000, halfHour: 9000, hour: 9000, minimum: 1 }
    void page.call('sendBitcoin', RECIPIENT, 400_000_000)
    const { review } = await nextApproval(worker, 'payment')
    expect(review).toMatchObject({
      warnings: expect.arrayContaining([expect.objectContaining({ kind: 'high-fee' })]),
    })
  })

  it('tells the node’s words when it refuses, and lets go of the coins', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    world.chain.faults.refuse = 'min relay fee not met, 10 < 14'
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decideNext(worker, 'approve', 'payment')
    expect(await answer).toMatchObject({
      error: {
        code: -32000,
        data: { reason: 'BROADCAST_REJECTED', node: 'min relay fee not met, 10 < 14' },
      },
    })
    delete world.chain.faults.refuse
    const again = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decideNext(worker, 'approve', 'payment')
    expect(await again).toHaveProperty('result')
  })

  it('answers BACKEND_UNAVAILABLE when the server is away, without asking', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    world.chain.faults.unreachable = true
    expect(await page.call('sendBitcoin', RECIPIENT, 20_000)).toMatchObject({
      error: { code: -32000, data: { reason: 'BACKEND_UNAVAILABLE' } },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('signs P2WPKH coins after looking at the transactions that made them', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const { accounts } = await worker.ui('getState', null)
    const account = accounts.find(({ addressType }) => addressType === 'p2wpkh')
    await worker.ui('selectAccount', { accountId: account?.id ?? '' })
    fund(world, account?.address ?? '', 100_000n)
    const page = await connectPage(worker, SITE)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decideNext(worker, 'approve', 'payment')
    const response = await answer
    const sent = readBroadcast(world, 'result' in response ? String(response.result) : '')
    expect(sent.getInput(0).finalScriptWitness).toHaveLength(2)
  })
})

describe('a worker that dies', () => {
  /** Every write to storage that a payment makes, as a moment to die after. */
  const moments = Array.from({ length: 12 }, (_, index) => index)

  it.each(moments)('after write %i of a payment sends it exactly once', async moment => {
    const world = createWorld()
    const first = await startUnlocked(world)
    const { accounts, accountId } = await first.ui('getState', null)
    fund(world, accounts.find(({ id }) => id === accountId)?.address ?? '', 100_000n)
    fund(world, accounts.find(({ id }) => id === accountId)?.address ?? '', 100_000n)
    await connectPage(first, SITE)

    const dying = startWorker(dieAfter(world, moment))
    const page = openPage(dying, SITE)
    void page.send('pay-1', 'sendBitcoin', RECIPIENT, 20_000)
    // Hangs where the worker does.
    void decideNext(dying, 'approve', 'payment').catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 300))

    const second = startWorker(world)
    const again = openPage(second, SITE)
    const answer = again.send('pay-1', 'sendBitcoin', RECIPIENT, 20_000)
    const approving = approveAny(second)
    const response = await answer
    approving.stop()
    expect(response).toHaveProperty('result')
    expect(new Set(world.chain.broadcasts).size).toBe(1)
    expect('result' in response && response.result).toBe(world.chain.broadcasts[0])
    // Asked for again, the answer is the stored one.
    expect(await again.send('pay-1', 'sendBitcoin', RECIPIENT, 20_000)).toEqual(response)
    expect(new Set(world.chain.broadcasts).size).toBe(1)
  })

  /** A payment approved in a worker that dies right after it wrote the signed transaction. */
  async function dieSigned() {
    const world = createWorld()
    const first = await startUnlocked(world)
    const { accounts, accountId } = await first.ui('getState', null)
    fund(world, accounts.find(({ id }) => id === accountId)?.address ?? '', 100_000n)
    await connectPage(first, SITE)
    const dying = startWorker({ ...world, session: dieWhen(world, '"signed":{') })
    const page = openPage(dying, SITE)
    void page.send('pay-1', 'sendBitcoin', RECIPIENT, 20_000)
    void decideNext(dying, 'approve', 'payment').catch(() => {})
    while (!JSON.stringify(world.session.dump()).includes('"signed":{')) {
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    return world
  }

  it('after signing is finished by the next even when the wallet was locked meanwhile', async () => {
    const world = await dieSigned()
    const second = startWorker(world)
    await second.ui('lock', null)
    const answer = await openPage(second, SITE).send('pay-1', 'sendBitcoin', RECIPIENT, 20_000)
    expect(answer).toMatchObject({ result: world.chain.broadcasts[0] })
    expect(await second.ui('getApproval', null)).toBeNull()
  })

  it('after signing is finished by the next even when the page never comes back', async () => {
    const world = await dieSigned()
    vi.useFakeTimers()
    const second = startWorker(world)
    const settling = second.router.settleOrphans()
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    await settling
    expect(world.chain.broadcasts).toHaveLength(1)
    expect((await second.wallet.requests.load()).every(({ outcome }) => outcome)).toBe(true)
  })

  it('before signing, with its page gone for good, leaves nothing reserved', async () => {
    const world = createWorld()
    const first = await startUnlocked(world)
    const { accounts, accountId } = await first.ui('getState', null)
    fund(world, accounts.find(({ id }) => id === accountId)?.address ?? '', 100_000n)
    await connectPage(first, SITE)
    const dying = startWorker({ ...world, session: dieWhen(world, '"approvedDigest":"') })
    void openPage(dying, SITE).send('pay-1', 'sendBitcoin', RECIPIENT, 20_000)
    void decideNext(dying, 'approve', 'payment').catch(() => {})
    await new Promise(resolve => setTimeout(resolve, 200))
    vi.useFakeTimers()
    const second = startWorker(world)
    const settling = second.router.settleOrphans()
    await vi.advanceTimersByTimeAsync(10_000)
    vi.useRealTimers()
    await settling
    expect(world.chain.broadcasts).toEqual([])
    const page = openPage(second, SITE)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000)
    await decideNext(second, 'approve', 'payment')
    expect(await answer).toHaveProperty('result')
  })

  it('lets a re-sent id change nothing of what was asked', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    void page.send('ask-1', 'signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    const second = startWorker(world)
    const again = openPage(second, SITE)
    const answer = again.send('ask-1', 'sendBitcoin', RECIPIENT, 20_000)
    const { review } = await decideNext(second, 'approve')
    expect(review).toMatchObject({ kind: 'sign-message', message: 'hello' })
    const signed = await answer
    expect('result' in signed && String(signed.result)).toMatch(/^[A-Za-z0-9+/=]{88}$/)
    expect(world.chain.broadcasts).toEqual([])
  })

  it('while it asks keeps the question, and one that nobody re-sends ends', async () => {
    const { world, worker, page } = await startFunded(100_000n)
    void page.send('ask-1', 'signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    const second = startWorker(world)
    expect(await second.ui('getApproval', null)).toMatchObject({ review: { kind: 'sign-message' } })
    world.clock.now += REQUEST_TTL_MS
    await second.wallet.approvals.reconcile()
    expect(await second.ui('getApproval', null)).toBeNull()
  })
})

/** The world's session storage for a worker that stops after the first write that holds a text: it never comes back from it. */
function dieWhen({ session }: World, text: string): World['session'] {
  return {
    ...session,
    async set(entries) {
      await session.set(entries)
      if (JSON.stringify(entries).includes(text)) await new Promise<never>(() => {})
    },
  }
}

function approveAny(worker: Awaited<ReturnType<typeof startUnlocked>>) {
  const timer = setInterval(async () => {
    const approval = await worker.ui('getApproval', null)
    if (!approval) return
    const { key, digest } = approval
    await worker.ui('decide', { key, digest, decision: 'approve' })
  }, 5)
  return { stop: () => clearInterval(timer) }
}

describe('the test’s own scripts', () => {
  it('are those of the independent implementation', async () => {
    const { account } = await startFunded()
    const key = fromHex(account.publicKey).slice(1)
    expect(p2tr(key, undefined, REGTEST).address).toBe(account.address)
  })
})

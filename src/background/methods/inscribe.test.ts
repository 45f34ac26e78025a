import { describe, expect, it } from 'vitest'
import { toHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { dieAfter, readBroadcast, SITE, startFunded } from '../testing/funded-wallet.ts'
import {
  decideNext,
  nextApproval,
  openPage,
  startWorker,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'

type Funded = Awaited<ReturnType<typeof startFunded>>

/** A wallet whose account has 100 of a token with one digit after the point, of which 20 are transferable. */
async function startHolding(): Promise<Funded> {
  const funded = await startFunded(100_000n)
  funded.world.brc20.deploy('ordi', { decimals: 1, minted: '1000' })
  funded.world.brc20.credit(funded.account.address, 'ordi', '80', '20')
  return funded
}

function ask({ page, account }: Funded, changes: object = {}) {
  return page.call('inscribe', { from: account.address, tick: 'ordi', ...changes })
}

/** Answers the question for the amount, and resolves what was asked. */
async function fillIn(worker: Worker, input?: string) {
  const approval = await nextApproval(worker, 'brc20-amount')
  const { key, digest } = approval
  const filled = input === undefined ? {} : { input }
  await worker.ui('decide', { key, digest, decision: 'approve', ...filled })
  return approval.review
}

describe('inscribe', () => {
  it('asks for the amount, then shows all of it, and resolves the txid of the reveal', async () => {
    const funded = await startHolding()
    const { world, worker } = funded
    const answer = ask(funded, { type: 51, tid: 'x' })
    expect(await fillIn(worker, '12.5')).toEqual({
      kind: 'brc20-amount',
      tick: 'ordi',
      available: '80',
      transferable: '20',
      decimals: 1,
      proposed: null,
      problem: null,
    })
    const { review } = await decideNext(worker, 'approve', 'inscribe')
    expect(review).toMatchObject({
      items: [
        {
          kind: 'brc-20',
          brc20: {
            operation: { op: 'transfer', tick: 'ordi', amt: '12.5' },
            checked: true,
            obstacles: [],
            before: { available: '80', transferable: '20' },
            after: { available: '67.5', transferable: '32.5' },
          },
        },
      ],
    })
    const response = await answer
    const [, reveal = ''] = world.chain.broadcasts
    expect(response).toMatchObject({ result: reveal })
    const { finalScriptWitness: [, leaf] = [] } = readBroadcast(world, reveal).getInput(0)
    expect(toHex(leaf ?? new Uint8Array())).toContain(
      toHex(toUtf8('{"p":"brc-20","op":"transfer","tick":"ordi","amt":"12.5"}')),
    )
  })

  it.each([
    undefined,
    '',
    '0',
    '0.0',
    '-1',
    '+1',
    '1,5',
    '1.25',
    '1e3',
    ' 1',
    '1.',
    '.5',
    '18446744073709551616',
    '\u0661',
  ])('leaves the question open where the answer is no amount of the token: %j', async input => {
    const funded = await startHolding()
    const { worker } = funded
    const answer = ask(funded)
    await expect(fillIn(worker, input)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^input: expected /),
    })
    expect(await nextApproval(worker, 'brc20-amount')).toMatchObject({ review: { tick: 'ordi' } })
    await fillIn(worker, '1')
    await decideNext(worker, 'approve', 'inscribe')
    expect(await answer).toHaveProperty('result')
  })

  it('writes the amount in its plain form', async () => {
    const funded = await startHolding()
    void ask(funded)
    await fillIn(funded.worker, '007.0')
    const { review } = await nextApproval(funded.worker, 'inscribe')
    expect(review).toMatchObject({ items: [{ brc20: { operation: { amt: '7' } } }] })
  })

  it('takes the page’s amount for a proposal and nothing more', async () => {
    const funded = await startHolding()
    void ask(funded, { amt: '80' })
    expect(await fillIn(funded.worker, '2')).toMatchObject({ proposed: '80' })
    const { review } = await nextApproval(funded.worker, 'inscribe')
    expect(review).toMatchObject({ items: [{ brc20: { operation: { amt: '2' } } }] })
  })

  it('shows that more is asked for than there is', async () => {
    const funded = await startHolding()
    void ask(funded)
    await fillIn(funded.worker, '80.1')
    const { review } = await nextApproval(funded.worker, 'inscribe')
    expect(review).toMatchObject({ items: [{ brc20: { obstacles: ['insufficient'] } }] })
  })

  it('says that nothing is known without a server, and where it does not answer', async () => {
    const funded = await startHolding()
    const { world, worker } = funded
    const unknown = { available: null, transferable: null, decimals: null }
    world.brc20.faults.unreachable = true
    const answer = ask(funded)
    expect((await nextApproval(worker, 'brc20-amount')).review).toMatchObject({
      ...unknown,
      problem: { kind: 'unreachable' },
    })
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    world.brc20.faults.none = true
    const again = ask(funded)
    expect(await fillIn(worker, '3')).toMatchObject({ ...unknown, problem: null })
    const { review } = await decideNext(worker, 'approve', 'inscribe')
    expect(review).toMatchObject({ items: [{ brc20: { checked: false, obstacles: [] } }] })
    expect(await again).toHaveProperty('result')
  })

  it('inscribes nothing when the second question is rejected', async () => {
    const funded = await startHolding()
    const answer = ask(funded)
    await fillIn(funded.worker, '1')
    await decideNext(funded.worker, 'reject', 'inscribe')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(funded.world.chain.broadcasts).toEqual([])
  })

  it('does not ask for the amount again after its worker died', async () => {
    const { world, worker, page, account } = await startHolding()
    const request = { from: account.address, tick: 'ordi' }
    void page.send('inscribe-1', 'inscribe', request)
    await fillIn(worker, '5')
    await nextApproval(worker, 'inscribe')
    const second = startWorker(world)
    const answer = openPage(second, SITE).send('inscribe-1', 'inscribe', request)
    const { review } = await decideNext(second, 'approve')
    expect(review).toMatchObject({ items: [{ brc20: { operation: { amt: '5' } } }] })
    expect(await answer).toHaveProperty('result')
  })

  it('ends between its questions when the account in use becomes another one', async () => {
    const funded = await startHolding()
    const { worker } = funded
    const answer = ask(funded)
    await fillIn(worker, '5')
    await nextApproval(worker, 'inscribe')
    const { id } = await worker.ui('addAccount', { addressType: 'p2wpkh', name: '' })
    await worker.ui('selectAccount', { accountId: id })
    expect(await answer).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect(funded.world.chain.broadcasts).toEqual([])
  })

  it('refuses what is no ticker before anybody is asked', async () => {
    const funded = await startHolding()
    const { shown } = funded.world.window
    for (const [tick, text] of [
      ['ord', /^tick: BRC-20, tick: expected four or five bytes/],
      ['ordinal', /^tick: /],
      ['\ud83d\ude00\ud83d\ude00', /^tick: /],
      ['or\ud800d', /^tick: /],
    ] as const)
      expect(await ask(funded, { tick })).toMatchObject({
        error: { code: -32602, message: expect.stringMatching(text) },
      })
    expect(await ask(funded, { type: 50 })).toMatchObject({
      error: { code: -32602, message: 'type: expected 51, or nothing, got the number 50' },
    })
    expect(funded.world.window.shown).toBe(shown)
  })

  it('serves the account that the page is connected to and no other', async () => {
    const funded = await startHolding()
    const other = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    expect(await ask(funded, { from: other })).toMatchObject({ error: { code: 4100 } })
  })

  it('is one inscription however often its worker dies on the way', async () => {
    const counted = await startHolding()
    const whole = dieAfter(counted.world, Number.POSITIVE_INFINITY)
    await answerAll(whole, counted, '5')
    const writes = whole.writes()
    expect(writes).toBeGreaterThan(8)
    const amounts = new Set<string>()
    for (let point = 0; point < writes; point++) {
      const funded = await startHolding()
      const { world } = funded
      const dying = dieAfter(world, point)
      await Promise.race([answerAll(dying, funded, '5').catch(() => {}), dying.died])
      const response = await answerAll(world, funded, '6')
      expect(response, `after ${point} writes`).toHaveProperty('result')
      const [commit, reveal, ...others] = new Set(world.chain.broadcasts)
      expect([typeof commit, others], `after ${point} writes`).toEqual(['string', []])
      expect(response).toMatchObject({ result: reveal })
      amounts.add(amountIn(world, reveal ?? ''))
    }
    expect(amounts).toEqual(new Set(['5', '6']))
  })

  it('that is signed is answered by a worker whose wallet is locked, and nobody is asked again', async () => {
    let answered = 0
    for (let point = 0; answered < 3; point++) {
      expect(point).toBeLessThan(100)
      const funded = await startHolding()
      const { world, account } = funded
      const dying = dieAfter(world, point)
      await Promise.race([answerAll(dying, funded, '5').catch(() => {}), dying.died])
      const next = startWorker(world)
      const requests = await next.wallet.requests.load()
      const stored = requests.find(({ method }) => method === 'inscribe')
      if (!stored?.journal.signed) continue
      await next.ui('lock', null)
      const { shown } = world.window
      const params = { from: account.address, tick: 'ordi' }
      const response = await openPage(next, SITE).send('inscribe-1', 'inscribe', params)
      const [, reveal] = new Set(world.chain.broadcasts)
      expect(response).toMatchObject({ result: reveal })
      expect(world.window.shown).toBe(shown)
      answered++
    }
  })

  it('takes no input where nothing is asked', async () => {
    const { worker, page } = await startHolding()
    const answer = page.call('signMessage', 'hello')
    const { key, digest } = await nextApproval(worker, 'sign-message')
    await worker.ui('decide', { key, digest, decision: 'approve', input: '7' })
    expect(await answer).toHaveProperty('result')
    expect((await worker.wallet.requests.load()).map(({ input }) => input)).not.toContain('7')
  })
})

/** Sends the same request to a new worker on this world, which is told this amount and approved whatever it asks. */
async function answerAll(world: World, { account }: Funded, amount: string) {
  const worker = startWorker(world)
  const params = { from: account.address, tick: 'ordi' }
  const answer = openPage(worker, SITE).send('inscribe-1', 'inscribe', params)
  let isThere = false
  const watched = answer.finally(() => {
    isThere = true
  })
  while (!isThere) {
    const approval = await worker.ui('getApproval', null)
    if (approval) {
      const { key, digest, review } = approval
      const filled = review.kind === 'brc20-amount' ? { input: amount } : {}
      await worker.ui('decide', { key, digest, decision: 'approve', ...filled })
    }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  return watched
}

/** The amount of the transfer that a transaction inscribes. */
function amountIn(world: World, txid: string): string {
  const { finalScriptWitness: [, leaf] = [] } = readBroadcast(world, txid).getInput(0)
  const [, amount = ''] = /"amt":"([^"]*)"/.exec(Buffer.from(leaf ?? []).toString('latin1')) ?? []
  return amount
}

import { describe, expect, it } from 'vitest'
import { inHurry } from '../testing/fast-timers.ts'
import { RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
  type Worker,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
const ALL = { origin: null, answer: 'all', offset: 0, limit: 100 } as const

async function historyOf(worker: Worker) {
  return (await worker.ui('getApprovalHistory', ALL)).entries
}

describe('what a site asked is kept with its answer:', () => {
  it('a connection, with its account', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await connectPage(worker, SITE)
    const { accounts, accountId } = await worker.ui('getState', null)
    expect(await historyOf(worker)).toEqual([
      {
        id: expect.any(String),
        ...{ origin: SITE, at: world.clock.now, endedAt: world.clock.now },
        ...{ accountId, network: 'regtest', method: 'connect', answer: 'approved' },
        accountName: accounts.find(({ id }) => id === accountId)?.name,
        ...{ question: { kind: 'connect', term: 'always' }, reason: null, txids: [] },
      },
    ])
  })

  it('a payment, with its amount, recipient and transaction', async () => {
    const { worker, page } = await startFunded(1_000_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 })
    const { review } = await decideNext(worker, 'approve', 'payment')
    const response = await answer
    const fee = review.kind === 'payment' ? review.fee : ''
    const recipients = [{ address: RECIPIENT, sats: '20000' }]
    expect((await historyOf(worker))[0]).toMatchObject({
      answer: 'approved',
      question: { kind: 'payment', sats: '20000', fee, count: 1, recipients, assets: 0 },
      txids: ['result' in response ? response.result : ''],
    })
  })

  it('one that failed after it was approved, with the reason', async () => {
    const { world, worker, page } = await startFunded(1_000_000n)
    world.chain.faults.refuse = 'mempool full'
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 })
    await decideNext(worker, 'approve', 'payment')
    expect(await answer).toMatchObject({ error: { data: { reason: 'BROADCAST_REJECTED' } } })
    expect((await historyOf(worker))[0]).toMatchObject({
      answer: 'failed',
      reason: 'BROADCAST_REJECTED',
      txids: [],
    })
  })

  it('one of which nobody knows whether it was sent, with the transaction that may be on its way', async () => {
    const { world, worker, page } = await startFunded(1_000_000n)
    const answer = page.call('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 })
    world.chain.faults.loseAnswers = true
    await inHurry(() => decideNext(worker, 'approve', 'payment').then(() => answer), 0.5)
    expect(await answer).toMatchObject({ error: { data: { reason: 'BACKEND_UNAVAILABLE' } } })
    expect((await historyOf(worker))[0]).toMatchObject({
      answer: 'approved',
      txids: world.chain.broadcasts.slice(0, 1),
    })
  })

  it.each([
    ['rejected', (worker: Worker) => decideNext(worker, 'reject', 'sign-message')],
    ['closed', (worker: Worker) => worker.wallet.approvals.rejectAll()],
    ['rejected', (worker: Worker) => worker.ui('blockSite', { origin: SITE })],
  ] as const)('a message that was %s', async (answer, decide) => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const called = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await decide(worker)
    expect(await called).toMatchObject({ error: { code: 4001 } })
    expect((await historyOf(worker))[0]).toMatchObject({
      ...{ answer, reason: null },
      question: { kind: 'sign-messages', texts: ['hello'], count: 1 },
    })
  })

  it('one that nobody answered, one whose page left, and one that was disconnected', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    void page.call('signMessage', 'late')
    await nextApproval(worker, 'sign-message')
    world.clock.now += 600_000
    await worker.wallet.approvals.expire()
    void page.call('signMessage', 'left')
    await nextApproval(worker, 'sign-message')
    await page.leave()
    const other = openPage(worker, SITE)
    const called = other.call('signMessage', 'revoked')
    await nextApproval(worker, 'sign-message')
    await worker.ui('revokeSite', { origin: SITE, grant: null })
    await called
    const entries = (await historyOf(worker)).map(({ answer, reason, question }) => [
      question.kind === 'sign-messages' ? question.texts[0] : question.kind,
      answer,
      reason,
    ])
    expect(entries).toEqual(
      expect.arrayContaining([
        ['late', 'expired', null],
        ['left', 'ended', null],
        ['revoked', 'ended', expect.stringContaining('connect')],
      ]),
    )
  })

  it('an unlock that was refused, without an account', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    void page.call('signMessage', 'hello')
    await nextApproval(worker, 'unlock')
    await worker.wallet.approvals.rejectAll()
    await worker.ui('unlock', { password: PASSWORD })
    expect((await historyOf(worker))[0]).toMatchObject({
      ...{ answer: 'closed', accountId: null, accountName: '', question: { kind: 'unlock' } },
      method: 'signMessage',
    })
  })

  it('a secret that a site derives, without the secret', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const answer = page.call('deriveContextHash', 'dapp', 'ab'.repeat(32))
    await decideNext(worker, 'approve', 'derive-context-hash')
    const response = await answer
    const secret = 'result' in response ? String(response.result) : ''
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    expect((await historyOf(worker))[0]).toMatchObject({
      answer: 'approved',
      question: { kind: 'derive-context-hash', appName: 'dapp' },
    })
    expect(JSON.stringify(world.local.dump())).not.toContain(secret)
  })

  it('calls that one answer settles once', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answers = [page.call('connect'), page.call('requestAccounts'), page.call('connect')]
    while ((await worker.wallet.requests.load()).filter(({ review }) => review).length < 3)
      await nextApproval(worker)
    await decideNext(worker, 'approve')
    await Promise.all(answers)
    expect(await historyOf(worker)).toHaveLength(1)
  })
})

describe('the history', () => {
  it('is not shown while the wallet is locked, and is there in the next worker', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await connectPage(worker, SITE)
    await worker.ui('lock', null)
    const locked = { code: 4100 }
    await expect(worker.ui('getApprovalHistory', ALL)).rejects.toMatchObject(locked)
    const one = { origin: null, unnamed: 'Account {number}' }
    await expect(worker.ui('exportApprovalHistory', one)).rejects.toMatchObject(locked)
    await expect(worker.ui('clearApprovalHistory', one)).rejects.toMatchObject(locked)
    const next = startWorker(world)
    await next.ui('unlock', { password: PASSWORD })
    expect(await historyOf(next)).toHaveLength(1)
  })

  it('is dropped from the disk after 90 days when the wallet locks', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    await connectPage(worker, SITE)
    expect(world.local.dump()).toHaveProperty('approvalHistory')
    world.clock.now += 90 * 24 * 3_600_000
    await worker.ui('unlock', { password: PASSWORD })
    await worker.ui('lock', null)
    expect(world.local.dump()).not.toHaveProperty('approvalHistory')
  })

  it('goes with the wallet when that is erased while a site asks', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await worker.ui('resetWallet', { confirmation: 'erase' })
    await answer
    expect(JSON.stringify(world.local.dump())).not.toContain(SITE)
  })

  it('is no operation of a page', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    for (const name of ['getApprovalHistory', 'exportApprovalHistory', 'clearApprovalHistory'])
      expect(await page.call(name, ALL)).toMatchObject({ error: { code: -32601 } })
  })

  it('that cannot be written holds up no answer', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const { set } = world.local
    world.local.set = entries =>
      'approvalHistory' in entries ? Promise.reject(new Error('full')) : set(entries)
    const page = await connectPage(worker, SITE)
    expect(await page.call('getPublicKey')).toHaveProperty('result')
    expect(JSON.stringify(worker.logged.map(String))).toContain('full')
  })

  it('is exported as CSV, in which no text of a site is a formula', async () => {
    const { worker, page } = await startFunded(1_000_000n)
    const answer = page.call('signMessage', '=HYPERLINK("http://evil.example")')
    await decideNext(worker, 'reject', 'sign-message')
    await answer
    const { csv, count } = await worker.ui('exportApprovalHistory', {
      origin: SITE,
      unnamed: 'Konto {number}',
    })
    const [head, ...lines] = csv.trimEnd().split('\r\n')
    expect(head).toMatch(/^asked,ended,origin,account,network,operation,question,answer,/)
    expect(lines).toHaveLength(count)
    expect(lines.every(line => line.includes(`,${SITE},Konto 1,`))).toBe(true)
    expect(csv).toContain(`"'=HYPERLINK(""http://evil.example"")"`)
    const other = await worker.ui('exportApprovalHistory', {
      ...{ origin: 'https://other.example', unnamed: 'Konto {number}' },
    })
    expect(other).toEqual({ csv: `${head}\r\n`, count: 0 })
  })

  it.each([
    [{ ...ALL, origin: 5 }, 'origin'],
    [{ ...ALL, answer: 'no' }, 'answer'],
    [{ ...ALL, offset: -1 }, 'offset'],
    [{ ...ALL, limit: 101 }, 'limit'],
  ])('names what is wrong with %j', async (params, field) => {
    const worker = await startUnlocked()
    await expect(worker.ui('getApprovalHistory', params as never)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(`${field}: expected`),
    })
  })
})

import { describe, expect, it } from 'vitest'
import { METHOD_NAMES, type MethodName } from '../../provider/method-names.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'
import { REQUEST_TTL_MS } from './requests.ts'

const SITE = 'https://dapp.example'
const OTHER = 'https://other.example'
const REJECTED = { code: 4001, message: 'User rejected the request.' }

const FROM = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const ID = `${'ab'.repeat(32)}i0`
/** The least PSBT and transaction there are. */
const PSBT = '70736274ff01000a02000000000000000000000000'
const RAW = '02000000000000000000'

/** What makes each operation go on to the question of whether the page may. */
const FIT_PARAMS: { [method in MethodName]?: unknown[] } = {
  sendBitcoin: [FROM, 1000],
  send: [{ from: FROM, to: FROM, value: '0.001' }],
  sendInscription: [FROM, ID],
  transferNft: [{ from: FROM, to: FROM, data: ID }],
  signMessage: ['hello'],
  signMessages: [[{ text: 'hello' }, { text: 'hello' }]],
  pushTx: [RAW],
  splitUtxo: [{ from: FROM }],
  inscribe: [{ from: FROM, tick: 'ordi' }],
  mint: [{ from: FROM, type: 61, inscriptions: [{ body: 'hello' }] }],
  signPsbt: [PSBT],
  signPsbts: [[PSBT]],
  pushPsbt: [PSBT],
  sendPsbt: [[{ itemId: 'a', signedTx: PSBT, type: 20 }], FROM],
  switchNetwork: ['signet'],
  deriveContextHash: ['babylon-btc-vault', '00'],
  sendTransfer: [{ recipients: [{ address: FROM, amount: 1000 }] }],
}

/** What anybody is told. */
const FREE_ANSWERS: { [method in MethodName]?: { result: unknown } } = {
  getAccounts: { result: [] },
  getNetwork: { result: 'regtest' },
  disconnect: { result: null },
}

/** BIP-86's first receiving address in regtest clothes is not in a vector; the page must see what the popup shows. */
async function shownAddress(worker: Awaited<ReturnType<typeof startUnlocked>>): Promise<string> {
  const state = await worker.ui('getState', null)
  return state.accounts.find(({ id }) => id === state.accountId)?.address ?? ''
}

describe('a page that is not connected', () => {
  it.each(METHOD_NAMES.filter(name => !['connect', 'requestAccounts'].includes(name)))(
    'learns nothing of the account from %s',
    async method => {
      const worker = await startUnlocked()
      const page = openPage(worker, SITE)
      const answer = await page.call(method, ...(FIT_PARAMS[method] ?? []))
      expect(answer).toMatchObject(FREE_ANSWERS[method] ?? { error: { code: 4100 } })
      const { accounts } = await worker.ui('getState', null)
      const traffic = JSON.stringify(page.received)
      for (const account of accounts) {
        expect(traffic).not.toContain(account.address)
        expect(traffic).not.toContain(account.publicKey)
      }
      expect(page.states().every(state => state.account === null && state.network === null)).toBe(
        true,
      )
    },
  )

  it('gets an empty list from getAccounts and 4100 from methods of an account', async () => {
    const page = openPage(await startUnlocked(), SITE)
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
    for (const method of ['getPublicKey', 'getBalance', 'signMessage'] as const) {
      expect(await page.call(method, 'text')).toMatchObject({ error: { code: 4100 } })
    }
  })

  it('opens no window by asking for signatures', async () => {
    const world = createWorld()
    const page = openPage(await startUnlocked(world), SITE)
    await page.call('signMessage', 'hello')
    expect(world.window.shown).toBe(0)
  })
})

describe('connect', () => {
  it('asks once and is silent afterwards', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    const answer = page.call('connect')
    const approval = await decideNext(worker, 'approve')
    expect(approval).toMatchObject({ origin: SITE, review: { kind: 'connect' } })
    const address = await shownAddress(worker)
    const { publicKey } = approval.account ?? { publicKey: '' }
    expect(await answer).toMatchObject({
      result: { address, publicKey, compressedPublicKey: publicKey },
    })
    expect(await page.call('requestAccounts')).toMatchObject({ result: [address] })
    expect(await page.call('getAccounts')).toMatchObject({ result: [address] })
    expect(world.window.shown).toBe(1)
  })

  it('tells the page its account before the answer', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answered = page.received.findIndex(message => 'result' in message)
    const told = page.received.findIndex(message => 'state' in message && message.state.account)
    expect(told).toBeGreaterThanOrEqual(0)
    expect(told).toBeLessThan(answered)
  })

  it('called several times while it asks shows one question and answers all', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answers = [page.call('connect'), page.call('requestAccounts'), page.call('connect')]
    await nextApproval(worker)
    while ((await worker.wallet.requests.load()).filter(({ review }) => review).length < 3) {
      await new Promise(resolve => setTimeout(resolve, 1))
    }
    expect(await worker.ui('getApproval', null)).toMatchObject({ position: 1, total: 1 })
    await decideNext(worker, 'approve')
    for (const answer of await Promise.all(answers)) expect(answer).toHaveProperty('result')
  })

  it('answers 4900 while there is no wallet', async () => {
    const page = openPage(startWorker(createWorld()), SITE)
    expect(await page.call('connect')).toMatchObject({ error: { code: 4900 } })
  })
})

describe('a rejected request', () => {
  it('gets 4001 when the person rejects', async () => {
    const worker = await startUnlocked()
    const answer = openPage(worker, SITE).call('connect')
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject({ error: REJECTED })
  })

  it('gets 4001 when the window is closed, and so does everything else in its queue', async () => {
    const worker = await startUnlocked()
    const answers = [
      openPage(worker, SITE).call('connect'),
      openPage(worker, OTHER).call('connect'),
    ]
    while ((await worker.ui('getState', null)).pendingApprovals < 2) await nextApproval(worker)
    await worker.wallet.approvals.rejectAll()
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject({ error: REJECTED })
    }
  })

  it('gets 4001 when nobody answers for ten minutes', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const answer = openPage(worker, SITE).call('connect')
    await nextApproval(worker)
    world.clock.now += REQUEST_TTL_MS
    await worker.wallet.approvals.expire()
    expect(await answer).toMatchObject({ error: REJECTED })
  })

  it('does not turn an approval that came first into a rejection', async () => {
    const worker = await startUnlocked()
    const answer = openPage(worker, SITE).call('connect')
    const { key, digest } = await nextApproval(worker)
    await Promise.all([
      worker.ui('decide', { key, digest, decision: 'approve' }),
      worker.wallet.approvals.rejectAll(),
    ])
    expect(await answer).toHaveProperty('result')
  })
})

describe('an approval', () => {
  it('of something else than what is asked signs nothing', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    const { key, digest } = await nextApproval(worker, 'sign-message')
    const wrong = digest.replace(/^./, first => (first === '0' ? '1' : '0'))
    await expect(worker.ui('decide', { key, digest: wrong, decision: 'approve' })).rejects.toThrow()
    expect(await worker.ui('getApproval', null)).toMatchObject({ key })
    await decideNext(worker, 'reject')
    expect(await answer).toMatchObject({ error: REJECTED })
  })

  it('is refused with 4100 when the account was switched meanwhile', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    const { accounts, accountId } = await worker.ui('getState', null)
    const other = accounts.find(({ id }) => id !== accountId)
    await worker.ui('selectAccount', { accountId: other?.id ?? '' })
    expect(await answer).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('is refused with 4100 when the network was switched meanwhile', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await worker.ui('selectNetwork', { network: 'signet' })
    expect(await answer).toMatchObject({ error: { code: 4100 } })
  })

  it('is refused with 4100 when the site was disconnected meanwhile', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await page.call('disconnect')
    expect(await answer).toMatchObject({ error: { code: 4100 } })
  })

  it('disappears when its page leaves', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    void page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await page.leave()
    expect(await worker.ui('getApproval', null)).toBeNull()
  })
})

describe('invalid requests', () => {
  it('name the field, what came and what was expected', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const address = await shownAddress(worker)
    const cases: [string, unknown[], string][] = [
      ['signMessage', [42], 'signStr: expected a string, got the number 42'],
      ['signMessage', ['x', 'rsa'], 'type: expected one of'],
      ['signMessage', ['\ud800'], 'signStr: expected text without lone surrogates'],
      ['sendBitcoin', [address, 1.5], 'satoshis: expected a whole number'],
      ['sendBitcoin', [address, 0], 'satoshis: expected a whole number'],
      ['sendBitcoin', [address, '1e3'], 'satoshis: expected a whole number'],
      ['sendBitcoin', [7, 1000], 'toAddress: expected a string, got the number 7'],
      ['sendBitcoin', [address, 1000, { feeRate: -1 }], 'options.feeRate: expected sat/vB'],
      ['sendBitcoin', [address, 1000, { feeRate: 10_001 }], 'options.feeRate: expected sat/vB'],
      ['sendBitcoin', [address, 1000, 'fast'], 'options: expected an object'],
      ['pushTx', ['0g'], 'rawTx: expected hexadecimal bytes'],
      ['pushTx', ['00'], 'rawTx: expected a signed transaction'],
    ]
    for (const [method, params, message] of cases) {
      expect(await page.call(method, ...params)).toMatchObject({
        error: { code: -32602, message: expect.stringContaining(message) },
      })
    }
  })

  it.each(['exportSeed', 'getState', 'decide', 'toString', '__proto__', ''])(
    'of the unknown method %j get -32601',
    async name => {
      const page = await connectPage(await startUnlocked(), SITE)
      expect(await page.call(name)).toEqual({
        id: expect.any(String),
        error: { code: -32601, message: `Unknown method: ${name}` },
      })
    },
  )

  it('that are no requests are dropped', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const shapes = [null, 1, 'x', [], {}, { id: '1' }, { id: 1, method: 'connect', params: [] }]
    for (const shape of [...shapes, { ui: 'lock', params: null }, { id: 'a', method: 'b' }]) {
      await worker.router.receive(page.port, shape)
    }
    expect(page.received.filter(message => 'id' in message)).toEqual([])
    expect((await worker.ui('getState', null)).vault).toBe('unlocked')
  })
})

describe('a page that is connected hears', () => {
  it('the new account when it has allowed the site, and null when it has not', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const { accounts, accountId } = await worker.ui('getState', null)
    const other = accounts.find(({ id }) => id !== accountId)
    await worker.ui('selectAccount', { accountId: other?.id ?? '' })
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(page.states().at(-1)?.account).toBeNull()
    const answer = page.call('connect')
    await decideNext(worker, 'approve', 'connect')
    await answer
    expect(page.states().at(-1)?.account?.address).toBe(other?.address)
    await worker.ui('selectAccount', { accountId: accountId ?? '' })
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(page.states().at(-1)?.account?.address).toBe(
      accounts.find(({ id }) => id === accountId)?.address,
    )
  })
})

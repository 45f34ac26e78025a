import { describe, expect, it, vi } from 'vitest'
import { dieAfter, SITE } from '../testing/funded-wallet.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  startWorker,
} from '../testing/test-wallet.ts'

const OTHER = 'https://other.example'

/** The first taproot account of the words in use, as other wallets show it: BIP-86's own vector, and on test networks. */
const ON_MAINNET = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
const ON_TEST = 'tb1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqlqt9zj'
/** Bitcoin's wiki on WIF; a key of mainnet. */
const MAINNET_KEY = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617'

async function start() {
  const world = createWorld()
  const worker = await startUnlocked(world)
  const page = await connectPage(worker, SITE)
  return { world, worker, page }
}

/** A world whose worker died at that many writes after an approved switch was asked for, or answered before. */
async function dieWhileSwitching(moment: number) {
  const { world } = await start()
  const watched = dieAfter(world, moment)
  const dying = startWorker(watched)
  const lost = openPage(dying, SITE).send('switch', 'switchNetwork', 'signet')
  void decideNext(dying, 'approve', 'switch-network').catch(() => {})
  await Promise.race([watched.died, lost])
  return world
}

/** Lets a worker that started anew come to what no page has come back for. */
async function settleOrphans({ router }: ReturnType<typeof startWorker>): Promise<void> {
  vi.useFakeTimers()
  const settling = router.settleOrphans()
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  await settling
}

const networkOf = async (worker: Awaited<ReturnType<typeof startUnlocked>>) =>
  (await worker.ui('getState', null)).network

describe('switchNetwork', () => {
  it.each([
    ['signet', 'signet', 'signet', ON_TEST],
    ['testnet4', 'testnet4', 'testnet4', ON_TEST],
    ['testnet', 'testnet4', 'testnet4', ON_TEST],
    ['mainnet', 'mainnet', 'livenet', ON_MAINNET],
    ['livenet', 'mainnet', 'livenet', ON_MAINNET],
  ] as const)(
    'to %s shows what is changed, changes it and connects that account',
    async (name, network, told, address) => {
      const { worker, page } = await start()
      const answer = page.call('switchNetwork', name)
      const { review, ...shown } = await decideNext(worker, 'approve', 'switch-network')
      expect(shown).toMatchObject({ origin: SITE, network: 'regtest' })
      expect(review).toMatchObject({ network, account: { address } })
      expect(await answer).toMatchObject({ result: told })
      expect(await networkOf(worker)).toBe(network)
      expect(await page.call('getNetwork')).toMatchObject({ result: told })
      expect(await page.call('getAccounts')).toMatchObject({ result: [address] })
      expect(page.states().at(-1)).toMatchObject({ network: told, account: { address } })
    },
  )

  it('tells the page network and account together, and before the answer', async () => {
    const { worker, page } = await start()
    const answer = page.call('switchNetwork', 'signet')
    await decideNext(worker, 'approve', 'switch-network')
    await answer
    const told = page.received.findIndex(
      message => 'state' in message && message.state.network === 'signet',
    )
    const answered = page.received.findIndex(
      message => 'result' in message && message.result === 'signet',
    )
    expect(told).toBeGreaterThan(0)
    expect(told).toBeLessThan(answered)
    const alone = page.states().filter(({ network, account }) => network === 'signet' && !account)
    expect(alone).toEqual([])
  })

  it('to the network in use asks nothing', async () => {
    const { world, worker, page } = await start()
    const shown = world.window.shown
    expect(await page.call('switchNetwork', 'regtest')).toMatchObject({ result: 'regtest' })
    expect(world.window.shown).toBe(shown)
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it.each([
    'testnet3',
    'Signet',
    'LIVENET',
    '',
    'fractal',
    7,
    null,
    undefined,
    {},
    ['signet'],
    'toString',
    '__proto__',
  ])('to %j is refused with the names there are', async name => {
    const { worker, page } = await start()
    expect(await page.call('switchNetwork', name)).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining(
          'name: expected one of livenet, mainnet, testnet4, testnet, signet, regtest',
        ),
      },
    })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('changes nothing when the person rejects, nor for a site that is not connected', async () => {
    const { worker, page } = await start()
    const answer = page.call('switchNetwork', 'signet')
    await decideNext(worker, 'reject', 'switch-network')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    const stranger = openPage(worker, OTHER, 2)
    expect(await stranger.call('switchNetwork', 'signet')).toMatchObject({ error: { code: 4100 } })
    expect(await networkOf(worker)).toBe('regtest')
    expect((await worker.ui('getSites', null)).flatMap(({ grants }) => grants)).toHaveLength(1)
  })

  it('ends what other sites wait for on the old network, and connects none of them to the new one', async () => {
    const { worker, page } = await start()
    const other = await connectPage(worker, OTHER, 2)
    const answer = page.call('switchNetwork', 'signet')
    const { key, digest } = await nextApproval(worker, 'switch-network')
    const waiting = other.call('signMessage', 'hello')
    while ((await worker.ui('getState', null)).pendingApprovals < 2)
      await new Promise(resolve => setTimeout(resolve, 1))
    await worker.ui('decide', { key, digest, decision: 'approve' })
    expect(await answer).toMatchObject({ result: 'signet' })
    expect(await waiting).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getApproval', null)).toBeNull()
    expect(await other.call('getAccounts')).toMatchObject({ result: [] })
    expect(other.states().at(-1)?.account).toBeNull()
  })

  it('asked for twice at once is one question and answers both', async () => {
    const { worker, page } = await start()
    const answers = [page.call('switchNetwork', 'signet'), page.call('switchNetwork', 'signet')]
    while ((await worker.wallet.requests.load()).filter(({ review }) => review).length < 2)
      await new Promise(resolve => setTimeout(resolve, 1))
    expect(await worker.ui('getApproval', null)).toMatchObject({ total: 1 })
    await decideNext(worker, 'approve', 'switch-network')
    for (const answer of await Promise.all(answers))
      expect(answer).toMatchObject({ result: 'signet' })
  })

  it('asked for two networks at once goes to the one that is approved', async () => {
    const { worker, page } = await start()
    const answers = [page.call('switchNetwork', 'signet'), page.call('switchNetwork', 'testnet4')]
    while ((await worker.ui('getState', null)).pendingApprovals < 2)
      await new Promise(resolve => setTimeout(resolve, 1))
    const { review } = await decideNext(worker, 'approve', 'switch-network')
    expect(review).toMatchObject({ network: 'signet' })
    expect(await Promise.all(answers)).toMatchObject([
      { result: 'signet' },
      { error: { code: 4100 } },
    ])
    expect(await networkOf(worker)).toBe('signet')
  })

  it('while locked comes up once the wallet is open', async () => {
    const { worker, page } = await start()
    await worker.ui('lock', null)
    const answer = page.call('switchNetwork', 'signet')
    expect(await nextApproval(worker, 'unlock')).toMatchObject({
      review: { kind: 'unlock', method: 'switchNetwork' },
    })
    await worker.ui('unlock', { password: PASSWORD })
    await decideNext(worker, 'approve', 'switch-network')
    expect(await answer).toMatchObject({ result: 'signet' })
  })

  it('from an account that the other network has not shows, and connects, the one that is in use there', async () => {
    const { worker } = await start()
    await worker.ui('selectNetwork', { network: 'mainnet' })
    const imported = await worker.ui('importWif', {
      wif: MAINNET_KEY,
      addressType: 'p2wpkh',
      name: 'Key',
    })
    await worker.ui('selectAccount', { accountId: imported.id })
    const page = await connectPage(worker, SITE, 3)
    const answer = page.call('switchNetwork', 'signet')
    const { account, review } = await decideNext(worker, 'approve', 'switch-network')
    expect(account).toMatchObject({ id: imported.id })
    expect(review).toMatchObject({ account: { address: ON_TEST } })
    expect(await answer).toMatchObject({ result: 'signet' })
    expect(await page.call('getAccounts')).toMatchObject({ result: [ON_TEST] })
    expect(await networkOf(worker)).toBe('signet')
  })

  it('to a network without an account that can sign is refused before anybody is asked', async () => {
    const world = createWorld()
    const worker = startWorker(world)
    await worker.ui('selectNetwork', { network: 'mainnet' })
    const origin = { kind: 'wif', wif: MAINNET_KEY, addressType: 'p2tr' } as const
    await worker.ui('createVault', { origin, password: PASSWORD })
    const page = await connectPage(worker, SITE)
    const shown = world.window.shown
    expect(await page.call('switchNetwork', 'signet')).toMatchObject({
      error: { code: 4100, message: 'The wallet has no account on signet.' },
    })
    await worker.ui('selectNetwork', { network: 'signet' })
    await worker.ui('watchAddress', { address: ON_TEST, name: 'Mine too' })
    await worker.ui('selectNetwork', { network: 'mainnet' })
    expect(await page.call('switchNetwork', 'signet')).toMatchObject({
      error: { code: 4100, message: expect.stringContaining('signet is only watched') },
    })
    expect(world.window.shown).toBe(shown)
    expect(await networkOf(worker)).toBe('mainnet')
  })

  it('is off when the account that was shown is not the one that would be connected any more', async () => {
    const { worker } = await start()
    await worker.ui('selectNetwork', { network: 'mainnet' })
    const imported = await worker.ui('importWif', {
      wif: MAINNET_KEY,
      addressType: 'p2wpkh',
      name: 'Key',
    })
    await worker.ui('selectAccount', { accountId: imported.id })
    const page = await connectPage(worker, SITE, 3)
    const answer = page.call('switchNetwork', 'signet')
    const { review, key, digest } = await nextApproval(worker, 'switch-network')
    if (review.kind !== 'switch-network') throw new Error('Wrong review')
    await worker.ui('setAccountHidden', { accountId: review.account.id, hidden: true })
    await worker.ui('decide', { key, digest, decision: 'approve' })
    expect(await answer).toMatchObject({ error: { code: 4100 } })
    expect(await networkOf(worker)).toBe('mainnet')
    const grants = (await worker.ui('getSites', null)).flatMap(({ grants }) => grants)
    expect(grants.filter(({ network }) => network === 'signet')).toEqual([])
  })

  it('ends whole, or was never begun, when the worker dies at any write', async () => {
    const ends = new Set<string>()
    for (let moment = 0; moment < 16; moment++) {
      const world = await dieWhileSwitching(moment)

      const second = startWorker(world)
      const page = openPage(second, SITE)
      const again = page.send('switch', 'switchNetwork', 'signet')
      const asked = await Promise.race([again, nextApproval(second, 'switch-network')])
      ends.add('review' in asked ? 'asked' : 'done')
      if ('review' in asked) {
        const { key, digest } = asked
        expect(await networkOf(second)).toBe('regtest')
        await second.ui('decide', { key, digest, decision: 'approve' })
      }
      expect(await again).toMatchObject({ result: 'signet' })
      expect(await networkOf(second)).toBe('signet')
      expect(await page.call('getAccounts')).toMatchObject({ result: [ON_TEST] })
    }
    expect([...ends]).toEqual(['asked', 'done'])
  })

  it('ends whole, or changes no network, when the page never comes back either', async () => {
    const ends = new Set<string>()
    for (let moment = 0; moment < 16; moment++) {
      const world = await dieWhileSwitching(moment)

      const second = startWorker(world)
      await settleOrphans(second)
      const grants = (await second.ui('getSites', null)).flatMap(site => site.grants)
      const networks = grants.map(({ network }) => network)
      const end = await networkOf(second)
      ends.add(end)
      // What was approved may have been granted already; that alone changes nothing for anybody.
      expect(networks.slice(0, end === 'signet' ? 2 : 1)).toEqual(
        end === 'signet' ? ['regtest', 'signet'] : ['regtest'],
      )
      expect((await second.wallet.requests.load()).every(({ outcome }) => outcome)).toBe(true)
    }
    expect([...ends]).toEqual(['regtest', 'signet'])
  })

  it('is not done behind the back of a person who went elsewhere after the worker died', async () => {
    for (let moment = 0; moment < 16; moment++) {
      const world = await dieWhileSwitching(moment)

      const second = startWorker(world)
      await second.ui('selectNetwork', { network: 'testnet4' })
      await second.ui('revokeSite', { origin: SITE, grant: null })
      await settleOrphans(second)
      expect(await networkOf(second), String(moment)).toBe('testnet4')
      expect(await second.ui('getSites', null), String(moment)).toEqual([])
    }
  })
})

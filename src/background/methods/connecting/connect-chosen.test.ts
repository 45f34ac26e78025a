import { describe, expect, it } from 'vitest'
import type { Response } from '../../../provider/envelope.ts'
import { dieAfter, SITE } from '../../testing/funded-wallet.ts'
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
} from '../../testing/test-wallet.ts'
import {
  chooseFirst,
  grantsOf,
  inUse,
  nextChoice,
  putWatched,
  REJECTED,
  UNFIT,
} from './testing/choosing.ts'

/** Bitcoin's wiki on WIF; a key of mainnet. */
const MAINNET_KEY = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617'

/** What a page gets that asks, in the words of each client. */
const CALLS: { [method: string]: { params?: unknown; addressOf: (result: never) => unknown } } = {
  connect: { addressOf: ({ address }: { address: string }) => address },
  requestAccounts: { addressOf: ([address]: string[]) => address },
  'unisat.requestAccounts': { addressOf: ([address]: string[]) => address },
  'leather.getAddresses': {
    addressOf: ({ addresses }: { addresses: { address: string }[] }) => addresses[0]?.address,
  },
  'satsConnect.getAccounts': {
    params: { purposes: ['payment'] },
    addressOf: ([{ address }]: [{ address: string }]) => address,
  },
  'satsConnect.wallet_connect': {
    params: null,
    addressOf: ({ addresses }: { addresses: { address: string }[] }) => addresses[0]?.address,
  },
}

describe.each(Object.entries(UNFIT))('while an account is in use that %s,', (_, use) => {
  it.each(Object.keys(CALLS))(
    'a site that asks by %s gets the account that the person chooses',
    async method => {
      const { params, addressOf } = CALLS[method] as (typeof CALLS)[string]
      const worker = await startUnlocked()
      await use(worker)
      const page = openPage(worker, SITE)
      const answer = page.call(method, ...(params === undefined ? [] : [params]))
      const account = await chooseFirst(worker)
      const { result } = (await answer) as { result?: unknown }
      expect(addressOf(result as never)).toBe(account.address)
      expect(await inUse(worker)).toBe(account.id)
      expect(await grantsOf(worker)).toEqual([[SITE, account.id, 'regtest']])
      expect(page.states().at(-1)).toMatchObject({ account: { address: account.address } })
      expect(await page.call('connect')).toMatchObject({ result: { address: account.address } })
    },
  )

  it('a stranger gets no answer before the person gives one, and 4001 for a no', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const address = await use(worker)
    const page = openPage(worker, SITE)
    let answered: Response | null = null
    const answer = page.call('connect').then(response => {
      answered = response
      return response
    })
    const { choice, account } = await nextChoice(worker)
    expect(account).toBeNull()
    expect(choice.inUse).toMatchObject({ address })
    expect(world.window.shown).toBe(1)
    expect(answered).toBeNull()
    await decideNext(worker, 'reject', 'choose-account')
    expect(await answer).toMatchObject(REJECTED)
    expect(JSON.stringify(page.received)).not.toContain(address)
    expect(await grantsOf(worker)).toEqual([])
  })

  it('the question offers what sites can be connected to, and nothing that is hidden', async () => {
    const worker = await startUnlocked()
    const first = (await worker.ui('getState', null)).accounts.map(({ id }) => id)
    const hidden = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Hidden' })
    const other = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Other' })
    await worker.ui('setAccountHidden', { accountId: hidden.id, hidden: true })
    await use(worker)
    void openPage(worker, SITE).call('connect')
    const { choice } = await nextChoice(worker)
    expect(choice.accounts.map(({ id }) => id)).toEqual([...first, other.id])
  })

  it('a site that knows another account is asked about as a stranger is, and nothing else of it changes', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await use(worker)
    const told = { code: 4100, message: expect.stringMatching(/only watched|several signers/) }
    expect(await page.call('signMessage', 'hello')).toMatchObject({ error: told })
    const answer = page.call('requestAccounts')
    const { address } = await chooseFirst(worker)
    expect(await answer).toMatchObject({ result: [address] })
  })

  it('whoever is locked out is asked for the password first, and then the same', async () => {
    const worker = await startUnlocked()
    await use(worker)
    await worker.ui('lock', null)
    const answer = openPage(worker, SITE).call('connect')
    await nextApproval(worker, 'unlock')
    await worker.ui('unlock', { password: PASSWORD })
    const { address } = await chooseFirst(worker)
    expect(await answer).toMatchObject({ result: { address } })
  })
})

describe('a stranger that is told no', () => {
  const STATES: { [state: string]: (worker: Worker) => Promise<unknown> } = {
    'any other account': async () => {},
    'one that is only watched': UNFIT['is only watched'],
    'one that several signers share': UNFIT['several signers share'],
    'none that can be connected': async worker => {
      const { accounts } = await worker.ui('getState', null)
      await putWatched(worker)
      for (const { id } of accounts)
        await worker.ui('setAccountHidden', { accountId: id, hidden: true })
    },
  }

  it('has received the same whatever account is in use', async () => {
    const received: unknown[] = []
    for (const prepare of Object.values(STATES)) {
      const worker = await startUnlocked()
      await prepare(worker)
      const page = openPage(worker, SITE)
      const answer = page.send('ask', 'connect')
      await decideNext(worker, 'reject')
      await answer
      received.push(page.received)
    }
    expect(new Set(received.map(one => JSON.stringify(one))).size).toBe(1)
  })
})

describe('where no account can be connected,', () => {
  /** A wallet of one key of another network. */
  async function start() {
    const worker = startWorker(createWorld())
    await worker.ui('selectNetwork', { network: 'mainnet' })
    const origin = { kind: 'wif', wif: MAINNET_KEY, addressType: 'p2tr' } as const
    await worker.ui('createVault', { origin, password: PASSWORD })
    await worker.ui('selectNetwork', { network: 'regtest' })
    return worker
  }

  it.each([
    ['as there is none on this network', async () => {}],
    ['as all are only watched', putWatched],
  ])('%s, the question offers none, and a no is 4001', async (_, use) => {
    const worker = await start()
    await use(worker)
    const answer = openPage(worker, SITE).call('requestAccounts')
    const { choice } = await nextChoice(worker)
    expect(choice.accounts).toEqual([])
    await decideNext(worker, 'reject', 'choose-account')
    expect(await answer).toMatchObject(REJECTED)
  })

  it('one that is shown again meanwhile is offered', async () => {
    const worker = await startUnlocked()
    const { accounts } = await worker.ui('getState', null)
    const first = accounts[0]?.id ?? ''
    await putWatched(worker)
    for (const { id } of accounts)
      await worker.ui('setAccountHidden', { accountId: id, hidden: true })
    const answer = openPage(worker, SITE).call('connect')
    expect((await nextChoice(worker)).choice.accounts).toEqual([])
    await worker.ui('setAccountHidden', { accountId: first, hidden: false })
    const { id, address } = await chooseFirst(worker)
    expect(id).toBe(first)
    expect(await answer).toMatchObject({ result: { address } })
  })
})

describe('a worker that dies after the person chose', () => {
  it('has connected that account and taken it into use, or neither, and the page gets it once', async () => {
    const ends = new Set<string>()
    for (let moment = 0; moment < 16; moment++) {
      const world = createWorld()
      const first = await startUnlocked(world)
      await putWatched(first)
      const before = await inUse(first)
      const watched = dieAfter(world, moment)
      const dying = startWorker(watched)
      const lost = openPage(dying, SITE).send('ask', 'connect')
      void chooseFirst(dying).catch(() => {})
      await Promise.race([watched.died, lost])

      const second = startWorker(world)
      const grants = await grantsOf(second)
      const isBefore = (await inUse(second)) === before
      expect(grants, String(moment)).toHaveLength(isBefore ? 0 : 1)
      const again = openPage(second, SITE).send('ask', 'connect')
      const asked = await Promise.race([again, nextApproval(second, 'choose-account')])
      ends.add('review' in asked ? 'asked' : 'done')
      if ('review' in asked) {
        expect(isBefore).toBe(true)
        await chooseFirst(second)
      }
      const { result } = (await again) as { result: { address: string } }
      const [account] = (await second.ui('getState', null)).accounts
      expect(result.address, String(moment)).toBe(account?.address)
      expect(await inUse(second)).toBe(account?.id)
    }
    expect([...ends]).toEqual(['asked', 'done'])
  })
})

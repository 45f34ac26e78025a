import { describe, expect, it } from 'vitest'
import type { Network } from '../../bitcoin/network.ts'
import { type ProviderError, userRejected } from '../../provider/errors.ts'
import { createMemoryArea } from '../../storage/testing/memory-area.ts'
import type { SigningAccountView } from '../views/account-views.ts'
import type { Review } from '../views/approval-views.ts'
import { authorise, dropStale, type FindAccess } from './authorisation.ts'
import { createRequests, type StoredRequest } from './requests.ts'

const SITE = 'https://site.example'
const KEY = 'a'
const MESSAGE: Review = { kind: 'sign-message', message: 'hello', type: 'bip322' }
const find: FindAccess = async name => ({
  method: { access: name === 'connect' ? 'anyone' : 'connected' },
})

const account = (id: string, watched = false) =>
  ({ id, source: watched ? 'watch' : 'seed', publicKey: watched ? null : '02' }) as unknown as
    | SigningAccountView
    | undefined

/** A wallet in which all that a test says is so; what the person is asked is in `asked`. */
async function open(changes: Partial<StoredRequest> = {}) {
  const state = {
    status: 'unlocked' as string,
    network: 'signet' as Network,
    selected: account('one') as ReturnType<typeof account> | null,
    granted: [`${SITE} one signet`],
    asked: [] as unknown[],
    answer: null as string | null,
    whileAsked: () => {},
  }
  const requests = createRequests({ session: createMemoryArea(), now: () => 0 })
  await requests.add({
    ...{ key: KEY, origin: SITE, tabId: 1, frameId: 0, id: KEY, createdAt: 0, params: [] },
    ...{ method: 'signMessage', purpose: 'signMessage', accountId: null, network: null },
    ...{ review: null, digest: null, approvedDigest: null, input: null, journal: {} },
    ...{ outcome: null, ...changes },
  })
  const settled: [string, number][] = []
  const wallet = {
    vault: { status: async () => state.status },
    accounts: { network: async () => state.network, selected: async () => state.selected },
    sites: {
      isGranted: async (...of: string[]) => state.granted.includes(of.join(' ')),
      isKnown: async (origin: string) => state.granted.some(of => of.startsWith(`${origin} `)),
    },
    requests,
    approvals: {
      async ask(_: string, review: Review) {
        state.asked.push(review)
        if (review.kind === 'unlock') state.status = 'unlocked'
        state.whileAsked()
        return state.answer
      },
      async settle(matches: (record: StoredRequest) => boolean, error: ProviderError) {
        for (const record of (await requests.load()).filter(matches))
          settled.push([record.key, error.code])
      },
    },
  } as unknown as Parameters<typeof authorise>[0]
  return {
    state,
    wallet,
    requests,
    settled,
    authorise: () => authorise(wallet, find, KEY, () => true),
  }
}

const UNAUTHORIZED = { code: 4100 }
const message = (text: string) => ({ code: 4100, message: expect.stringContaining(text) })

describe('a request that goes on', () => {
  it('is pinned to the account and the network in use', async () => {
    const { authorise, requests } = await open()
    const context = await authorise()
    expect(context).toMatchObject({
      key: KEY,
      origin: SITE,
      network: 'signet',
      account: { id: 'one' },
    })
    expect(await requests.find(KEY)).toMatchObject({ accountId: 'one', network: 'signet' })
  })

  it('asks for the password first where the wallet is locked, for the operation that it is a step of', async () => {
    const { authorise, state } = await open({ purpose: 'connect' })
    state.status = 'locked'
    await authorise()
    expect(state.asked).toEqual([{ kind: 'unlock', method: 'connect' }])
  })

  it('asks again where the wallet is locked once more in the same moment', async () => {
    const { authorise, state } = await open()
    state.status = 'locked'
    let times = 0
    state.whileAsked = () => {
      if (times++ === 0) state.status = 'locked'
    }
    await authorise()
    expect(state.asked).toHaveLength(2)
  })

  it('that was pinned before stays so, and is refused where the account is another one now', async () => {
    const { authorise, state } = await open({ accountId: 'one', network: 'signet' })
    expect((await authorise()).account?.id).toBe('one')
    state.selected = account('two')
    state.granted.push(`${SITE} two signet`)
    await expect(authorise()).rejects.toMatchObject(message('changed while'))
  })

  it('that was pinned before is refused on another network, also where the site is allowed there', async () => {
    const { authorise, state } = await open({ accountId: 'one', network: 'signet' })
    state.network = 'regtest'
    state.granted.push(`${SITE} one regtest`)
    await expect(authorise()).rejects.toMatchObject(message('changed while'))
  })

  it('for one network alone is 4200 on another, until it is pinned', async () => {
    const { authorise } = await open({ network: 'regtest' })
    await expect(authorise()).rejects.toMatchObject({ code: 4200 })
  })

  it('without a grant is 4100, unless it asks for one', async () => {
    const { authorise, state } = await open()
    state.granted = [`${SITE} one regtest`, `${SITE} two signet`]
    await expect(authorise()).rejects.toMatchObject(UNAUTHORIZED)
    const connecting = await open({ method: 'connect' })
    connecting.state.granted = []
    await expect(connecting.authorise()).resolves.toBeDefined()
  })

  it('says what is missing where no account can answer', async () => {
    const { authorise, state } = await open()
    state.selected = null
    await expect(authorise()).rejects.toMatchObject(message('No account on signet.'))
    state.status = 'none'
    await expect(authorise()).rejects.toMatchObject(message('The wallet is locked.'))
    state.status = 'unlocked'
    state.selected = account('one', true)
    await expect(authorise()).rejects.toMatchObject(message('only watched'))
  })

  it('that is forgotten has ended', async () => {
    const { authorise, requests } = await open()
    await requests.clear()
    await expect(authorise()).rejects.toMatchObject(userRejected())
  })
})

describe('what a request asks the person', () => {
  it('resolves what was filled in, where everything is still as it was', async () => {
    const { authorise, state } = await open()
    const context = await authorise()
    state.answer = '1.5'
    expect(await context.approve(MESSAGE)).toBe('1.5')
    expect(state.asked).toEqual([MESSAGE])
  })

  it('is worth nothing where the site was disconnected meanwhile', async () => {
    const { authorise, state } = await open()
    const context = await authorise()
    state.whileAsked = () => {
      state.granted = []
    }
    await expect(context.approve(MESSAGE)).rejects.toMatchObject(UNAUTHORIZED)
  })
})

describe('a step that must happen once', () => {
  it('does, and its result is there for the next worker, be it undefined or null', async () => {
    const { authorise } = await open()
    for (const [step, result] of [
      ['plan', { spends: ['a:0'] }],
      ['none', null],
      ['toString', 7],
    ] as const) {
      let runs = 0
      const run = async () => {
        runs++
        return result
      }
      expect(await (await authorise()).once(step, run)).toEqual(result)
      expect(await (await authorise()).once(step, run)).toEqual(result)
      expect(runs).toBe(1)
    }
  })

  it('keeps what other steps have left meanwhile', async () => {
    const { authorise, requests } = await open()
    const context = await authorise()
    await context.once('first', async () => {
      await context.once('second', async () => 2)
      return 1
    })
    expect((await requests.find(KEY))?.journal).toEqual({ first: 1, second: 2 })
  })

  it('is the last one of a request that ended meanwhile', async () => {
    const { authorise, requests } = await open()
    const context = await authorise()
    const step = context.once('sign', async () => {
      await requests.update(KEY, { outcome: { error: { code: 4001, message: '' } } })
      return 1
    })
    await expect(step).rejects.toMatchObject({ code: userRejected().code })
  })

  it('is not begun for a request that has ended: no server hears of it', async () => {
    const { authorise, requests } = await open()
    const context = await authorise()
    await requests.update(KEY, { outcome: { error: { code: 4001, message: '' } } })
    let runs = 0
    const step = context.once('plan', async () => runs++)
    await expect(step).rejects.toMatchObject({ code: userRejected().code })
    expect(runs).toBe(0)
  })
})

describe('requests that no longer stand', () => {
  const PINNED = { accountId: 'one', network: 'signet' } as const

  it('are ended with what they would get', async () => {
    const { wallet, state, settled, requests } = await open(PINNED)
    const record = await requests.find(KEY)
    if (record) await requests.add({ ...record, key: 'other', origin: 'https://other.example' })
    state.granted.push('https://other.example one signet')
    await dropStale(wallet, find)
    expect(settled).toEqual([])
    state.granted = ['https://other.example one signet']
    await dropStale(wallet, find)
    expect(settled).toEqual([[KEY, 4100]])
  })

  it.each<[string, Partial<StoredRequest>, string]>([
    ['while the wallet is locked, which says nothing of that', PINNED, 'locked'],
    ['where they have their answer', { ...PINNED, outcome: { result: 1 } }, 'unlocked'],
    ['where the person has approved', { ...PINNED, digest: 'd', approvedDigest: 'd' }, 'unlocked'],
    ['where nobody was asked for an account yet', { ...PINNED, accountId: null }, 'unlocked'],
  ])('are left alone %s', async (_, changes, status) => {
    const { wallet, state, settled } = await open(changes)
    state.granted = []
    state.status = status
    await dropStale(wallet, find)
    expect(settled).toEqual([])
  })

  it('are left alone by a lock that comes while they are looked at', async () => {
    const { wallet, state, settled } = await open(PINNED)
    wallet.accounts.selected = async () => {
      state.status = 'locked'
      return null
    }
    await dropStale(wallet, find)
    expect(settled).toEqual([])
  })

  it('are not ended by a fault of ours', async () => {
    const { wallet, settled } = await open(PINNED)
    wallet.sites.isGranted = () => Promise.reject(new TypeError('broken'))
    await expect(dropStale(wallet, find)).rejects.toThrow('broken')
    expect(settled).toEqual([])
  })
})

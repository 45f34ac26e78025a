import { describe, expect, it } from 'vitest'
import { SITE } from '../../testing/funded-wallet.ts'
import {
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  type Worker,
} from '../../testing/test-wallet.ts'
import type { SigningAccountView } from '../../views/account-views.ts'
import {
  CHANGED,
  chooseFirst,
  chosen,
  grantsOf,
  inUse,
  nextChoice,
  putWatched,
  REJECTED,
  WATCHED,
} from './testing/choosing.ts'

const OTHER = 'https://other.example'

describe('what the person chooses', () => {
  async function ask() {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const second = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Second' })
    await putWatched(worker)
    const page = openPage(worker, SITE)
    const answer = page.call('connect')
    return { world, worker, second, page, answer, asked: await nextChoice(worker) }
  }

  it.each([
    ['nothing', undefined],
    ['a term alone', 'always'],
    ['no address', JSON.stringify({ accountId: 'a', ordinals: null, term: 'always' })],
    ['no term', JSON.stringify({ accountId: 'a', address: 'b', ordinals: null })],
  ])('is needed: with %s the question stays', async (_, input) => {
    const { worker, asked, answer } = await ask()
    const { key, digest } = asked
    const decision = 'approve'
    await expect(
      worker.ui('decide', { key, digest, decision, ...(input !== undefined && { input }) }),
    ).rejects.toMatchObject({ code: -32602 })
    expect(await nextChoice(worker)).toEqual(asked)
    await chooseFirst(worker)
    expect(await answer).toHaveProperty('result')
  })

  it.each([
    ['an account that is not there', { accountId: 'nobody' }],
    ['another address than it has', { address: WATCHED }],
    ['an address for ordinals that it has not', { ordinals: WATCHED }],
  ])('connects nothing with %s', async (_, changes) => {
    const { worker, page, answer } = await ask()
    const before = await inUse(worker)
    await chooseFirst(worker, changes)
    expect(await answer).toMatchObject(CHANGED)
    expect(await grantsOf(worker)).toEqual([])
    expect(await inUse(worker)).toBe(before)
    expect(page.states().every(({ account }) => account === null)).toBe(true)
  })

  it('can be the account in use in no way, though a page of ours says so', async () => {
    const { worker, asked, answer } = await ask()
    const accountId = asked.choice.inUse?.id ?? ''
    await chooseFirst(worker, { accountId, address: WATCHED })
    expect(await answer).toMatchObject(CHANGED)
  })

  it('holds for as long as it says', async () => {
    const { world, worker, page, answer } = await ask()
    await chooseFirst(worker, { term: 'day' })
    expect(await answer).toHaveProperty('result')
    world.clock.now += 25 * 60 * 60_000
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
  })

  it('answers every call of the site that waits for the same', async () => {
    const { worker, page, answer } = await ask()
    const more = [page.call('requestAccounts'), openPage(worker, SITE, 2).call('connect')]
    await expect
      .poll(async () => (await worker.wallet.requests.load()).filter(({ review }) => review).length)
      .toBe(3)
    expect((await nextChoice(worker)).total).toBe(1)
    const { address } = await chooseFirst(worker)
    expect(await answer).toMatchObject({ result: { address } })
    expect(await Promise.all(more)).toMatchObject([{ result: [address] }, { result: { address } }])
  })

  it('is noted as what the site asked about', async () => {
    const { worker, second, asked, answer } = await ask()
    const { key, digest } = asked
    const input = chosen(second as SigningAccountView, { term: 'lock' })
    await worker.ui('decide', { key, digest, decision: 'approve', input })
    await answer
    const history = { origin: null, answer: 'all', offset: 0, limit: 10 } as const
    expect((await worker.ui('getApprovalHistory', history)).entries).toMatchObject([
      { answer: 'approved', accountId: second.id, question: { kind: 'connect', term: 'lock' } },
    ])
  })

  it('is not said to another site, whose own question stands', async () => {
    const { worker, answer } = await ask()
    const stranger = openPage(worker, OTHER, 2)
    const theirs = stranger.call('connect')
    await expect
      .poll(async () => (await worker.wallet.requests.load()).filter(({ review }) => review).length)
      .toBe(2)
    const { address } = await chooseFirst(worker)
    await answer
    expect(await nextChoice(worker)).toMatchObject({
      origin: OTHER,
      choice: { inUse: { address } },
    })
    expect(JSON.stringify(stranger.received)).not.toContain(address)
    await decideNext(worker, 'reject', 'choose-account')
    expect(await theirs).toMatchObject(REJECTED)
  })
})

describe('while the question stands,', () => {
  async function ask() {
    const worker = await startUnlocked()
    const second = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Second' })
    await putWatched(worker)
    const page = openPage(worker, SITE)
    const answer = page.call('connect')
    const asked = await nextChoice(worker)
    const shown = asked.choice.accounts.find(({ id }) => id === second.id) as SigningAccountView
    const approve = () => {
      const { key, digest } = asked
      return worker.ui('decide', { key, digest, decision: 'approve', input: chosen(shown) })
    }
    return { worker, page, answer, asked, accountId: second.id, approve }
  }

  const CHANGES: { [what: string]: (worker: Worker, accountId: string) => Promise<unknown> } = {
    removed: (worker, accountId) => worker.ui('removeAccount', { accountId }),
    hidden: (worker, accountId) => worker.ui('setAccountHidden', { accountId, hidden: true }),
    'given an address for ordinals': (worker, accountId) =>
      worker.ui('setOrdinalsAddress', { accountId, on: true }),
  }

  it.each(Object.entries(CHANGES))(
    'an account that was %s is not connected as it was shown',
    async (_, change) => {
      const { worker, page, answer, accountId, approve } = await ask()
      await change(worker, accountId)
      await approve()
      expect(await answer).toMatchObject(CHANGED)
      expect(await grantsOf(worker)).toEqual([])
      expect(page.states().every(({ account }) => account === null)).toBe(true)
    },
  )

  it('the list is what there is now', async () => {
    const { worker, asked, accountId } = await ask()
    await worker.ui('renameAccount', { accountId, name: 'Renamed' })
    const now = await nextChoice(worker)
    expect(now.digest).toBe(asked.digest)
    expect(now.choice.accounts.at(-1)).toMatchObject({ id: accountId, name: 'Renamed' })
    await worker.ui('removeAccount', { accountId })
    expect((await nextChoice(worker)).choice.accounts.map(({ id }) => id)).not.toContain(accountId)
  })

  it('an account that is added or taken into use is offered, and connected once it is chosen', async () => {
    const { worker, page, answer, asked } = await ask()
    const added = await worker.ui('addAccount', { addressType: 'p2tr', name: 'Added' })
    await worker.ui('selectAccount', { accountId: added.id })
    const now = await nextChoice(worker)
    expect(now.digest).toBe(asked.digest)
    expect(now.choice).toMatchObject({ inUse: { id: added.id } })
    expect(page.states().every(({ account }) => account === null)).toBe(true)
    const { key, digest } = now
    const input = chosen(added as SigningAccountView)
    await worker.ui('decide', { key, digest, decision: 'approve', input })
    expect(await answer).toMatchObject({ result: { address: added.address } })
  })

  it('another network ends it', async () => {
    const { worker, page, answer, approve } = await ask()
    await worker.ui('selectNetwork', { network: 'signet' })
    expect(await answer).toMatchObject(CHANGED)
    await approve().catch(() => {})
    expect(await grantsOf(worker)).toEqual([])
    expect(page.states().every(({ account }) => account === null)).toBe(true)
  })

  it('a locked wallet shows the password field, and takes no answer to what stood behind it', async () => {
    const { worker, answer, approve } = await ask()
    await worker.ui('lock', null)
    expect(await nextApproval(worker)).toMatchObject({ review: { kind: 'unlock' } })
    await expect(approve()).rejects.toMatchObject({ code: 4100 })
    expect(await nextApproval(worker)).not.toHaveProperty('choice')
    await worker.ui('unlock', { password: PASSWORD })
    const { address } = await chooseFirst(worker)
    expect(await answer).toMatchObject({ result: { address } })
  })
})

import { describe, expect, it } from 'vitest'
import { announceChange } from '../../inpage/state-events.ts'
import {
  connectPage,
  createWorld,
  decideNext,
  nextApproval,
  openPage,
  startUnlocked,
  type Worker,
} from '../testing/test-wallet.ts'

const SITE = 'https://dapp.example'
const OTHER = 'https://other.example'
/** BIP-173's example key, on regtest. */
const WATCHED = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const REFUSED = { code: 4100, message: expect.stringContaining('only watched') }

async function selectWatched(worker: Worker) {
  const { id } = await worker.ui('watchAddress', { address: WATCHED, name: 'Cold' })
  await worker.ui('selectAccount', { accountId: id })
  await new Promise(resolve => setTimeout(resolve, 20))
  return id
}

describe('a site, while an account is in use that is only watched,', () => {
  it('hears what it hears of an account that has not allowed it', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    expect(page.states().at(-1)?.account).not.toBeNull()
    await selectWatched(worker)
    expect(page.states().at(-1)).toEqual({ account: null, network: 'regtest' })
    const events: unknown[] = []
    const [before, after] = page.states().slice(-2)
    if (before && after)
      announceChange(before, after, (event, createPayload) =>
        events.push([event, ...createPayload()]),
      )
    expect(events).toEqual([['accountsChanged', []], ['disconnect']])
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
  })

  it('gets 4100 that says so from whatever asks an account', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const shown = world.window.shown
    await selectWatched(worker)
    for (const method of ['getPublicKey', 'getBalance'])
      expect(await page.call(method), method).toMatchObject({ error: REFUSED })
    expect(await page.call('signMessage', 'hello')).toMatchObject({ error: REFUSED })
    expect(await page.call('sendBitcoin', WATCHED, 1000)).toMatchObject({ error: REFUSED })
    expect(world.window.shown).toBe(shown)
  })

  it('that is new learns no address, and not what the account is', async () => {
    const worker = await startUnlocked()
    await selectWatched(worker)
    const page = openPage(worker, OTHER)
    const untold = { code: 4100, message: expect.not.stringContaining('watched') }
    expect(await page.call('signMessage', 'hello')).toMatchObject({ error: untold })
    const answer = page.call('connect')
    await decideNext(worker, 'reject', 'choose-account')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(JSON.stringify(page.received)).not.toContain(WATCHED)
  })

  it('has its waiting request ended with 4100', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = page.call('signMessage', 'hello')
    await nextApproval(worker, 'sign-message')
    await selectWatched(worker)
    expect(await answer).toMatchObject({ error: { code: 4100 } })
    expect(await worker.ui('getApproval', null)).toBeNull()
  })

  it('is connected as before once its account is back', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const before = page.states().at(-1)
    const id = await selectWatched(worker)
    await worker.ui('removeAccount', { accountId: id })
    expect(await page.call('getAccounts')).toMatchObject({ result: [before?.account?.address] })
    expect(page.states().at(-1)).toEqual(before)
  })
})

describe('a site, on a network where the wallet has no account,', () => {
  it('is asked about as anywhere else, and reads none', async () => {
    const worker = await startUnlocked(createWorld())
    const page = await connectPage(worker, SITE)
    const { accounts } = await worker.ui('getState', null)
    const wif = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617'
    await worker.ui('selectNetwork', { network: 'mainnet' })
    await worker.ui('importWif', { wif, addressType: 'p2tr', name: '' })
    for (const { id } of accounts) await worker.ui('removeAccount', { accountId: id })
    await worker.ui('selectNetwork', { network: 'regtest' })
    expect(await worker.ui('getState', null)).toMatchObject({ accounts: [], accountId: null })
    const answer = page.call('connect')
    const { choice } = await decideNext(worker, 'reject', 'choose-account')
    expect(choice).toMatchObject({ inUse: null, accounts: [] })
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await page.call('getAccounts')).toMatchObject({ result: [] })
  })
})

import { describe, expect, it, vi } from 'vitest'
import { payFromPopup, RECIPIENT, startFunded } from '../testing/funded-wallet.ts'
import { createWorld, PASSWORD, startUnlocked, startWorker } from '../testing/test-wallet.ts'
import { payTo, startNotified, strangersCoin, watch } from './testing/notified-wallet.ts'

const RECEIVED = 'Regtest: Payment received | It is not confirmed yet.'
const RECEIVED_IN_BLOCK = 'Regtest: Payment received | It is confirmed.'
const CONFIRMED_IN = 'Regtest: Payment confirmed | A payment to you is in a block.'
const CONFIRMED_OUT = 'Regtest: Payment confirmed | A transaction of yours is in a block.'
const REPLACED_IN =
  'Regtest: Payment replaced | Another transaction took the place of a payment to you.'
const REPLACED_OUT =
  'Regtest: Payment replaced | Another transaction took the place of one of yours.'
const GONE = 'Regtest: Payment gone | A payment to you that was not confirmed is no longer there.'

describe('notifications that are off', () => {
  it('are off at first, and set no alarm, ask no server and show nothing', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    expect(await worker.ui('getNotifications', null)).toEqual({
      ...{ on: false, received: true, confirmed: true, replaced: true, jobs: true },
      ...{ amounts: false, state: 'not-allowed' },
    })
    world.scripting.allowed.add('notifications')
    payTo(world, account.address, 5_000n)
    const fetchBalance = vi.spyOn(world.chain.chain, 'fetchBalance')
    const fetchHistory = vi.spyOn(world.chain.chain, 'fetchHistory')
    expect(await watch(world).wake()).toEqual([])
    expect(await startWorker(world).wallet.notify('look'), 'whether they are on').toBe(false)
    await startWorker(world).wallet.followJobs()
    expect(fetchBalance).not.toHaveBeenCalled()
    expect(fetchHistory).not.toHaveBeenCalled()
    expect(await world.notifications.alarms.get('notifications')).toBeNull()
  })

  it('take nothing but what there is to choose', async () => {
    const worker = await startUnlocked()
    const set = (patch: object) => worker.ui('setNotifications', patch)
    await expect(set({ on: 'yes' })).rejects.toMatchObject({ code: -32602 })
    await expect(set({ loud: true })).rejects.toThrow(/loud/)
    await expect(set([true])).rejects.toMatchObject({ code: -32602 })
    expect((await worker.ui('getNotifications', null)).on).toBe(false)
  })

  it('say where the browser or the system shows none', async () => {
    const { world, worker } = await startNotified()
    world.notifications.level = 'denied'
    expect((await worker.ui('getNotifications', null)).state).toBe('blocked')
    vi.spyOn(world.notifications.notices, 'level').mockRejectedValue(new TypeError('no API'))
    expect((await startWorker(world).ui('getNotifications', null)).state).toBe('unavailable')
  })
})

describe('a payment that comes', () => {
  it('is told of once, and once more when a block has it', async () => {
    const { world, account, wake } = await startNotified()
    expect(await wake()).toEqual([])
    const txid = payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual([RECEIVED])
    expect(await wake()).toEqual([])
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_IN])
    world.chain.mine(8)
    expect(await wake()).toEqual([])
    expect(world.notifications.log.map(({ id }) => id)).toEqual([
      expect.stringContaining(`/activity/${txid} received`),
      expect.stringContaining(`/activity/${txid} confirmed`),
    ])
  })

  it('is told of once where a block has it already', async () => {
    const { world, account, wake } = await startNotified()
    payTo(world, account.address, 5_000n)
    world.chain.mine()
    expect(await wake()).toEqual([RECEIVED_IN_BLOCK])
    expect(await wake()).toEqual([])
  })

  it('is not told of where it was there before they were switched on', async () => {
    const { world, worker, account } = await startFunded(100_000n)
    payTo(world, account.address, 5_000n)
    world.scripting.allowed.add('notifications')
    await worker.ui('setNotifications', { on: true })
    const { wake } = watch(world)
    expect(await wake()).toEqual([])
    world.chain.mine()
    expect(await wake(), 'that a block has it now is news').toEqual([CONFIRMED_IN])
  })

  it('comes with others in one notification', async () => {
    const { world, account, wake } = await startNotified()
    for (let count = 0; count < 5; count++) payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual(['Regtest: 5 payments received | Press to see them.'])
    world.chain.mine()
    expect(await wake()).toEqual(['Regtest: 5 transactions confirmed | Press to see them.'])
  })

  it('is not told of again when its block is undone and another has it', async () => {
    const { world, account, wake } = await startNotified()
    payTo(world, account.address, 5_000n)
    await wake()
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_IN])
    world.chain.reorg()
    expect(await wake()).toEqual([])
    world.chain.mine()
    expect(await wake()).toEqual([])
  })

  it('and is taken back by its sender is told of as replaced, and what took its place as confirmed', async () => {
    const { world, account, wake } = await startNotified()
    const coin = strangersCoin()
    const evicts = payTo(world, account.address, 5_000n, { coin })
    await wake()
    payTo(world, RECIPIENT, 4_000n, { coin, evicts })
    expect(await wake()).toEqual([REPLACED_IN])
    expect(await wake()).toEqual([])
    const second = strangersCoin()
    const first = payTo(world, account.address, 6_000n, { coin: second })
    expect(await wake()).toEqual([RECEIVED])
    payTo(world, account.address, 5_500n, { coin: second, evicts: first })
    expect(await wake()).toEqual([REPLACED_IN])
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_IN])
  })

  it('whose sender pays a higher fee out of the change is told of once', async () => {
    const { world, account, wake } = await startNotified()
    const coin = strangersCoin()
    const evicts = payTo(world, account.address, 5_000n, { coin })
    await wake()
    const txid = payTo(world, account.address, 5_000n, { coin, evicts, change: 700n })
    expect(txid).not.toBe(evicts)
    expect(await wake()).toEqual([])
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_IN])
  })

  it('and vanishes is told of as gone', async () => {
    const { world, account, wake } = await startNotified()
    const txid = payTo(world, account.address, 5_000n)
    await wake()
    world.chain.evict(txid)
    expect(await wake()).toEqual([GONE])
    expect(world.notifications.log.at(-1)?.id).toContain(' /activity ')
    expect(await wake()).toEqual([])
  })

  it('is told of later where the server does not answer', async () => {
    const { world, account, wake } = await startNotified()
    const txid = payTo(world, account.address, 5_000n)
    world.chain.faults.unreachable = true
    expect(await wake()).toEqual([])
    delete world.chain.faults.unreachable
    expect(await wake()).toEqual([RECEIVED])
    world.chain.faults.unreachable = true
    world.chain.evict(txid)
    expect(await wake(), 'silence is no sign that it is gone').toEqual([])
  })

  it('costs one small request where nothing happened, and its history where something did', async () => {
    const { world, account, wake } = await startNotified()
    const ask = vi.spyOn(world.chain.chain, 'fetchBalance')
    const read = vi.spyOn(world.chain.chain, 'fetchHistory')
    await wake()
    expect([ask.mock.calls.length, read.mock.calls.length]).toEqual([1, 0])
    payTo(world, account.address, 5_000n)
    await wake()
    expect([ask.mock.calls.length, read.mock.calls.length]).toEqual([2, 1])
  })
})

describe('a payment that the person makes', () => {
  it('is told of when a block has it, not when it is sent', async () => {
    const { world, worker, wake } = await startNotified()
    await payFromPopup(worker)
    expect(await wake()).toEqual([])
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_OUT])
    expect(await wake()).toEqual([])
  })

  it('is not told of where the person replaced it', async () => {
    const { world, worker, wake } = await startNotified()
    const { txid } = await payFromPopup(worker)
    await wake()
    const plan = await worker.ui('planBump', { txid, kind: 'cancel', feeRate: 20 })
    await worker.ui('confirmPayment', { planId: plan.planId, digest: plan.digest })
    expect(await wake()).toEqual([])
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_OUT])
  })

  it('is told of where somebody else’s transaction took its place', async () => {
    const { world, worker, txids, wake } = await startNotified()
    const { txid } = await payFromPopup(worker)
    await wake()
    payTo(world, RECIPIENT, 90_000n, { coin: `${txids[0]}:0`, evicts: txid })
    expect(await wake()).toEqual([REPLACED_OUT])
    expect(await wake()).toEqual([])
  })
})

describe('what a notification says', () => {
  it('has no amount at first, and none while the wallet is locked or hides amounts', async () => {
    const { world, worker, account, wake } = await startNotified({ amounts: true })
    payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual([
      'Regtest: Payment received | +0.00005 BTC. It is not confirmed yet.',
    ])
    await worker.ui('changeSettings', { hideAmounts: true })
    payTo(world, account.address, 6_000n)
    expect(await wake()).toEqual([RECEIVED])
    await worker.ui('changeSettings', { hideAmounts: false })
    await worker.ui('lock', null)
    payTo(world, account.address, 7_000n)
    expect(await wake()).toEqual([RECEIVED])
  })

  it('is of the kinds that are ticked alone', async () => {
    const { world, account, wake } = await startNotified({ received: false })
    payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual([])
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_IN])
    payTo(world, account.address, 5_000n)
    world.chain.mine()
    expect(await wake()).toEqual([RECEIVED_IN_BLOCK])
  })

  it('is in the language of the screens', async () => {
    const { world, worker, account, wake } = await startNotified()
    await worker.ui('changeSettings', { language: 'de' })
    payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual(['Regtest: Zahlung erhalten | Sie ist noch nicht bestätigt.'])
  })
})

describe('a wallet that is locked', () => {
  it('tells of the account that was in use, with nothing of it but addresses in memory', async () => {
    const { world, worker, account, wake } = await startNotified()
    await worker.ui('lock', null)
    expect(JSON.stringify(world.session.dump())).not.toContain(account.publicKey)
    payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual([RECEIVED])
    world.chain.mine()
    expect(await wake()).toEqual([CONFIRMED_IN])
    await startWorker(world).ui('unlock', { password: PASSWORD })
    expect(await wake()).toEqual([])
  })

  it('knows no account after the browser was closed, and catches up once it is open', async () => {
    const { world, account, wake } = await startNotified()
    const later = { ...world, session: createWorld().session }
    payTo(world, account.address, 5_000n)
    expect(await wake(startWorker(later))).toEqual([])
    const worker = startWorker(later)
    await worker.ui('unlock', { password: PASSWORD })
    expect(await wake(worker)).toEqual([RECEIVED])
  })

  it('tells of an account of many addresses, also of one that was given out last', async () => {
    const { world, worker, account, wake } = await startNotified()
    await worker.ui('setManyAddresses', { accountId: account.id, on: true })
    await wake(worker)
    const { address } = await worker.ui('getReceiveAddress', { after: null })
    expect(address).not.toBe(account.address)
    await wake(worker)
    await worker.ui('lock', null)
    payTo(world, address, 5_000n)
    const told: string[] = []
    // Two of its addresses are asked about each time.
    for (let count = 0; count < 3; count++) told.push(...(await wake()))
    expect(told).toEqual([RECEIVED])
  })

  it('does not say that a payment to an address which the account gave up is gone', async () => {
    const { world, worker, account, wake } = await startNotified()
    await worker.ui('setManyAddresses', { accountId: account.id, on: true })
    const { address } = await worker.ui('getReceiveAddress', { after: null })
    payTo(world, address, 5_000n)
    expect(await wake(worker)).toEqual([RECEIVED])
    await worker.ui('setManyAddresses', { accountId: account.id, on: false })
    world.chain.mine()
    payTo(world, account.address, 6_000n)
    expect(await wake(worker)).toEqual([RECEIVED])
  })
})

describe('the browser’s leave', () => {
  it('being taken back ends them, and given again they begin anew', async () => {
    const { world, worker, account, wake } = await startNotified()
    expect(await world.notifications.alarms.get('notifications')).toEqual({ periodInMinutes: 5 })
    world.scripting.allowed.delete('notifications')
    await world.scripting.onChanged()
    expect(await world.notifications.alarms.get('notifications')).toBeNull()
    expect(await worker.ui('getNotifications', null)).toMatchObject({
      on: true,
      state: 'not-allowed',
    })
    payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual([])
    world.scripting.allowed.add('notifications')
    await world.scripting.onChanged()
    expect(await wake()).toEqual([])
    payTo(world, account.address, 6_000n)
    expect(await wake()).toEqual([RECEIVED])
  })

  it('is given back when they are switched off, and nothing of them stays', async () => {
    const { world, worker, account, wake } = await startNotified({ jobs: false })
    expect(await worker.ui('setNotifications', { on: false })).toMatchObject({
      ...{ on: false, jobs: false, state: 'not-allowed' },
    })
    expect(world.scripting.allowed.has('notifications')).toBe(false)
    expect(await world.notifications.alarms.get('notifications')).toBeNull()
    expect(world.local.dump()['notifications.told']).toBeNull()
    expect(world.session.dump()).not.toHaveProperty(['notifications.watched'])
    payTo(world, account.address, 5_000n)
    expect(await wake()).toEqual([])
  })
})

describe('a notification that is pressed', () => {
  it('leads to its transaction, and to the start where another account is in use by then', async () => {
    const { world, worker, account, wake } = await startNotified()
    const txid = payTo(world, account.address, 5_000n)
    await wake()
    const [id = ''] = world.notifications.shown.keys()
    await startWorker(world).wallet.notifications.open(id)
    expect(world.notifications.opened).toEqual([`/activity/${txid}`])
    expect(world.notifications.shown.size).toBe(0)
    await worker.ui('lock', null)
    await startWorker(world).wallet.notifications.open(id)
    expect(world.notifications.opened.at(-1)).toBe(`/activity/${txid}`)
    const next = startWorker(world)
    await next.ui('unlock', { password: PASSWORD })
    await next.ui('selectNetwork', { network: 'signet' })
    await next.wallet.notifications.open(id)
    expect(world.notifications.opened.at(-1)).toBe('/')
    await next.wallet.notifications.open('nonsense')
    await next.wallet.notifications.open('regtest a //evil.example')
    expect(world.notifications.opened).toHaveLength(3)
  })
})

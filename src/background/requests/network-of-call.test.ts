import { describe, expect, it } from 'vitest'
import { METHOD_NAMES } from '../../provider/method-names.ts'
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

const SITE = 'https://dapp.example'
/** The first taproot account of the words in use on test networks: BIP-86's own vector. */
const ON_TEST = 'tb1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqlqt9zj'

const refusal = (inUse: string, wanted: string) => ({
  error: {
    code: 4200,
    message: `The wallet is on ${inUse}. Choose ${wanted} in Satchel and try again.`,
  },
})

describe('a call that is for one network', () => {
  it.each(METHOD_NAMES)(
    'is refused on another, in words that name both, and asks nobody: %s',
    async method => {
      const world = createWorld()
      const worker = await startUnlocked(world)
      const stranger = openPage(worker, 'https://other.example', 2)
      expect(await stranger.callOn('signet', method)).toMatchObject(refusal('Regtest', 'Signet'))
      const page = await connectPage(worker, SITE)
      const { shown } = world.window
      const answer = await page.callOn('testnet4', method, ['whatever'])
      expect(answer).toMatchObject(refusal('Regtest', 'Testnet4'))
      expect(world.window.shown).toBe(shown)
      expect(await worker.ui('getSites', null)).toHaveLength(1)
      expect(await page.call('getAccounts')).toMatchObject({ result: [expect.any(String)] })
    },
  )

  it.each([
    ['satsConnect.getAccounts', { purposes: ['ordinals'] }],
    ['satsConnect.signMessage', { address: ON_TEST, message: 'hello' }],
    ['unisat.signMessage', 'hello'],
    ['leather.getAddresses', {}],
  ])('is refused in the words of another wallet too: %s', async (method, ...params) => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const { shown } = world.window
    const answer = await page.callOn('testnet4', method, ...params)
    expect(answer).toMatchObject(refusal('Regtest', 'Testnet4'))
    expect(world.window.shown).toBe(shown)
    expect(await page.callOn('regtest', 'getAccounts')).toMatchObject({
      result: [expect.any(String)],
    })
  })

  it('is answered on that network as any other', async () => {
    const worker = await startUnlocked()
    await worker.ui('selectNetwork', { network: 'signet' })
    const page = openPage(worker, SITE)
    expect(await page.callOn('signet', 'getAccounts')).toMatchObject({ result: [] })
    const answer = page.callOn('signet', 'connect')
    await decideNext(worker, 'approve', 'connect')
    expect(await answer).toMatchObject({ result: { address: ON_TEST } })
    expect(await page.callOn('signet', 'getNetwork')).toMatchObject({ result: 'signet' })
    expect(await page.callOn('signet', 'getAccounts')).toMatchObject({ result: [ON_TEST] })
    expect(await page.callOn('testnet4', 'getAccounts')).toMatchObject(
      refusal('Signet', 'Testnet4'),
    )
    await worker.ui('selectNetwork', { network: 'mainnet' })
    expect(await page.callOn('signet', 'getAccounts')).toMatchObject(refusal('Mainnet', 'Signet'))
  })

  it('does not go on where the person chose another while it waited for the password', async () => {
    const worker = await startUnlocked()
    await worker.ui('selectNetwork', { network: 'signet' })
    const page = await connectPage(worker, SITE)
    await worker.ui('selectNetwork', { network: 'testnet4' })
    const there = page.call('connect')
    await decideNext(worker, 'approve', 'connect')
    await there
    await worker.ui('selectNetwork', { network: 'signet' })
    await worker.ui('lock', null)
    const answer = page.callOn('signet', 'signMessage', 'hello')
    await nextApproval(worker, 'unlock')
    await worker.ui('selectNetwork', { network: 'testnet4' })
    await worker.ui('unlock', { password: PASSWORD })
    expect(await answer).toMatchObject(refusal('Testnet4', 'Signet'))
    expect(await worker.ui('getApproval', null)).toBe(null)
  })

  it('ends when the person chooses another while it asks, as any other', async () => {
    const worker = await startUnlocked()
    await worker.ui('selectNetwork', { network: 'signet' })
    const answer = openPage(worker, SITE).callOn('signet', 'connect')
    await nextApproval(worker, 'connect')
    await worker.ui('selectNetwork', { network: 'regtest' })
    expect(await answer).toMatchObject({ error: { code: 4100 } })
  })

  it('gets the answer that it had, also where that took the wallet to another network', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = await connectPage(worker, SITE)
    const request = { id: 'a', method: 'switchNetwork', params: ['signet'], network: 'regtest' }
    const answer = page.deliver(request)
    await decideNext(worker, 'approve', 'switch-network')
    expect(await answer).toMatchObject({ result: 'signet' })
    const after = openPage(startWorker(world), SITE)
    expect(await after.deliver(request)).toMatchObject({ result: 'signet' })
  })

  it.each([7, null, 'bitcoin', { signet: true }])(
    'is refused with the name of the field where its network is %j',
    async network => {
      const page = openPage(await startUnlocked(), SITE)
      expect(await page.callOn(network, 'getAccounts')).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('network') },
      })
    },
  )
})

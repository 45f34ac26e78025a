import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { HangPoint } from '../../driver/hang-point.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { forgetRequests, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** The first taproot account of the words of the tests on test networks, as other wallets show it. */
const ON_SIGNET = 'tb1p8wpt9v4frpf3tkn0srd97pksgsxc5hs52lafxwru9kgeephvs7rqlqt9zj'

/** Where the background is stopped for good once the person has approved. */
const POINTS: { [name: string]: HangPoint } = {
  approved: { call: 'storage.session.set', containing: '"approvedDigest":"', when: 'after' },
  decided: { call: 'storage.session.set', containing: '"change":{', when: 'after' },
  // Of another network, as what is granted already is not written again.
  granted: { call: 'storage.local.set', containing: '"network":"testnet4","at"', when: 'after' },
  switched: { call: 'storage.local.set', containing: '{"network":"signet"}', when: 'after' },
}

describe.each(browsersFor('switch-network'))('switchNetwork in %s', browser => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser)
  })
  afterAll(() => world?.stop())

  beforeEach(async () => {
    await world.wallet.chooseNetwork('Regtest')
    await forgetRequests(world.wallet)
  })

  it('changes the wallet and tells the page the network before its answer', async () => {
    const dapp = await world.openConnected()
    await dapp.record('networkChanged', 'accountChanged', 'accountsChanged', 'disconnect')
    const switching = dapp.request('switchNetwork', 'signet')
    const approval = await world.wallet.nextApproval()
    expect(approval.title).toContain('from Regtest to Signet')
    await approval.approve()
    expect(await resultOf(switching)).toBe('signet')
    expect(await dapp.events()).toEqual([
      { event: 'networkChanged', args: ['signet'] },
      { event: 'accountChanged', args: [expect.objectContaining({ address: ON_SIGNET })] },
      { event: 'accountsChanged', args: [[ON_SIGNET]] },
    ])
    expect(await resultOf(dapp.request('getAccounts'))).toEqual([ON_SIGNET])
    // The site knows both accounts by now; the network is asked about all the same.
    const back = dapp.request('switchNetwork', 'regtest')
    await (await world.wallet.nextApproval()).approve()
    expect(await resultOf(back)).toBe('regtest')
    expect(await resultOf(dapp.request('switchNetwork', 'regtest'))).toBe('regtest')
  })

  it('changes nothing when it is rejected', async () => {
    const dapp = await world.openConnected()
    const switching = dapp.request('switchNetwork', 'mainnet')
    const approval = await world.wallet.nextApproval()
    expect(await approval.text()).toContain('Real money')
    await approval.reject()
    expect(await switching).toMatchObject({ error: { code: 4001 } })
    expect(await resultOf(dapp.request('getNetwork'))).toBe('regtest')
  })

  // What is stored and found again is the same code in both browsers.
  it.runIf(browser === 'chromium').each(Object.entries(POINTS))(
    'is done and answered though the background is killed when %s',
    async (name, point) => {
      const network = name === 'granted' ? 'testnet4' : 'signet'
      const { wallet } = world
      const dapp = await world.openConnected()
      const hang = await wallet.hangBackground(point)
      const switching = dapp.request('switchNetwork', network)
      await (await wallet.nextApproval()).approve({ settle: false })
      await hang.reached()
      await wallet.killBackground()
      expect(await resultOf(switching)).toBe(network)
      expect(await resultOf(dapp.request('getAccounts'))).toEqual([ON_SIGNET])
    },
  )
})

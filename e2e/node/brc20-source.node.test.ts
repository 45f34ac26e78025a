import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createBrc20Server } from '../../src/chain/brc20/brc20-server.ts'
import type { Brc20Source } from '../../src/chain/brc20-source.ts'
import { createTestAccess, problemOf } from '../../src/chain/testing/server-access.ts'
import { UNISAT_KEY } from '../../src/devnet/brc20/unisat-routes.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { type Brc20Client, createBrc20Client } from '../../src/devnet/testing/brc20-client.ts'
import { type Client, createClient } from '../../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'

let devnet: Devnet
let client: Client
let brc20: Brc20Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
  brc20 = createBrc20Client(devnet, client)
})
afterEach(() => client.post('/devnet/faults/clear', {}))
afterAll(() => devnet?.stop())

const UNIT = 10n ** 18n
const NOTHING_KEPT = { find: async () => null, keep: async () => {} }

type Which = 'OPI' | 'UniSat'

function open(which: Which, key: string | null = UNISAT_KEY): Brc20Source {
  const { access } = createTestAccess()
  const url = which === 'OPI' ? devnet.opiUrl : devnet.unisatUrl
  const deps = { access, apis: NOTHING_KEPT, key: which === 'OPI' ? null : key }
  return createBrc20Server('regtest', url, deps)
}

describe.each<Which>(['OPI', 'UniSat'])('the wallet’s %s source on a real network', which => {
  it('tells a token’s whole life: deployed, minted, made transferable', async () => {
    const source = open(which)
    const wallet = createTestWallet(`brc20 ${which}`)
    const tick = which === 'OPI' ? 'Life' : '🍊'
    expect(await source.fetchToken(tick)).toBeNull()
    expect(await source.fetchBalances(wallet.address, [tick])).toEqual([])
    expect(await source.fetchTransferables(wallet.address)).toEqual([])
    const { ids: deploys } = await brc20.inscribe(wallet.address, [
      { op: 'deploy', tick, max: '1500.5', lim: '1000', dec: '2' },
    ])
    await brc20.inscribe(wallet.address, [
      { op: 'mint', tick, amt: '1000' },
      { op: 'mint', tick, amt: '1000' },
    ])
    const { ids } = await brc20.inscribe(wallet.address, [
      { op: 'transfer', tick, amt: '0.25' },
      { op: 'transfer', tick, amt: '2000' },
    ])
    expect(await source.fetchToken(tick)).toEqual({
      tick: tick.toLowerCase(),
      decimals: 2,
      supply: 1500n * UNIT + UNIT / 2n,
      limit: 1000n * UNIT,
      minted: 1500n * UNIT + UNIT / 2n,
      selfMint: false,
      deploy: deploys[0],
    })
    expect(await source.fetchBalances(wallet.address, [tick])).toEqual([
      {
        tick: tick.toLowerCase(),
        available: 1500n * UNIT + UNIT / 4n,
        transferable: UNIT / 4n,
      },
    ])
    expect(await source.fetchTransferables(wallet.address)).toEqual([
      { tick: tick.toLowerCase(), id: ids[0], amount: UNIT / 4n },
    ])
  })

  it('tells that a token of five bytes is minted by its deployer alone', async () => {
    const wallet = createTestWallet(`brc20 self ${which}`)
    const tick = which === 'OPI' ? 'opi-5' : 'uni-5'
    const { ids } = await brc20.inscribe(wallet.address, [
      { op: 'deploy', tick, max: '0', self_mint: 'true' },
    ])
    expect(await open(which).fetchToken(tick)).toMatchObject({
      selfMint: true,
      deploy: ids[0],
      supply: (2n ** 64n - 1n) * UNIT,
      minted: 0n,
    })
  })

  it('follows the chain’s height', async () => {
    const source = open(which)
    const { height } = await source.fetchTip()
    await devnet.mine(2)
    expect(await source.fetchTip()).toEqual({ height: height + 2 })
  })

  it('says so when the server fails', async () => {
    const source = open(which)
    await source.fetchTip()
    await client.post('/devnet/faults', { endpoint: '/opi/*', status: 503 })
    await client.post('/devnet/faults', { endpoint: '/unisat/*', status: 503 })
    expect(await problemOf(source.fetchToken('life'))).toMatchObject({ kind: 'unreachable' })
  })
})

describe('the interface of a server', () => {
  it('lists the balances that nobody asked for where it is UniSat’s', async () => {
    const wallet = createTestWallet('brc20 unasked')
    await brc20.inscribe(wallet.address, [{ op: 'deploy', tick: 'list', max: '5' }])
    await brc20.inscribe(wallet.address, [{ op: 'mint', tick: 'list', amt: '5' }])
    const balance = { tick: 'list', available: 5n * UNIT, transferable: 0n }
    expect(await open('UniSat').fetchBalances(wallet.address, [])).toEqual([balance])
    expect(await open('OPI').fetchBalances(wallet.address, [])).toEqual([])
    expect(await open('OPI').fetchBalances(wallet.address, ['LIST'])).toEqual([balance])
  })

  it('is not UniSat’s for who has no key, or a wrong one', async () => {
    for (const key of [null, 'wrong']) {
      const problem = await problemOf(open('UniSat', key).fetchTip())
      expect(problem).toMatchObject({ kind: 'nonsense' })
      expect(problem.detail).toContain('answered 401')
    }
  })
})

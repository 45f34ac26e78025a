import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { openAssets, openAtomicals } from '../../src/chain/open/open-assets.ts'
import { openChain } from '../../src/chain/open/open-chain.ts'
import { createTestAccess } from '../../src/chain/testing/server-access.ts'
import { type Devnet, startDevnet } from '../../src/devnet/start-devnet.ts'
import { poseDevnet } from '../fixtures/posed-devnet.ts'

/** BIP-84's first address, and the same script as Bitcoin Core's regtest has it. */
const ADDRESS = 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu'
const ON_REGTEST = 'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx'

describe('a devnet that poses as mainnet', () => {
  let real: Devnet
  let posed: Devnet
  let txid: string

  beforeAll(async () => {
    real = await startDevnet()
    posed = await poseDevnet(real, 'mainnet')
    txid = await posed.faucet(ADDRESS, 123_456n)
  })
  afterAll(() => (posed ?? real)?.stop())

  it('pays an address of mainnet, which the node has as its own', async () => {
    const { unspents } = await real.rpc<{ unspents: { txid: string; amount: number }[] }>(
      'scantxoutset',
      ['start', [`addr(${ON_REGTEST})`]],
    )
    expect(unspents).toMatchObject([{ txid, amount: 0.00123456 }])
    expect(await listAddresses(real)).toContain(ON_REGTEST)
    expect(await listAddresses(posed)).toContain(ADDRESS)
  })

  it('answers at addresses of mainnet, and with them, in JSON and in text', async () => {
    expect(await ask(`api/address/${ADDRESS}/utxo`)).toMatchObject([{ txid, value: 123_456 }])
    const { vout } = (await ask(`api/tx/${txid}`)) as { vout: object[] }
    expect(vout).toContainEqual(expect.objectContaining({ scriptpubkey_address: ADDRESS }))
    const genesis = await (await fetch(`${posed.url}/api/block-height/0`)).text()
    expect(genesis).toBe('000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f')
    expect(await ask(`api/block/${genesis}`)).toMatchObject({ id: genesis, height: 0 })
    expect((await fetch(`${posed.url}/nowhere`)).status).toBe(404)
  })

  it('hands on what is posted', async () => {
    const answer = await fetch(`${posed.url}/api/tx`, { method: 'POST', body: 'zz' })
    const direct = await fetch(`${real.url}/api/tx`, { method: 'POST', body: 'zz' })
    expect([answer.status, await answer.text()]).toEqual([direct.status, await direct.text()])
  })

  it('is a server of mainnet to the wallet, and of no other network', async () => {
    const access = { ...createTestAccess(), now: Date.now }
    const urls = { chain: posed.esploraUrl, secondChain: '', fees: '', price: '' }
    expect((await openChain('mainnet', urls, access).fetchTip()).height).toBe(111)
    await expect(openChain('regtest', urls, access).fetchTip()).rejects.toThrow()
    const indexes = { assets: posed.ordUrl, secondAssets: '', atomicals: '' }
    expect(await openAssets('mainnet', indexes, access).fetchTip()).toMatchObject({ height: 111 })
    expect(await openAtomicals('mainnet', posed.atomicalsUrl, access).fetchTip()).toMatchObject({
      height: 111,
    })
  })

  it('tells of a payment to an address of mainnet as it comes', async () => {
    const socket = new WebSocket(posed.websocketUrl)
    await once(socket, 'open')
    socket.send(JSON.stringify({ 'track-address': ADDRESS }))
    const heard = new Promise<string>(resolve => {
      socket.on('message', data => {
        if (String(data).includes('address-transactions')) resolve(String(data))
      })
    })
    // Answers come in turn: with this one the other has been read.
    const ponged = once(socket, 'message')
    socket.send(JSON.stringify({ action: 'ping' }))
    await ponged
    await posed.faucet(ADDRESS, 5000n, false)
    expect(await heard).toContain(ADDRESS)
    socket.close()
  })

  const ask = async (path: string): Promise<unknown> => (await fetch(`${posed.url}/${path}`)).json()

  const listAddresses = async ({ rpc }: Devnet) => {
    const { vout } = await rpc<{ vout: { scriptPubKey: { address: string } }[] }>(
      'getrawtransaction',
      [txid, true],
    )
    return vout.map(({ scriptPubKey }) => scriptPubKey.address)
  }
})

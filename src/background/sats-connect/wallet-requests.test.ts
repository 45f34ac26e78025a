import { BitcoinNetworkType } from '@sats-connect/core'
import { describe, expect, it } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { SITE, selectedAccount } from '../testing/funded-wallet.ts'
import { startSigner } from '../testing/psbt-site.ts'
import {
  connectPage,
  createWorld,
  decideAll,
  decideNext,
  fund,
  nextApproval,
  openPage,
  PASSWORD,
  startUnlocked,
  type Worker,
} from '../testing/test-wallet.ts'
import { ask, askResult, readResult } from './testing/sats-connect-site.ts'

const REGTEST = {
  bitcoin: { name: 'Regtest' },
  stacks: { name: 'testnet' },
  spark: { name: 'regtest' },
}

type Entry = { address: string; publicKey: string; purpose: string; addressType: string }
type Connected = { id: string; addresses: Entry[]; walletType: string; network: typeof REGTEST }

async function entriesOf(worker: Worker) {
  const { address, publicKey } = await selectedAccount(worker)
  const entry = { address, publicKey: publicKey.slice(2), addressType: 'p2tr' }
  const of = (purpose: string) => ({ ...entry, purpose, walletType: 'software' })
  return { address, payment: of('payment'), ordinals: of('ordinals') }
}

describe('getInfo', () => {
  it('is for everybody, wallet or none, and tells the version and the requests', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const info = await askResult<{ methods: string[] }>(page, 'getInfo')
    expect(info).toMatchObject({ version: packageJson.version, platform: 'web' })
    expect(info.methods).toEqual(expect.arrayContaining(['getAddresses', 'wallet_connect']))
    const { accounts } = await worker.ui('getState', null)
    for (const { address } of accounts) {
      expect(JSON.stringify(page.received)).not.toContain(address)
    }
  })
})

describe('getAddresses and getAccounts', () => {
  it('ask to connect once, and give an entry for each purpose in the order asked', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const page = openPage(worker, SITE)
    const { payment, ordinals } = await entriesOf(worker)
    const purposes = ['ordinals', 'stacks', 'payment', 'ordinals', 'spark']
    const answer = ask(page, 'getAddresses', { purposes, message: 'Let us in' })
    await decideNext(worker, 'approve', 'connect')
    expect(readResult('getAddresses', await answer)).toEqual({
      addresses: [ordinals, payment],
      network: REGTEST,
    })
    const again = await askResult(page, 'getAccounts', { purposes: ['payment'] })
    expect(again).toEqual([payment])
    expect(world.window.shown).toBe(1)
  })

  it.each([
    ['p2wpkh', 'p2wpkh', 66],
    ['p2sh-p2wpkh', 'p2sh', 66],
    ['p2pkh', 'p2pkh', 66],
    ['p2tr', 'p2tr', 64],
  ] as const)(
    'give the key of a %s account as apps write it into PSBTs',
    async (type, name, digits) => {
      const { page, account } = await startSigner(type)
      const [entry] = await askResult<Entry[]>(page, 'getAccounts', { purposes: ['payment'] })
      expect(entry).toMatchObject({ address: account.address, addressType: name })
      expect(entry?.publicKey).toBe(account.publicKey.slice(-digits))
    },
  )

  it('refuse purposes that the wallet has none of, and ask nobody', async () => {
    const world = createWorld()
    const page = openPage(await startUnlocked(world), SITE)
    for (const purposes of [['stacks'], ['spark', 'starknet'], []]) {
      expect(await ask(page, 'getAddresses', { purposes })).toMatchObject({
        error: { code: -32602, message: expect.stringContaining('purposes: expected payment') },
      })
    }
    expect(world.window.shown).toBe(0)
  })

  it('get 4001 where the person says no', async () => {
    const worker = await startUnlocked()
    const answer = ask(openPage(worker, SITE), 'getAccounts', { purposes: ['payment'] })
    await decideNext(worker, 'reject', 'connect')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
  })
})

describe('wallet_connect', () => {
  it('without parameters gives payment and ordinals', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const { address, payment, ordinals } = await entriesOf(worker)
    const answer = ask(page, 'wallet_connect')
    await decideNext(worker, 'approve', 'connect')
    expect(readResult('wallet_connect', await answer)).toEqual({
      ...{ id: address, walletType: 'software', network: REGTEST },
      addresses: [payment, ordinals],
    })
    expect(await askResult(page, 'wallet_getAccount')).toEqual(
      await askResult(page, 'wallet_connect', null),
    )
  })

  it.each([
    ['Mainnet', 'mainnet', 'bc1p', 'mainnet', 'mainnet'],
    ['Testnet4', 'testnet4', 'tb1p', 'testnet', 'regtest'],
    ['Signet', 'signet', 'tb1p', 'testnet', 'regtest'],
  ])(
    'with network %s asks twice and gives its address',
    async (name, network, start, ...others) => {
      const world = createWorld()
      const worker = await startUnlocked(world)
      const page = openPage(worker, SITE)
      const answer = ask(page, 'wallet_connect', { network: name, addresses: ['ordinals'] })
      await decideNext(worker, 'approve', 'connect')
      await decideNext(worker, 'approve', 'switch-network')
      const result = readResult<Connected>('wallet_connect', await answer)
      const [stacks, spark] = others
      expect(result.network).toEqual({
        bitcoin: { name },
        stacks: { name: stacks },
        spark: { name: spark },
      })
      expect(result.addresses[0]?.address).toMatch(new RegExp(`^${start}`))
      expect(result.addresses).toHaveLength(1)
      expect((await worker.ui('getState', null)).network).toBe(network)
      // Both are there now.
      expect(await askResult(page, 'wallet_connect', { network: name })).toMatchObject({
        id: result.id,
      })
    },
  )

  it('with the network in use asks for the connection alone', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const answer = ask(openPage(worker, SITE), 'wallet_connect', { network: 'Regtest' })
    await decideNext(worker, 'approve', 'connect')
    readResult('wallet_connect', await answer)
    expect(world.window.shown).toBe(1)
  })

  it('stays connected where the person refuses the network', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answer = ask(page, 'wallet_connect', { network: 'Signet' })
    await decideNext(worker, 'approve', 'connect')
    await decideNext(worker, 'reject', 'switch-network')
    expect(await answer).toMatchObject({ error: { code: 4001 } })
    expect(await askResult(page, 'wallet_getNetwork')).toEqual(REGTEST)
    expect(await askResult(page, 'wallet_getAccount')).toHaveProperty('id')
  })

  it('asks for the password of a locked wallet and goes on', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    await worker.ui('lock', null)
    const answer = ask(page, 'wallet_connect')
    await nextApproval(worker, 'unlock')
    await worker.ui('unlock', { password: PASSWORD })
    expect(readResult<Connected>('wallet_connect', await answer).addresses).toHaveLength(2)
  })
})

describe('wallet_changeNetwork', () => {
  it('asks, and answers null', async () => {
    const worker = await startUnlocked()
    const page = await connectPage(worker, SITE)
    const answer = ask(page, 'wallet_changeNetwork', { name: 'Signet' })
    await decideNext(worker, 'approve', 'switch-network')
    expect(readResult('wallet_changeNetwork', await answer)).toBeNull()
    expect(await askResult(page, 'wallet_getNetwork')).toMatchObject({
      bitcoin: { name: 'Signet' },
    })
    expect(await askResult(page, 'wallet_changeNetwork', { name: 'Signet' })).toBeNull()
  })

  it.each(Object.values(BitcoinNetworkType).filter(name => name !== 'Testnet'))(
    'to %s is what the page finds then, by every request that tells of the network',
    async name => {
      const worker = await startUnlocked()
      const page = await connectPage(worker, SITE)
      const answer = ask(page, 'wallet_changeNetwork', { name })
      expect(readResult('wallet_changeNetwork', await decideAll(worker, 'approve', answer))).toBe(
        null,
      )
      const network = { bitcoin: { name } }
      expect(await askResult(page, 'wallet_getNetwork')).toMatchObject(network)
      expect(await askResult(page, 'wallet_getAccount')).toMatchObject({ network })
      expect(await askResult(page, 'wallet_connect', { network: name })).toMatchObject({ network })
      expect(await askResult(page, 'getAddresses', { purposes: ['payment'] })).toMatchObject({
        network,
      })
    },
  )

  it.each(['Testnet', 'mainnet', 'livenet', '__proto__'])('knows no %s', async name => {
    const page = await connectPage(await startUnlocked(), SITE)
    const error = {
      code: -32602,
      message: expect.stringContaining('name: expected one of Mainnet'),
    }
    expect(await ask(page, 'wallet_changeNetwork', { name })).toMatchObject({ error })
  })
})

describe('leaving', () => {
  it.each(['wallet_disconnect', 'wallet_renouncePermissions'] as const)(
    'by %s ends the connection',
    async name => {
      const page = await connectPage(await startUnlocked(), SITE)
      expect(await askResult<unknown[]>(page, 'wallet_getCurrentPermissions')).toHaveLength(2)
      expect(await askResult(page, name)).toBeNull()
      expect(await askResult(page, 'wallet_getCurrentPermissions')).toEqual([])
      expect(await ask(page, 'wallet_getAccount')).toMatchObject({ error: { code: 4100 } })
      expect(page.states().at(-1)?.account).toBeNull()
    },
  )
})

describe('permissions', () => {
  it('are the connection', async () => {
    const worker = await startUnlocked()
    const page = openPage(worker, SITE)
    const answer = ask(page, 'wallet_requestPermissions')
    await decideNext(worker, 'approve', 'connect')
    expect(readResult('wallet_requestPermissions', await answer)).toBe(true)
    const [account] = await askResult<unknown[]>(page, 'wallet_getCurrentPermissions')
    expect(account).toMatchObject({ type: 'account', clientId: SITE, actions: { read: true } })
    expect(await askResult(page, 'wallet_getWalletType')).toBe('software')
  })
})

describe('getBalance', () => {
  it('gives sats as text', async () => {
    const world = createWorld()
    const worker = await startUnlocked(world)
    const { address } = await selectedAccount(worker)
    fund(world, address, 100_000n)
    fund(world, address, 7n, { confirmed: false })
    const page = await connectPage(worker, SITE)
    expect(await askResult(page, 'getBalance')).toEqual({
      ...{ confirmed: '100000', unconfirmed: '7', total: '100007' },
    })
  })
})

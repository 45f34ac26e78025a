import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  allowCall,
  type ClientCall,
  type ClientCalls,
  reachClient,
  rejectCall,
} from '../../driver/client.ts'
import type { Dapp } from '../../driver/driver.ts'
import { FIRST, FIRST_ACCOUNT, SECOND, SECOND_ACCOUNT } from '../../fixtures/account-owners.ts'
import { broadcast, finishPsbt } from '../../fixtures/broadcast.ts'
import {
  draftPaid,
  listMinedOutputs,
  openClient,
  PAID,
  REJECTION,
  startClientWorld,
} from '../../fixtures/client-world.ts'
import type { bigmi } from '../../fixtures/clients/bigmi.ts'
import type { ckbCcc } from '../../fixtures/clients/ckb-ccc.ts'
import type { midl } from '../../fixtures/clients/midl.ts'
import type { rango } from '../../fixtures/clients/rango.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import type { Owner } from '../../fixtures/psbt/coins.ts'
import { resultOf, type World } from '../../fixtures/world.ts'

const CLIENTS = ['bigmi', 'rango', 'midl', 'ckb-ccc']

describe('libraries that look for OKX Wallet', () => {
  let world: World

  beforeAll(async () => {
    world = await startClientWorld(CLIENTS, [{ owner: FIRST, count: 4 }])
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  describe('bigmi', () => {
    let page: Dapp
    let client: ClientCalls<typeof bigmi>

    it('asks nothing when its page is opened, and connects when it is asked to', async () => {
      page = await open('bigmi')
      client = reachClient(page)
      expect(await client.reconnect().result()).toEqual([])
      expect(await world.wallet.countApprovalWindows()).toBe(0)
      expect(await allow(client.connect())).toEqual([
        { ...FIRST, addressType: 'p2tr', purpose: 'ordinals' },
      ])
      expect(await client.readState().result()).toEqual({ ...FIRST, status: 'connected' })
    })

    it('has a PSBT signed, which it leaves for its application to finalize', async () => {
      const signed = await allow(client.signPsbt(await draft(), [inputOf(FIRST)]))
      expect(await mine(await broadcast(world.devnet, finishPsbt(signed)))).toContainEqual(PAID)
    })

    it('calls a rejected signature an unknown error, of which ours is the cause, as it knows -32000 alone', async () => {
      const signing = client.signPsbt(await draft(), [inputOf(FIRST)])
      await rejectCall(world.wallet, signing)
      const { message, cause } = await signing.thrown()
      expect(message).toContain('Unknown Error')
      expect(cause).toMatchObject(REJECTION)
    })

    it('is disconnected by a switch to an account that has not allowed the site, and follows one that has', async () => {
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      await expect.poll(() => client.readState().result()).toMatchObject({ status: 'disconnected' })
      await allow(client.connect())
      expect(await client.readState().result()).toMatchObject(SECOND)
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
      await expect.poll(() => client.readState().result()).toMatchObject(FIRST)
      expect(lastOf(await client.readChanges().result(), 3)).toEqual([
        { status: 'connecting', address: null },
        { status: 'connected', address: SECOND.address },
        { status: 'connected', address: FIRST.address },
      ])
    })

    it('is connected again without a question when its page is opened again; its disconnecting is its own', async () => {
      await page.page.reload()
      expect(await client.reconnect().result()).toMatchObject([[FIRST]])
      await client.disconnect().result()
      expect(await client.readState().result()).toMatchObject({ status: 'disconnected' })
      await page.page.reload()
      expect(await client.reconnect().result()).toEqual([])
      expect(await resultOf(page.request('getAccounts'))).toEqual([FIRST.address])
    })
  })

  describe('rango', () => {
    /** It has all of Bitcoin as mainnet. */
    const caip = ({ address }: Owner) => `bip122:000000000019d6689c085ae165831e93:${address}`
    let page: Dapp
    let client: ClientCalls<typeof rango>

    it('listens before it connects, and asks nobody whether it may connect', async () => {
      page = await open('rango')
      client = reachClient(page)
      expect(await client.init().result()).toBe(true)
      expect(await client.canEagerConnect().result()).toBe(false)
      expect(await world.wallet.countApprovalWindows()).toBe(0)
      expect(await allow(client.connect())).toEqual([caip(FIRST)])
      expect(await client.canEagerConnect().result()).toBe(true)
    })

    it('has a PSBT signed and pushes it, which asks once', async () => {
      const psbt = toBase64(await draft())
      const txid = await allow(client.signAndSend(psbt, FIRST.address, [0]))
      expect(await mine(txid)).toContainEqual(PAID)
    })

    it('passes on what a rejection says', async () => {
      const psbt = toBase64(await draft())
      const sending = client.signAndSend(psbt, FIRST.address, [0])
      await rejectCall(world.wallet, sending)
      expect((await sending.thrown()).message).toBe(REJECTION.message)
    })

    it('does not hear of a switch to an account that has not allowed the site, and follows one that has', async () => {
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      expect(await client.canEagerConnect().result()).toBe(false)
      expect(await client.readState().result()).toEqual({
        accounts: [caip(FIRST)],
        isConnected: true,
      })
      await allow(client.connect())
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
      await expect
        .poll(() => client.readState().result())
        .toEqual({ accounts: [caip(FIRST)], isConnected: true })
    })

    it('gives the permission back when it disconnects', async () => {
      await client.disconnect().result()
      expect(await client.readState().result()).toEqual({ accounts: null, isConnected: false })
      await expect.poll(() => client.canEagerConnect().result()).toBe(false)
    })
  })

  describe('midl', () => {
    let page: Dapp
    let client: ClientCalls<typeof midl>

    it('connects one account for both purposes', async () => {
      page = await open('midl')
      client = reachClient(page)
      const account = { ...FIRST, addressType: 'p2tr' }
      expect(await allow(client.connect())).toEqual([
        { ...account, purpose: 'payment' },
        { ...account, purpose: 'ordinals' },
      ])
    })

    it.each(['ECDSA', 'BIP322'] as const)('has a message signed by %s', async protocol => {
      const signing = client.signMessage(FIRST.address, 'Grüße', protocol)
      const { signature, ...rest } = await allow(signing)
      expect(rest).toEqual({ address: FIRST.address, protocol })
      expect(provesMessage(FIRST.address, 'Grüße', signature)).toBe(true)
      expect(provesMessage(FIRST.address, 'Grüsse', signature)).toBe(false)
    })

    it('gives a PSBT in base64 and gets it back so', async () => {
      const psbt = toBase64(await draft())
      const signed = await allow(client.signPsbt(psbt, { [FIRST.address]: [0] }))
      const raw = finishPsbt(signed.psbt)
      expect(await mine(await broadcast(world.devnet, raw))).toContainEqual(PAID)
    })

    it('pays with coins that it chooses and a transaction that it broadcasts', async () => {
      const { id } = await allow(client.transfer(PAID.address, 10_000))
      expect(await mine(id)).toContainEqual(PAID)
    })

    it('passes a rejection on, and forgets its account when it disconnects, of which the wallet does not hear', async () => {
      const signing = client.signMessage(FIRST.address, 'Grüße', 'BIP322')
      await rejectCall(world.wallet, signing)
      expect(await signing.thrown()).toMatchObject(REJECTION)
      await client.disconnect().result()
      expect(await client.readAccounts().result()).toEqual([])
      expect(await resultOf(page.request('getAccounts'))).toEqual([FIRST.address])
    })
  })

  describe('ckb-ccc', () => {
    let client: ClientCalls<typeof ckbCcc>

    it('connects, with the address and the public key of the account', async () => {
      client = reachClient(await open('ckb-ccc'))
      expect(await client.isConnected().result()).toBe(false)
      expect(await world.wallet.countApprovalWindows()).toBe(0)
      await allow(client.connect())
      expect(await client.isConnected().result()).toBe(true)
      expect(await client.getInternalAddress().result()).toBe(FIRST.address)
      expect(await client.getIdentity().result()).toBe(FIRST.publicKey)
    })

    it('has a message signed by ECDSA, which it and bip322-js find valid', async () => {
      const signed = await allow(client.signMessage('Grüße'))
      expect(signed).toMatchObject({
        signType: 'BtcEcdsa',
        identity: FIRST.publicKey,
        isValid: true,
      })
      expect(provesMessage(FIRST.address, 'Grüße', signed.signature)).toBe(true)
    })

    it('passes a rejection on', async () => {
      const signing = client.signMessage('Grüße')
      await rejectCall(world.wallet, signing)
      expect(await signing.thrown()).toMatchObject(REJECTION)
    })

    it('is told once of the account that takes the place of another; it has no disconnecting', async () => {
      await client.watch().result()
      await world.wallet.chooseAccount(SECOND_ACCOUNT)
      expect(await client.isConnected().result()).toBe(false)
      expect(await client.countReplacements().result()).toBe(0)
      await allow(client.connect())
      await expect.poll(() => client.countReplacements().result()).toBe(1)
      await world.wallet.chooseAccount(FIRST_ACCOUNT)
      await expect.poll(() => client.getInternalAddress().result()).toBe(FIRST.address)
      await client.disconnect().result()
      expect(await client.isConnected().result()).toBe(true)
      expect(await client.countReplacements().result()).toBe(1)
    })
  })

  const allow = <T>(call: ClientCall<T>) => allowCall(world.wallet, call)

  const open = (name: string) => openClient(world, name)
  const draft = () => draftPaid(world)
  const mine = (txid: string) => listMinedOutputs(world, txid)
})

function inputOf({ address }: Owner) {
  return { address, signingIndexes: [0] }
}

function lastOf<T>(list: readonly T[], count: number): T[] {
  return list.slice(-count)
}

function toBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64')
}

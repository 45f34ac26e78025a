import { Okx } from '@ckb-ccc/okx'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OkxAliasChild } from '../provider/okx-alias.ts'
import { defineOkxAlias } from './okx-alias.ts'
import { createProvider } from './provider.ts'
import { type Answer, openTestChannel } from './testing/test-channel.ts'

const account = {
  address: 'bcrt1qaddress',
  publicKey: '02aa',
  compressedPublicKey: '02aa',
}
type Method = (...params: unknown[]) => Promise<unknown>
type Bitcoin = { [name: string]: Method } & { selectedAccount: unknown; isOkxWallet: unknown }
type Alias = {
  bitcoin: Bitcoin
  bitcoinTestnet: Bitcoin | undefined
  bitcoinSignet: Bitcoin | undefined
  enable: Method
  request: Method
  getVersion(): string
  isSatchel: boolean
}
type Page = { okxwallet: Alias }

function openPage(child: OkxAliasChild = null, page: object = {}, answer?: Answer) {
  const wallet = openTestChannel(answer)
  const satchel = createProvider(wallet.channel)
  const announce = vi.fn()
  defineOkxAlias(page, wallet.channel, { child, announce })
  return { ...wallet, page: page as Page, okx: (page as Page).okxwallet, satchel, announce }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('window.okxwallet', () => {
  it('is the wallet in the shape of OKX Wallet, and says so', () => {
    const { page, okx, satchel, announce } = openPage()
    expect(Object.getOwnPropertyDescriptor(page, 'okxwallet')).toMatchObject({
      writable: true,
      configurable: true,
      enumerable: true,
    })
    expect(announce).toHaveBeenCalledOnce()
    expect(Object.isFrozen(okx)).toBe(true)
    expect(Object.isFrozen(okx.bitcoin)).toBe(true)
    expect(okx.isSatchel).toBe(true)
    expect(okx.bitcoin.isOkxWallet).toBe(true)
    expect(Object.keys(okx.bitcoin).filter(name => !(name in satchel))).toEqual([
      'isOkxWallet',
      'getSelectedAccount',
      'getSelectedAddress',
    ])
    expect(Object.keys(satchel).filter(name => !(name in okx.bitcoin))).toEqual([])
    expect(okx.getVersion()).toMatch(/^\d+\.\d+\.\d+$/)
    const [major = 0, minor = 0] = okx.getVersion().split('.').map(Number)
    expect(major * 100 + minor).toBeGreaterThanOrEqual(405)
  })

  it('asks the wallet under the names of its own operations', async () => {
    const { okx, calls } = openPage(null, {}, ({ method }) => ({ result: [method] }))
    expect(await okx.enable()).toEqual(['requestAccounts'])
    const { signPsbt } = okx.bitcoin
    await signPsbt?.('70736274ff', { autoFinalized: false })
    expect(calls()).toEqual([
      ['requestAccounts'],
      ['signPsbt', '70736274ff', { autoFinalized: false }],
    ])
  })

  it('refuses what OKX Wallet does for Ethereum, for libraries that want to see it there', async () => {
    const { okx, calls } = openPage()
    const asking = okx.request({ method: 'eth_requestAccounts' })
    await expect(asking).rejects.toMatchObject({
      code: 4200,
      message: 'Only Bitcoin is supported.',
    })
    expect(calls()).toEqual([])
  })

  it('tells the selected account without a question', async () => {
    const { okx, tell, calls } = openPage(null, {}, () => ({ result: [] }))
    expect(await okx.bitcoin.getSelectedAccount?.()).toBe(null)
    expect(await okx.bitcoin.getSelectedAddress?.()).toBe(undefined)
    tell({ state: { account, network: 'livenet' } })
    expect(await okx.bitcoin.getSelectedAccount?.()).toEqual(account)
    expect(await okx.bitcoin.getSelectedAddress?.()).toBe(account.address)
    expect(okx.bitcoin.selectedAccount).toEqual(account)
    expect(new Set(calls().flat())).toEqual(new Set(['getAccounts']))
  })

  it('knows the account where the page used window.satchel before', () => {
    const wallet = openTestChannel()
    const page = {}
    wallet.tell({ state: { account, network: 'signet' } })
    defineOkxAlias(page, wallet.channel, { child: null, announce() {} })
    const { okxwallet } = page as Page
    expect(okxwallet.bitcoin.selectedAccount).toEqual(account)
    expect(okxwallet.bitcoinSignet).toBe(okxwallet.bitcoin)
  })

  it.each([
    ['bitcoinTestnet', 'testnet4', 'bitcoinSignet', 'signet'],
    ['bitcoinSignet', 'signet', 'bitcoinTestnet', 'testnet4'],
  ] as const)('has %s while the network is %s, and not %s', (child, network, absent, later) => {
    const { okx, tell } = openPage(child)
    expect([okx[child], okx[absent]]).toEqual([okx.bitcoin, undefined])
    tell({ state: { account, network } })
    expect([okx[child], okx[absent]]).toEqual([okx.bitcoin, undefined])
    tell({ state: { account, network: later } })
    expect([okx[child], okx[absent]]).toEqual([undefined, okx.bitcoin])
    tell({ state: { account, network: 'livenet' } })
    expect([okx[child], okx[absent]]).toEqual([undefined, undefined])
  })

  it('has events of its own: a page that clears them leaves those of window.satchel', () => {
    const { okx, satchel, tell } = openPage()
    const [onOkx, onSatchel] = [vi.fn(), vi.fn()]
    expect(okx.bitcoin.on?.('accountsChanged', onOkx)).toBe(okx.bitcoin)
    ;(satchel.on as Method)('accountsChanged', onSatchel)
    tell({ state: { account: null, network: 'livenet' } })
    tell({ state: { account, network: 'livenet' } })
    okx.bitcoin.removeAllListeners?.()
    tell({ state: { account: null, network: 'livenet' } })
    expect(onOkx.mock.calls).toEqual([[[account.address]]])
    expect(onSatchel.mock.calls).toEqual([[[account.address]], [[]]])
  })

  it.each([
    ['its own', { okxwallet: 'other' }],
    ['its own without a value', { okxwallet: undefined }],
    ['inherited', Object.create({ okxwallet: 'other' })],
  ])('is left alone where the name is taken: %s', (_, page) => {
    const { okxwallet } = page
    const { announce } = openPage(null, page)
    expect(page.okxwallet).toBe(okxwallet)
    expect(announce).not.toHaveBeenCalled()
  })

  it('gives way to a wallet that comes later, by assignment or by definition', () => {
    const assigned = openPage().page
    assigned.okxwallet = 'other' as never
    expect(assigned.okxwallet).toBe('other')
    const defined = openPage().page
    Object.defineProperty(defined, 'okxwallet', { value: 'other' })
    expect(defined.okxwallet).toBe('other')
    const { page, channel, okx } = openPage()
    defineOkxAlias(page, channel, { child: 'bitcoinSignet', announce: () => expect.unreachable() })
    expect(page.okxwallet).toBe(okx)
  })

  it('serves the signer of CKB, off and on mainnet', async () => {
    const { okx, tell, calls, flush } = openPage('bitcoinTestnet', {}, ({ method }) => ({
      result: method === 'getPublicKey' ? account.compressedPublicKey : [account.address],
    }))
    for (const network of ['btc', 'btcTestnet'] as const) {
      const signer = new Okx.BitcoinSigner({ addressPrefix: 'ckt' } as never, okx as never, [
        { addressPrefix: 'ckt', signerType: 'BTC' as never, network },
      ])
      await signer.connect()
      expect(await signer.getBtcAccount()).toBe(account.address)
      expect(await signer.getBtcPublicKey()).toBe('0x02aa')
      expect(await signer.isConnected()).toBe(true)
      const replaced = vi.fn()
      signer.onReplaced(replaced)
      tell({ state: { account: null, network: 'testnet4' } })
      tell({ state: { account, network: 'testnet4' } })
      await flush()
      expect(replaced).toHaveBeenCalledOnce()
      tell({ state: { account: null, network: 'testnet4' } })
    }
    expect(calls()[0]).toEqual(['requestAccounts'])
  })
})

import { Okx } from '@ckb-ccc/okx'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defineAliases } from './aliases.ts'
import { createProvider } from './provider.ts'
import { type Answer, openTestChannel } from './testing/test-channel.ts'
import type { WalletChannel } from './wallet-channel.ts'

const account = {
  address: 'bcrt1qaddress',
  publicKey: '02aa',
  compressedPublicKey: '02aa',
}
type Method = (...params: unknown[]) => Promise<unknown>
type Bitcoin = { [name: string]: Method } & { selectedAccount: unknown; isOkxWallet: unknown }
type Alias = {
  bitcoin: Bitcoin
  bitcoinTestnet: Bitcoin
  bitcoinSignet: Bitcoin
  enable: Method
  request: Method
  getVersion(): string
  isSatchel: boolean
}
type Page = { okxwallet: Alias }

/** Beside the other aliases, which are tested elsewhere. */
function defineOkxWallet(page: object, channel: WalletChannel, announceOkx: () => void): void {
  const announce = (event: string) => {
    if (event === 'okxwallet#initialized') announceOkx()
  }
  defineAliases(channel, {}, { page, announce })
}

function openPage(page: object = {}, answer?: Answer) {
  const wallet = openTestChannel(answer)
  const satchel = createProvider(wallet.channel)
  const announce = vi.fn()
  defineOkxWallet(page, wallet.channel, announce)
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
    const { okx, calls } = openPage({}, ({ method }) => ({ result: [method] }))
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
    const { okx, tell, calls } = openPage({}, () => ({ result: [] }))
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
    defineOkxWallet(page, wallet.channel, () => {})
    const { okxwallet } = page as Page
    expect(okxwallet.bitcoin.selectedAccount).toEqual(account)
    expect(okxwallet.bitcoinSignet.selectedAccount).toEqual(account)
    expect(okxwallet.bitcoinTestnet.selectedAccount).toBe(null)
  })

  describe.each([
    ['bitcoinTestnet', 'testnet4', 'signet'],
    ['bitcoinSignet', 'signet', 'testnet4'],
  ] as const)('has a %s on every network, which', (name, network, other) => {
    it('is a whole one of its own, before the page knows of any network', () => {
      const { okx } = openPage()
      expect(Object.keys(okx[name])).toEqual(Object.keys(okx.bitcoin))
      expect(Object.isFrozen(okx[name])).toBe(true)
      expect(okx[name].isOkxWallet).toBe(true)
      expect(okx[name].selectedAccount).toBe(null)
    })

    it('says with each call which network it is for, as no other does', async () => {
      const { okx, satchel, sent } = openPage({}, () => ({ result: [] }))
      await okx[name].connect?.()
      await okx[name].signMessage?.('hi', 'ecdsa')
      await okx[name].getSelectedAccount?.()
      expect(sent.map(({ method, params, network }) => [method, params, network])).toEqual([
        ['connect', [], network],
        ['signMessage', ['hi', 'ecdsa'], network],
        ['getAccounts', [], network],
      ])
      await okx.bitcoin.connect?.()
      await okx.enable()
      await okx.bitcoin.getSelectedAccount?.()
      await (satchel.connect as Method)()
      for (const request of sent.slice(3)) expect(request).not.toHaveProperty('network')
    })

    it('passes the refusal on that a call gets on another network', async () => {
      const error = { code: 4200, message: 'The wallet is on Regtest.' }
      const { okx, tell } = openPage({}, () => ({ error }))
      tell({ state: { account, network: 'regtest' } })
      await expect(okx[name].getAccounts?.()).rejects.toMatchObject(error)
      await expect(okx[name].getSelectedAddress?.()).rejects.toMatchObject(error)
    })

    it('shows the account on its network alone, and tells of its coming and going', async () => {
      const { okx, tell } = openPage({}, () => ({ result: [] }))
      const heard: unknown[][] = []
      for (const event of ['connect', 'disconnect', 'accountsChanged', 'networkChanged'] as const)
        okx[name].on?.(
          event as never,
          ((payload: unknown) => heard.push([event, payload])) as never,
        )
      tell({ state: { account, network: other } })
      expect(okx.bitcoin.selectedAccount).toEqual(account)
      expect(okx[name].selectedAccount).toBe(null)
      expect(heard).toEqual([])
      tell({ state: { account, network } })
      expect(okx[name].selectedAccount).toEqual(account)
      expect(await okx[name].getSelectedAddress?.()).toBe(account.address)
      expect(heard.splice(0)).toEqual([
        ['networkChanged', network],
        ['connect', account],
        ['accountsChanged', [account.address]],
      ])
      tell({ state: { account: null, network } })
      tell({ state: { account, network } })
      expect(heard.splice(0).map(([event]) => event)).toEqual([
        'accountsChanged',
        'disconnect',
        'connect',
        'accountsChanged',
      ])
      tell({ state: { account, network: 'livenet' } })
      expect(okx[name].selectedAccount).toBe(null)
      expect(heard).toEqual([
        ['networkChanged', 'livenet'],
        ['accountsChanged', []],
        ['disconnect', undefined],
      ])
    })
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
    const { announce } = openPage(page)
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
    defineOkxWallet(page, channel, () => expect.unreachable())
    expect(page.okxwallet).toBe(okx)
  })

  it('serves the signer of CKB, off and on mainnet', async () => {
    const { okx, tell, calls, flush } = openPage({}, ({ method }) => ({
      result: method === 'getPublicKey' ? account.compressedPublicKey : [account.address],
    }))
    for (const network of ['btc', 'btcTestnet'] as const) {
      tell({ state: { account, network: 'testnet4' } })
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

import { describe, expect, it, vi } from 'vitest'
import { METHOD_NAMES } from '../provider/method-names.ts'
import { UNISAT_NAMES } from '../provider/unisat-names.ts'
import { defineAliases } from './aliases.ts'
import { createSatsConnect } from './sats-connect.ts'
import { type Answer, openTestChannel } from './testing/test-channel.ts'

const account = { address: 'bcrt1qaddress', publicKey: '02aa', compressedPublicKey: '02aa' }

type Method = (...params: unknown[]) => Promise<unknown>
type Members = { [name: string]: Method }
type Page = {
  okxwallet: object
  unisat: Members
  unisat_wallet: Members
  XverseProviders: { BitcoinProvider: Members }
  BitcoinProvider: Members
  LeatherProvider: Members
}

const NAMES = [
  'okxwallet',
  'unisat',
  'unisat_wallet',
  'XverseProviders',
  'BitcoinProvider',
  'LeatherProvider',
] as const

function openPage(page: object = {}, answer?: Answer) {
  const wallet = openTestChannel(answer)
  const satsConnect = createSatsConnect(wallet.channel)
  const announced: string[] = []
  const announce = (event: string) => announced.push(event)
  const define = () => defineAliases(wallet.channel, satsConnect, { page, announce })
  define()
  return { ...wallet, page: page as Page, satsConnect, announced, define }
}

describe('the names of other wallets', () => {
  it('are there for a page that knows no wallet, and frozen', () => {
    const { page, satsConnect, announced } = openPage()
    expect(Object.keys(page).sort()).toEqual([...NAMES].sort())
    for (const name of NAMES) expect(Object.isFrozen(page[name]), name).toBe(true)
    expect(page.XverseProviders).toEqual({ BitcoinProvider: satsConnect })
    expect(page.BitcoinProvider).toBe(satsConnect)
    expect(page.unisat_wallet).toBe(page.unisat)
    expect(announced).toEqual(['okxwallet#initialized', 'unisat#initialized'])
    for (const { isSatchel } of [page.unisat, page.LeatherProvider]) expect(isSatchel).toBe(true)
  })

  it.each(NAMES.flatMap(name => [{ [name]: 'other' }, Object.create({ [name]: undefined })]))(
    'that are taken stay as they are, and the others are there: %o',
    page => {
      const taken = NAMES.find(name => name in page) ?? ''
      const value = page[taken]
      const { announced } = openPage(page)
      expect(page[taken]).toBe(value)
      expect(announced).toEqual(
        ['okxwallet', 'unisat'].filter(name => name !== taken).map(name => `${name}#initialized`),
      )
      const missing = NAMES.filter(name => !(name in page))
      // UniSat, where it is, has both of its names.
      expect(missing).toEqual(taken === 'unisat' ? ['unisat_wallet'] : [])
    },
  )

  it.each(NAMES)('give way to a wallet that comes later: %s', name => {
    const assigned = openPage().page
    Object.assign(assigned, { [name]: 'other' })
    expect(assigned[name]).toBe('other')
    const { page, define } = openPage()
    Object.defineProperty(page, name, { value: 'other' })
    define()
    expect(page[name]).toBe('other')
  })
})

describe('window.unisat', () => {
  it('has UniSat’s methods and an emitter’s, and asks for them under its prefix', async () => {
    const { page, calls } = openPage({}, ({ method }) => ({ result: method }))
    const { signPsbt, ...others } = page.unisat
    expect(await signPsbt?.('70736274ff', { autoFinalized: false })).toBe('unisat.signPsbt')
    expect(await page.unisat.pushTx?.({ rawtx: '00' })).toBe('unisat.pushTx')
    expect(calls()).toEqual([
      ['unisat.signPsbt', '70736274ff', { autoFinalized: false }],
      ['unisat.pushTx', { rawtx: '00' }],
    ])
    for (const name of UNISAT_NAMES) expect(typeof page.unisat[name], name).toBe('function')
    const foreign = METHOD_NAMES.filter(name => !UNISAT_NAMES.some(known => known === name))
    for (const name of foreign) expect(others).not.toHaveProperty(name)
  })

  it('rejects with the code of the wallet', async () => {
    const error = { code: 4001, message: 'User rejected the request.' }
    const { page } = openPage({}, () => ({ error }))
    await expect(page.unisat.requestAccounts?.()).rejects.toMatchObject(error)
  })

  it.each([
    ['livenet', 'BITCOIN_MAINNET', 'Bitcoin Mainnet', 'livenet'],
    ['testnet4', 'BITCOIN_TESTNET4', 'Bitcoin Testnet4', 'testnet'],
    ['signet', 'BITCOIN_SIGNET', 'Bitcoin Signet', 'testnet'],
  ])('tells of a change to %s in its own words', (word, chain, name, network) => {
    const { page, tell } = openPage()
    const heard: unknown[] = []
    for (const event of ['chainChanged', 'networkChanged', 'accountsChanged', 'disconnect']) {
      page.unisat.on?.(event, (...payload: unknown[]) => heard.push([event, ...payload]))
    }
    tell({ state: { account, network: 'regtest' } })
    tell({ state: { account: { ...account, address: 'other' }, network: word } })
    tell({ state: { account: null, network: word } })
    expect(heard).toEqual([
      ['chainChanged', { enum: chain, name, network }],
      ['networkChanged', network],
      ['accountsChanged', ['other']],
      ['accountsChanged', []],
      ['disconnect', expect.any(Error)],
    ])
    // EIP-1193 has 4900 for a provider that is disconnected; UniSat's own event has it too.
    expect(heard.at(-1)).toMatchObject([
      'disconnect',
      { code: 4900, message: expect.stringContaining('connected') },
    ])
  })

  it('takes listeners away as an emitter does', () => {
    const { page, tell } = openPage()
    const handler = vi.fn()
    expect(page.unisat.on?.('accountsChanged', handler)).toBe(page.unisat)
    page.unisat.removeListener?.('accountsChanged', handler)
    tell({ state: { account: null, network: 'livenet' } })
    tell({ state: { account, network: 'livenet' } })
    expect(handler).not.toHaveBeenCalled()
  })
})

describe('window.LeatherProvider', () => {
  const envelope = { jsonrpc: '2.0', id: expect.any(String) }

  it('resolves an answer in its envelope', async () => {
    const { page, calls } = openPage({}, () => ({ result: { txid: 'ab' } }))
    const params = { address: 'x', amount: '1' }
    expect(await page.LeatherProvider.request?.('sendTransfer', params)).toEqual({
      ...envelope,
      result: { txid: 'ab' },
    })
    expect(await page.LeatherProvider.request?.('getAddresses')).toHaveProperty('result')
    expect(calls()).toEqual([
      ['leather.sendTransfer', params],
      ['leather.getAddresses', null],
    ])
  })

  it('rejects with an error in its envelope, with the wallet’s own code', async () => {
    const refusals = [
      { code: 4001, message: 'User rejected the request.' },
      { code: -32000, message: 'dust', data: { reason: 'X' } },
    ]
    let count = 0
    const { page } = openPage({}, () => ({ error: refusals[count++] as object }))
    for (const error of refusals) {
      const asking = page.LeatherProvider.request?.('signMessage', {})
      await expect(asking).rejects.toEqual({ ...envelope, error })
    }
    await expect(page.LeatherProvider.request?.('signMessage', () => 1)).rejects.toMatchObject({
      error: { code: -32602 },
    })
  })
})

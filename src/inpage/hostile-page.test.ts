import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Request } from '../provider/envelope.ts'
import {
  buildScript,
  createDocument,
  type Method,
  type Page,
  runInPage,
} from './testing/page-realm.ts'
import { poisonFor } from './testing/poison.ts'

const account = { address: 'address A', publicKey: '02aa', compressedPublicKey: '02aa' }
let inpage = ''

beforeAll(async () => {
  inpage = await buildScript('src/inpage/inpage.iife.ts')
})

describe('a page that patches every prototype and global before it looks at the wallet', () => {
  /** The page, and its line, held by the test in the place of the content script. */
  function openHostilePage() {
    const document = createDocument()
    const reported: unknown[] = []
    document.queueMicrotask = task => {
      try {
        task()
      } catch (error) {
        reported.push(error)
      }
    }
    let offered: EventTarget | null = null
    document.addEventListener('satchel#line', event => {
      offered = (event as FocusEvent).relatedTarget
    })
    const page = runInPage(document, inpage)
    if (!offered) throw new Error('No line was offered')
    const line: EventTarget = offered
    const say = (detail: string) => line.dispatchEvent(new CustomEvent('answer', { detail }))
    const inRealm = (source: string) => runInNewContext(source, page)
    // The classes that the realm shares with the test stay whole; the browsers test those.
    const shared = [
      'EventTarget',
      'FocusEvent',
      'Event',
      'CustomEvent',
      'TextDecoder',
      'TextEncoder',
      'crypto',
    ] as const
    const watch = inRealm(
      '(promise, done) => { (async () => { try { done({ value: await promise }) } catch (error) { done({ error }) } })() }',
    )
    // The copy has a prototype of this realm: a `then` of the page's would be taken for a promise.
    const settle = (promise: unknown) =>
      new Promise<{ value?: unknown; error?: unknown }>(done =>
        watch(promise, (outcome: object) => done({ ...outcome })),
      )
    const poison = inRealm(poisonFor(inpage, shared))
    const receiveAll = (answer: (request: Request) => unknown[]) => {
      const sent: Request[] = []
      line.addEventListener('call', event => {
        const request: Request = JSON.parse((event as CustomEvent<string>).detail)
        sent.push(request)
        for (const message of answer(request)) say(JSON.stringify(message))
      })
      return sent
    }
    return { page, document, say, inRealm, settle, poison, receiveAll, reported }
  }

  /** The own members of what came, in objects of this realm, whose prototype is whole. */
  const copy = (value: unknown): unknown =>
    typeof value === 'object' && value
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))
      : value

  const ownEntries = (value: unknown) => Object.entries(Object(value))

  it('changes no request, no result and no error, and is not even asked', async () => {
    const { page, inRealm, settle, poison, receiveAll } = openHostilePage()
    const [realmArray, realmError] = inRealm('[Array, Error]')
    const sent = receiveAll(({ id, method }) => {
      if (method === 'getAccounts') return [{ id, result: ['a', 'b'] }]
      if (method === 'getBalance') return [{ id, result: { confirmed: 1 } }]
      if (method === 'pushTx') return [{ id, error: { code: 4001, message: 'User rejected.' } }]
      return [{ id, error: { code: -32000, message: 'dust', data: { reason: 'X' } } }]
    })
    const params = inRealm('[{ list: [1, , 3], value: 5n, none: undefined }]')
    const touched = poison()
    const { bitcoin } = page.satchel
    const outcomes = await Promise.all(
      [
        bitcoin.getAccounts?.(params[0]),
        bitcoin.getBalance?.(),
        bitcoin.pushTx?.('00'),
        bitcoin.send?.(),
        bitcoin.connect?.(() => 1),
      ].map(settle),
    )
    expect(touched()).toBe('')
    expect(sent.map(({ method, params }) => [method, JSON.stringify(params)])).toEqual([
      ['getAccounts', '[{"list":[1,null,3],"value":"5"}]'],
      ['getBalance', '[]'],
      ['pushTx', '["00"]'],
      ['send', '[]'],
    ])
    const [accounts, balance, rejected, failed, invalid] = outcomes
    expect(Object.getPrototypeOf(accounts?.value)).toBe(realmArray.prototype)
    expect(ownEntries(accounts?.value)).toEqual([
      ['0', 'a'],
      ['1', 'b'],
    ])
    expect(ownEntries(balance?.value)).toEqual([['confirmed', 1]])
    for (const { error } of [rejected, failed, invalid].map(outcome => outcome ?? {})) {
      expect(Object.getPrototypeOf(error)).toBe(realmError.prototype)
    }
    expect(ownEntries(rejected?.error)).toEqual([['code', 4001]])
    expect(Object.keys(Object(failed?.error))).toEqual(['code', 'data'])
    expect(ownEntries(invalid?.error)).toEqual([['code', -32602]])
  })

  it('changes nothing for sats-connect and its events', async () => {
    const { page, settle, poison, receiveAll, inRealm } = openHostilePage()
    const sent = receiveAll(({ id, method }) => {
      if (method === 'satsConnect.signPsbt') return [{ id, error: { code: 4001, message: 'no' } }]
      if (method === 'satsConnect.sendTransfer')
        return [{ id, error: { code: -32000, message: 'x', data: { reason: 'Y' } } }]
      if (method === 'satsConnect.wallet_getAccount') return [{ id, result: { addresses: ['A'] } }]
      if (method !== 'satsConnect.wallet_connect') return id ? [{ id, result: null }] : []
      return [
        { state: { account: null, network: 'livenet' } },
        { state: { account, network: 'regtest' } },
        { id, result: { ok: true } },
      ]
    })
    const params = inRealm('({ psbt: "x" })')
    const heard: unknown[] = []
    const touched = poison()
    const { satsConnect } = page.satchel as unknown as {
      satsConnect: {
        request: Method
        addListener(name: string, cb: (event: unknown) => void): () => void
      }
    }
    for (const name of ['accountChange', 'networkChange']) {
      satsConnect.addListener(name, event => heard.push(event))
    }
    const rejected = await settle(satsConnect.request('signPsbt', params))
    const failed = await settle(satsConnect.request('sendTransfer', params))
    const invalid = await settle(satsConnect.request('signMessage', () => 1))
    const connected = await settle(satsConnect.request('wallet_connect'))
    await settle(satsConnect.request('getInfo', null))
    expect(touched()).toBe('')
    expect([rejected, failed, invalid, connected].map(({ value }) => copy(value))).toEqual(
      [
        { error: { code: -32000, message: 'no' } },
        { error: { code: -32603, message: 'x', data: { reason: 'Y', code: -32000 } } },
        { error: { code: -32602, message: 'params: expected JSON values, got a function' } },
        { result: { ok: true } },
      ].map(outcome => ({ jsonrpc: '2.0', id: expect.any(String), ...outcome })),
    )
    const addresses = { 0: 'A' }
    const name = 'Regtest'
    expect(heard.map(copy)).toEqual([
      { type: 'networkChange', bitcoin: { name }, stacks: { name }, addresses },
      { type: 'accountChange', addresses },
    ])
    expect(sent.map(({ method, params }) => [method, ...(params ?? [])]).slice(1, 4)).toEqual([
      ['satsConnect.signPsbt', { psbt: 'x' }],
      ['satsConnect.sendTransfer', { psbt: 'x' }],
      ['satsConnect.wallet_connect', null],
    ])
  })

  it('changes nothing for the Wallet Standard', async () => {
    const { page, document, settle, poison, receiveAll, inRealm } = openHostilePage()
    type Standard = {
      accounts: object[]
      features: { [name: string]: { [method: string]: Method } }
    }
    let wallet: Standard | undefined
    const api = { register: (given: Standard) => (wallet = given) }
    const key = { address: 'bcrt1pxyz', publicKey: '02ff', compressedPublicKey: '02ff' }
    const sent = receiveAll(({ id, method }) => {
      if (method === 'connect')
        return [{ state: { account: key, network: 'regtest' } }, { id, result: null }]
      if (method === 'signPsbts') return [{ id, result: ['70ff', '71ff'] }]
      if (method === 'signMessages') return [{ id, result: ['AAH/', 'AAL/'] }]
      return [{ id, result: method === 'signMessage' ? 'AAH/' : '70ff' }]
    })
    const asked = inRealm('({ purposes: ["payment", "ordinals"] })')
    const account = inRealm('({ address: "bcrt1pxyz" })')
    const message = inRealm('account => ({ account, message: new Uint8Array([104, 105]), })')(
      account,
    )
    const text = inRealm('account => ({ account, message: "Grüße" })')(account)
    const transaction = inRealm(
      'account => ({ psbt: new Uint8Array([1, 255]), chain: "bitcoin:regtest", inputsToSign: [{ account, signingIndexes: [0, 1], sigHash: "ALL" }] })',
    )(account)
    const ready = new CustomEvent('wallet-standard:app-ready', { detail: api })
    const touched = poison()
    document.dispatchEvent(ready)
    const { features } = wallet as unknown as Standard
    const results = [
      await settle(features['bitcoin:connect']?.connect?.(asked)),
      await settle(features['bitcoin:signMessage']?.signMessage?.(message)),
      await settle(features['bitcoin:signMessage']?.signMessage?.(text, message)),
      await settle(
        features['bitcoin:signTransaction']?.signTransaction?.(transaction, transaction),
      ),
      await settle(
        features['bitcoin:signAndSendTransaction']?.signAndSendTransaction?.(
          transaction,
          transaction,
        ),
      ),
    ]
    expect(touched()).toBe('')
    expect(page.satchel.bitcoin.selectedAccount).toMatchObject(key)
    expect(results.flatMap(({ error }) => error ?? [])).toEqual([])
    const [connected, signed, both, psbts, ids] = results.map(({ value }) => Object(value))
    expect(connected.accounts.length).toBe(2)
    expect(connected.accounts[1].purpose).toBe('ordinals')
    expect([...Object.values(signed[0].signature)]).toEqual([0, 1, 255])
    expect([...Object.values(signed[0].signedMessage)]).toEqual([104, 105])
    expect([...Object.values(both[1].signature)]).toEqual([0, 2, 255])
    expect(Buffer.from(Object.values<number>(both[0].signedMessage)).toString()).toBe('Grüße')
    expect([...Object.values(psbts[0].signedPsbt)]).toEqual([0x70, 0xff])
    expect([...Object.values(psbts[1].signedPsbt)]).toEqual([0x71, 0xff])
    expect([ids[0].txId, ids[1].txId]).toEqual(['70ff', '70ff'])
    const toSignInputs = [0, 1].map(index => ({ index, address: 'bcrt1pxyz', sighashTypes: [1] }))
    const [draft, final] = [false, true].map(isSent => ({
      autoFinalized: isSent,
      broadcast: isSent,
      toSignInputs,
    }))
    // Beside the calls it has asked for the state.
    const calls = sent.filter(({ method }) => method !== undefined)
    expect(calls.map(({ method, params }) => [method, ...params])).toEqual([
      ['connect'],
      ['signMessage', 'hi', { type: 'bip322-simple', from: 'bcrt1pxyz' }],
      [
        'signMessages',
        ['Grüße', 'hi'].map(text => ({ text, type: 'bip322-simple', from: 'bcrt1pxyz' })),
      ],
      ['signPsbts', ['01ff', '01ff'], [draft, draft]],
      ['signPsbts', ['01ff', '01ff'], [final, final]],
      ['pushPsbt', '70ff'],
      ['pushPsbt', '71ff'],
    ])
  })

  it('finds in the lists of providers what the wallet shows of itself', () => {
    const { page, poison } = openHostilePage()
    const [entry] = page.btc_providers as { icon: string; methods: string[] }[]
    const touched = poison()
    const icon = entry?.icon
    const methods = entry?.methods
    const again = entry?.methods
    expect(touched()).toBe('')
    expect(icon).toMatch(/^data:image\/svg\+xml;base64,PHN2Zy/)
    expect(Object.values(methods ?? []).slice(0, 3)).toEqual([
      'getInfo',
      'getAddresses',
      'getAccounts',
    ])
    expect(again).toBe(methods)
  })

  it('gets a window.okxwallet that works', async () => {
    const { page, settle, poison, receiveAll, say, document } = openHostilePage()
    const initialized = new Promise(done =>
      document.addEventListener('okxwallet#initialized', done),
    )
    const sent = receiveAll(({ id }) => [
      { state: { account, network: 'testnet4' } },
      { id, result: ['address A'] },
    ])
    const touched = poison()
    say('aliases')
    await initialized
    const okx = page.okxwallet as { [name: string]: Page['satchel']['bitcoin'] & Method }
    const enabled = await settle(okx.enable?.())
    const selected = await settle(okx.bitcoin?.getSelectedAccount?.())
    expect(touched()).toBe('')
    expect(ownEntries(enabled.value)).toEqual([['0', 'address A']])
    expect(ownEntries(selected.value)).toEqual(Object.entries(account))
    const asked = sent.filter(({ method }) => method !== undefined)
    expect(asked.map(({ method }) => method)).toEqual(['requestAccounts', 'getAccounts'])
    const signed = await settle(okx.bitcoinTestnet?.signMessage?.('hi'))
    expect(ownEntries(signed.value)).toEqual([['0', 'address A']])
    expect(sent.at(-1)).toMatchObject({ params: ['hi'], network: 'testnet4' })
    expect(ownEntries(okx.bitcoinTestnet?.selectedAccount)).toEqual(Object.entries(account))
    expect(okx.bitcoinSignet?.selectedAccount).toBe(null)
    expect(touched()).toBe('')
  })

  it('gets the names of other wallets that work', async () => {
    const { page, inRealm, settle, poison, receiveAll, say, document } = openHostilePage()
    const initialized = new Promise(done => document.addEventListener('unisat#initialized', done))
    const params = inRealm('({ message: "hello" })')
    const sent = receiveAll(({ id, method }) => {
      if (method === 'leather.signMessage')
        return [{ id, error: { code: 4001, message: 'no', data: { reason: 'X' } } }]
      if (method !== 'unisat.requestAccounts') return [{ id, result: { ok: true } }]
      return [
        { state: { account: null, network: 'livenet' } },
        { state: { account, network: 'testnet4' } },
        { id, result: ['address A'] },
      ]
    })
    const touched = poison()
    say('aliases')
    await initialized
    const { unisat, LeatherProvider, XverseProviders } = page as unknown as {
      unisat: { [name: string]: Method }
      LeatherProvider: { request: Method }
      XverseProviders: { BitcoinProvider: { request: Method } }
    }
    const heard: unknown[] = []
    for (const name of ['chainChanged', 'networkChanged']) {
      unisat.on?.(name, (payload: unknown) => heard.push(copy(payload)))
    }
    const accounts = await settle(unisat.requestAccounts?.())
    const refused = await settle(LeatherProvider.request('signMessage', params))
    const balance = await settle(XverseProviders.BitcoinProvider.request('getBalance'))
    expect(touched()).toBe('')
    expect(ownEntries(accounts.value)).toEqual([['0', 'address A']])
    expect(heard).toEqual([
      { enum: 'BITCOIN_TESTNET4', name: 'Bitcoin Testnet4', network: 'testnet' },
      'testnet',
    ])
    expect(copy(refused.error)).toMatchObject({
      error: { code: 4001, message: 'no', data: { reason: 'X' } },
    })
    expect(copy(balance.value)).toMatchObject({ result: { ok: true } })
    const asked = sent.filter(({ method }) => method !== undefined)
    expect(asked.map(({ method, params }) => [method, ...params])).toEqual([
      ['unisat.requestAccounts'],
      ['leather.signMessage', { message: 'hello' }],
      ['satsConnect.getBalance', null],
    ])
  })

  it('loses no event, and hears of a handler that throws', async () => {
    const { page, inRealm, settle, poison, receiveAll, reported } = openHostilePage()
    const { bitcoin } = page.satchel
    receiveAll(({ id, method }) =>
      method === 'connect'
        ? [
            { state: { account: null, network: 'livenet' } },
            { state: { account, network: 'livenet' } },
            { id, result: null },
          ]
        : [],
    )
    const heard: unknown[] = []
    const fail = inRealm(`() => { throw 'a handler threw' }`)
    const touched = poison()
    bitcoin.on?.('accountChanged', fail)
    bitcoin.on?.('accountChanged', (payload: unknown) => heard.push(ownEntries(payload)))
    bitcoin.once?.('accountsChanged', (payload: unknown) => heard.push(ownEntries(payload)))
    await settle(bitcoin.connect?.())
    expect(touched()).toBe('')
    expect(heard).toEqual([Object.entries(account), [['0', account.address]]])
    expect(ownEntries(bitcoin.selectedAccount)).toEqual(Object.entries(account))
    expect(reported).toEqual(['a handler threw'])
  })
})

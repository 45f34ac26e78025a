import {
  accountChangeSchema,
  addListener,
  disconnectSchema,
  networkChangeSchema,
  request,
  rpcErrorResponseMessageSchema,
  rpcSuccessResponseMessageSchema,
} from '@sats-connect/core'
import { is } from 'valibot'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createSatsConnect } from './sats-connect.ts'
import { type Answer, openTestChannel } from './testing/test-channel.ts'

const a = { address: 'address A', publicKey: 'key A', compressedPublicKey: 'key A' }
const b = { address: 'address B', publicKey: 'key B', compressedPublicKey: 'key B' }
const addresses = [
  {
    address: 'address B',
    publicKey: 'key B',
    purpose: 'payment',
    addressType: 'p2tr',
    walletType: 'software',
  },
]
const tellAddresses: Answer = ({ method }) =>
  method === 'satsConnect.wallet_getAccount' ? { result: { id: 'x', addresses } } : undefined

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('the library itself', () => {
  it('finds the provider, asks it, and hears its events', async () => {
    const { channel, calls, tell, flush } = openTestChannel(({ method }) => {
      if (method === 'satsConnect.getInfo')
        return { result: { version: '1.2.3', methods: ['getBalance'], supports: [] } }
      if (method === 'satsConnect.getBalance') return { result: { confirmed: '1' } }
      if (method === 'satsConnect.wallet_getAccount') return { result: { addresses } }
      return { error: { code: 4001, message: 'User rejected the request.' } }
    })
    vi.stubGlobal('window', { satchel: { satsConnect: createSatsConnect(channel) } })
    const id = 'satchel.satsConnect'
    expect(await request('getBalance', null, id)).toEqual({
      status: 'success',
      result: { confirmed: '1' },
    })
    expect(await request('signMessage', { address: 'a', message: 'm' }, id)).toEqual({
      status: 'error',
      error: { code: -32000, message: 'User rejected the request.' },
    })
    expect(calls()).toEqual([
      ['satsConnect.getInfo', null],
      ['satsConnect.getBalance', null],
      ['satsConnect.signMessage', { address: 'a', message: 'm' }],
    ])
    const onChange = vi.fn()
    const stop = addListener({ eventName: 'accountChange', cb: onChange }, id)
    tell({ state: { account: a, network: 'livenet' } })
    tell({ state: { account: b, network: 'livenet' } })
    await flush()
    stop()
    tell({ state: { account: a, network: 'livenet' } })
    await flush()
    expect(onChange.mock.calls).toEqual([[{ type: 'accountChange', addresses }]])
  })
})

describe('a request of sats-connect', () => {
  it('goes to the background under its own name, with one object or null', async () => {
    const { channel, calls } = openTestChannel(({ params }) => ({ result: params }))
    const provider = createSatsConnect(channel)
    const answer = await provider.request('signPsbt', { psbt: 'cHNidP8=', broadcast: undefined })
    expect(is(rpcSuccessResponseMessageSchema, answer)).toBe(true)
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: expect.stringMatching(/./),
      result: [{ psbt: 'cHNidP8=' }],
    })
    await provider.request('wallet_renouncePermissions', undefined)
    await provider.request('getInfo', null)
    await provider.request('getInfo')
    expect(calls()).toEqual([
      ['satsConnect.signPsbt', { psbt: 'cHNidP8=' }],
      ['satsConnect.wallet_renouncePermissions', null],
      ['satsConnect.getInfo', null],
      ['satsConnect.getInfo', null],
    ])
  })

  it('that answers nothing gives null, which is a result', async () => {
    const { channel } = openTestChannel(() => ({ result: null }))
    const answer = await createSatsConnect(channel).request('wallet_disconnect', null)
    expect(answer).toMatchObject({ result: null })
    expect(is(rpcSuccessResponseMessageSchema, answer)).toBe(true)
  })

  // The codes of sats-connect: https://docs.xverse.app/sats-connect (RpcErrorCode of its core).
  it.each([
    [4001, -32000, undefined],
    [4100, -32002, undefined],
    [4200, -32001, undefined],
    [-32601, -32601, undefined],
    [-32602, -32602, undefined],
    [-32000, -32603, { reason: 'INSUFFICIENT_FUNDS', code: -32000 }],
    [-32002, -32603, { code: -32002 }],
    [-32005, -32603, { code: -32005 }],
    [4900, -32603, { code: 4900 }],
  ] as [number, number, { code: number; reason?: string } | undefined][])(
    'that fails with %i resolves with an error of %i',
    async (code, rpcCode, data) => {
      const { channel } = openTestChannel(() => ({
        error: { code, message: 'why', ...(code === -32000 && { data: { reason: data?.reason } }) },
      }))
      const answer = await createSatsConnect(channel).request('sendTransfer', {})
      expect(is(rpcErrorResponseMessageSchema, answer)).toBe(true)
      expect(answer).toEqual({
        jsonrpc: '2.0',
        id: expect.any(String),
        error: { code: rpcCode, message: 'why', ...(data && { data }) },
      })
    },
  )

  it.each([
    ['a function', ['signMessage', () => 1], -32602],
    ['a method that is no text', [Symbol('x'), null], -32603],
  ])('with %s resolves with an error, and nothing is sent', async (_, args, code) => {
    const { channel, sent } = openTestChannel()
    const answer = await createSatsConnect(channel).request(...(args as [string]))
    expect(answer).toMatchObject({ jsonrpc: '2.0', error: { code } })
    expect(sent).toEqual([])
  })
})

describe('events of sats-connect', () => {
  it('tell of another account, with its addresses, in both shapes of addListener', async () => {
    const { channel, tell, flush } = openTestChannel(tellAddresses)
    const { addListener } = createSatsConnect(channel)
    const heard: unknown[] = []
    const stop = addListener('accountChange', (event: unknown) => heard.push(['two', event]))
    addListener({
      eventName: 'accountChange',
      cb: (event: unknown) => heard.push(['one', event]),
    })
    tell({ state: { account: a, network: 'livenet' } })
    await flush()
    expect(heard).toEqual([])
    tell({ state: { account: b, network: 'livenet' } })
    await flush()
    const event = { type: 'accountChange', addresses }
    expect(heard).toEqual([
      ['two', event],
      ['one', event],
    ])
    expect(is(accountChangeSchema, event)).toBe(true)
    stop()
    stop()
    tell({ state: { account: a, network: 'livenet' } })
    await flush()
    expect(heard.slice(2)).toEqual([['one', event]])
  })

  it.each([
    ['testnet4', 'Testnet4'],
    ['signet', 'Signet'],
    ['regtest', 'Regtest'],
  ])('tell of the network %s as %s', async (network, name) => {
    const { channel, tell, flush } = openTestChannel(tellAddresses)
    const onNetwork = vi.fn()
    createSatsConnect(channel).addListener('networkChange', onNetwork)
    tell({ state: { account: a, network: 'livenet' } })
    tell({ state: { account: b, network } })
    await flush()
    const event = { type: 'networkChange', bitcoin: { name }, stacks: { name }, addresses }
    expect(onNetwork.mock.calls).toEqual([[event]])
    expect(is(networkChangeSchema, onNetwork.mock.calls[0]?.[0])).toBe(true)
  })

  it('tell of a network without an account of the page, and that it is disconnected', async () => {
    const { channel, tell, sent, flush } = openTestChannel(tellAddresses)
    const { addListener } = createSatsConnect(channel)
    const heard: { type: string }[] = []
    for (const name of ['accountChange', 'networkChange', 'disconnect']) {
      addListener(name, (event: { type: string }) => heard.push(event))
    }
    tell({ state: { account: a, network: 'regtest' } })
    tell({ state: { account: null, network: 'livenet' } })
    await flush()
    expect(heard).toEqual([
      { type: 'networkChange', bitcoin: { name: 'Mainnet' }, stacks: { name: 'Mainnet' } },
      { type: 'disconnect' },
    ])
    expect(is(networkChangeSchema, heard[0])).toBe(true)
    expect(is(disconnectSchema, heard[1])).toBe(true)
    expect(sent).toEqual([])
  })

  it('tell what two changes in a row came to, once', async () => {
    let asked = 0
    const { channel, tell, flush } = openTestChannel(() => ({
      result: { addresses: asked++ === 0 ? [] : addresses },
    }))
    const { addListener } = createSatsConnect(channel)
    const heard: unknown[] = []
    addListener('accountChange', () => heard.push('account'))
    addListener('networkChange', (event: unknown) => heard.push(event))
    tell({ state: { account: a, network: 'livenet' } })
    tell({ state: { account: b, network: 'regtest' } })
    tell({ state: { account: a, network: 'regtest' } })
    await flush()
    expect(heard).toEqual([
      {
        type: 'networkChange',
        bitcoin: { name: 'Regtest' },
        stacks: { name: 'Regtest' },
        addresses,
      },
      'account',
    ])
  })

  it('tell of a change whose addresses the wallet does not give', async () => {
    const { channel, tell, flush } = openTestChannel(() => ({
      error: { code: -32005, message: 'slow' },
    }))
    const onAccount = vi.fn()
    createSatsConnect(channel).addListener('accountChange', onAccount)
    tell({ state: { account: a, network: 'livenet' } })
    tell({ state: { account: b, network: 'livenet' } })
    await flush()
    expect(onAccount.mock.calls).toEqual([[{ type: 'accountChange' }]])
    expect(is(accountChangeSchema, onAccount.mock.calls[0]?.[0])).toBe(true)
  })

  it('cost nothing where nobody listens for them', async () => {
    const { channel, tell, sent, flush } = openTestChannel(tellAddresses)
    createSatsConnect(channel).addListener('disconnect', () => {})
    tell({ state: { account: a, network: 'livenet' } })
    tell({ state: { account: b, network: 'regtest' } })
    await flush()
    expect(sent).toEqual([])
  })

  it('refuse what is no function', () => {
    const { addListener } = createSatsConnect(openTestChannel().channel)
    expect(() => addListener('accountChange', undefined)).toThrow(
      expect.objectContaining({ code: -32602 }),
    )
  })
})

describe('the provider of sats-connect', () => {
  it('cannot be changed', () => {
    const provider = createSatsConnect(openTestChannel().channel)
    expect(Object.keys(provider)).toEqual(['request', 'addListener'])
    for (const part of [provider, provider.request, provider.addListener]) {
      expect(Object.isFrozen(part)).toBe(true)
    }
  })
})

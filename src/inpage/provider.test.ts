import { afterEach, describe, expect, it, vi } from 'vitest'
import type { BackgroundMessage, Request } from '../provider/envelope.ts'
import { METHOD_NAMES } from '../provider/method-names.ts'
import { createProvider } from './provider.ts'
import { createWalletChannel } from './wallet-channel.ts'

type Method = (...params: unknown[]) => Promise<unknown>
type Listen = (event: string, handler: (...payload: unknown[]) => void) => object

const a = { address: 'address A', publicKey: 'key A', compressedPublicKey: 'key A' }
const b = { address: 'address B', publicKey: 'key B', compressedPublicKey: 'key B' }
const openPorts: MessagePort[] = []

/** A provider on a real channel whose other end is a wallet made of `answer`. */
function connectProvider(answer: (request: Request) => BackgroundMessage[] = () => []) {
  const { port1, port2 } = new MessageChannel()
  openPorts.push(port1, port2)
  const channel = createWalletChannel({ post: port1.postMessage.bind(port1) })
  const bitcoin = createProvider(channel)
  port1.onmessage = event => channel.receive(event.data)
  const sent: Request[] = []
  const send = (message: BackgroundMessage) => port2.postMessage(JSON.stringify(message))
  port2.onmessage = event => {
    const request: Request = JSON.parse(event.data)
    sent.push(request)
    const messages = answer(request)
    for (const message of messages) send(message)
    const { id, method } = request
    if (messages.length === 0 && method === 'getNetwork') send({ id, result: 'livenet' })
  }
  return {
    bitcoin,
    method: (name: string) => bitcoin[name] as Method,
    on: bitcoin.on as Listen,
    sent,
    send,
    /** Returns when everything that was sent before has arrived in the page. */
    flush: () => (bitcoin.getNetwork as Method)(),
  }
}

afterEach(() => {
  for (const port of openPorts.splice(0)) port.close()
})

describe('a call', () => {
  it('posts the method, its arguments and an id of 128 bits of its own, and resolves with the result', async () => {
    const { method, sent } = connectProvider(({ id, params }) => [{ id, result: { params } }])
    const results = await Promise.all(METHOD_NAMES.map(name => method(name)(name, { n: 1 })))
    expect(results).toEqual(METHOD_NAMES.map(name => ({ params: [name, { n: 1 }] })))
    expect(sent.map(request => request.method)).toEqual([...METHOD_NAMES])
    for (const { id } of sent) expect(id).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(sent.map(request => request.id)).size).toBe(METHOD_NAMES.length)
  })

  it('works detached and through a Proxy', async () => {
    const { bitcoin } = connectProvider(({ id, method }) => [{ id, result: method }])
    const { getAccounts } = bitcoin as { getAccounts: Method }
    const proxy = new Proxy(bitcoin, {}) as { getBalance: Method }
    expect(await getAccounts()).toBe('getAccounts')
    expect(await proxy.getBalance()).toBe('getBalance')
  })

  it('sends the arguments as they were at the call', async () => {
    const { method } = connectProvider(({ id, params }) => [{ id, result: params }])
    const options = { feeRate: 2, inner: [1] }
    const call = method('sendBitcoin')('address', 5n, options)
    options.feeRate = 9000
    options.inner.push(2)
    expect(await call).toEqual(['address', '5', { feeRate: 2, inner: [1] }])
  })

  it('rejects with a real Error that carries code and data', async () => {
    const data = { reason: 'BROADCAST_REJECTED' }
    const { method } = connectProvider(({ id, method }) => [
      {
        id,
        error:
          method === 'connect'
            ? { code: 4001, message: 'User rejected the request.' }
            : { code: -32000, message: 'dust', data },
      },
    ])
    const rejected = await method('connect')().catch((error: unknown) => error)
    expect(rejected).toBeInstanceOf(Error)
    expect(rejected).toHaveProperty('message', 'User rejected the request.')
    expect(Object.entries(rejected as Error)).toEqual([['code', 4001]])
    const failed = await method('pushTx')('00').catch((error: unknown) => error)
    expect(Object.entries(failed as Error)).toEqual([
      ['code', -32000],
      ['data', data],
    ])
  })

  it('rejects what cannot be sent, and sends nothing', async () => {
    const { method, sent, flush } = connectProvider()
    await expect(method('connect')(() => 1)).rejects.toMatchObject({ code: -32602 })
    await flush()
    expect(sent.map(request => request.method)).toEqual(['getNetwork'])
  })

  it('settles once, and ignores answers to calls that nobody made', async () => {
    const { method } = connectProvider(({ id }) => [
      { id: 'unknown', result: 'forged' },
      { id: '__proto__', result: 'forged' },
      { id, result: 'first' },
      { id, result: 'second' },
    ])
    expect(await method('signMessage')('m')).toBe('first')
  })

  it('has the account before a connect that was approved resolves', async () => {
    const { bitcoin, method } = connectProvider(({ id }) => [
      { state: { account: null, network: 'livenet' } },
      { state: { account: a, network: 'livenet' } },
      { id, result: a },
    ])
    let seen: unknown
    await method('connect')().then(() => {
      seen = bitcoin.selectedAccount
    })
    expect(seen).toEqual(a)
    expect(Object.isFrozen(seen)).toBe(true)
  })
})

describe('events', () => {
  it('asks for the state once, at the first listener, and says nothing about the first answer', async () => {
    const { bitcoin, on, sent, send, flush } = connectProvider()
    const handler = vi.fn()
    expect(on('connect', handler)).toBe(bitcoin)
    on('accountChanged', handler)
    on('accountsChanged', handler)
    on('networkChanged', handler)
    send({ state: { account: a, network: 'livenet' } })
    await flush()
    expect(sent).toEqual([{}, expect.objectContaining({ method: 'getNetwork' })])
    expect(handler).not.toHaveBeenCalled()
    expect(bitcoin.selectedAccount).toEqual(a)
  })

  it('asks for the state when the account is looked at', async () => {
    const { bitcoin, sent, flush } = connectProvider()
    expect(bitcoin.selectedAccount).toBe(null)
    expect(bitcoin.selectedAccount).toBe(null)
    await flush()
    expect(sent).toEqual([{}, expect.objectContaining({ method: 'getNetwork' })])
  })

  it('follow the states, with the new account already selected', async () => {
    const { bitcoin, on, send, flush } = connectProvider()
    const events: unknown[] = []
    for (const name of ['connect', 'disconnect', 'accountChanged', 'accountsChanged']) {
      on(name, (...payload) => events.push([name, bitcoin.selectedAccount, ...payload]))
    }
    send({ state: { account: null, network: 'livenet' } })
    send({ state: { account: a, network: 'livenet' } })
    send({ state: { account: a, network: 'livenet' } })
    send({ state: { account: b, network: 'livenet' } })
    send({ state: { account: null, network: 'livenet' } })
    await flush()
    expect(events).toEqual([
      ['connect', a, a],
      ['accountChanged', a, a],
      ['accountsChanged', a, ['address A']],
      ['accountChanged', b, b],
      ['accountsChanged', b, ['address B']],
      ['accountsChanged', null, []],
      ['disconnect', null],
    ])
  })

  it('tell an unconnected page nothing, and of a network that changed meanwhile when it connects', async () => {
    const { on, send, flush } = connectProvider()
    const handler = vi.fn()
    on('networkChanged', handler)
    send({ state: { account: null, network: 'livenet' } })
    send({ state: { account: null, network: 'regtest' } })
    await flush()
    expect(handler).not.toHaveBeenCalled()
    send({ state: { account: a, network: 'regtest' } })
    await flush()
    expect(handler.mock.calls).toEqual([['regtest']])
  })

  it('keep the selected account when the page removes all its listeners', async () => {
    const { bitcoin, on, send, flush } = connectProvider()
    const handler = vi.fn()
    on('accountChanged', handler)
    send({ state: { account: a, network: 'livenet' } })
    await flush()
    expect((bitcoin.removeAllListeners as () => object)()).toBe(bitcoin)
    send({ state: { account: b, network: 'livenet' } })
    await flush()
    expect(handler).not.toHaveBeenCalled()
    expect(bitcoin.selectedAccount).toEqual(b)
  })
})

describe('the provider object', () => {
  it('cannot be changed, nor can its methods', () => {
    const { bitcoin } = connectProvider()
    expect(Object.isFrozen(bitcoin)).toBe(true)
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(bitcoin))) {
      expect([name, Object.isFrozen(descriptor.value ?? descriptor.get)]).toEqual([name, true])
    }
    expect(Object.keys(bitcoin).sort()).toEqual(
      [
        ...METHOD_NAMES,
        'on',
        'once',
        'off',
        'addListener',
        'removeListener',
        'removeAllListeners',
        'selectedAccount',
      ].sort(),
    )
    expect(METHOD_NAMES.map(name => (bitcoin[name] as Method).name)).toEqual([...METHOD_NAMES])
  })
})

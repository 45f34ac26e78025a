import { runInNewContext } from 'node:vm'
import { build } from 'vite'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Request } from '../provider/envelope.ts'

type Method = (...params: unknown[]) => Promise<unknown>
type Page = { [name: string]: unknown } & {
  satchel: { bitcoin: { [name: string]: Method } & { selectedAccount: unknown } }
}

const account = { address: 'address A', publicKey: 'key A', compressedPublicKey: 'key A' }
const channels: MessageChannel[] = []
let inpage = ''
let content = ''

/** The script as the extension ships it: a self-contained, minified plain script. */
async function buildScript(entry: string): Promise<string> {
  const outputs = await build({
    configFile: false,
    logLevel: 'error',
    define: { __SATCHEL_VERSION__: '"1.2.3"' },
    build: {
      write: false,
      target: ['chrome120', 'firefox128'],
      lib: { entry, formats: ['iife'], name: 'script', fileName: () => 'script.js' },
    },
  })
  const [chunk] = (Array.isArray(outputs) ? outputs : [outputs]).flatMap(output =>
    'output' in output ? output.output : [],
  )
  if (chunk?.type !== 'chunk') throw new Error(`${entry} gave no script`)
  return chunk.code
}

/** The globals of a document, without those of the language, which each realm has of its own. */
function createDocument() {
  const target = new EventTarget()
  class Channel extends MessageChannel {
    constructor() {
      super()
      channels.push(this)
    }
  }
  return {
    addEventListener: target.addEventListener.bind(target),
    dispatchEvent: target.dispatchEvent.bind(target),
    MessageChannel: Channel,
    MessageEvent,
    Event,
    crypto,
    queueMicrotask: (task: () => void) => queueMicrotask(task),
  }
}

function runInPage(document: object, script: string): Page {
  const page = { ...document }
  runInNewContext('globalThis.window = globalThis', page)
  runInNewContext(script, page)
  return page as Page
}

/** Runs the content script beside a background that answers each call with its arguments. */
function runContent(document: object, sent: Request[]): void {
  const connect = () => {
    const listeners: ((message: unknown) => void)[] = []
    return {
      postMessage(request: Request) {
        sent.push(request)
        for (const listener of listeners) listener({ id: request.id, result: request.params })
      },
      onMessage: { addListener: (listener: () => void) => listeners.push(listener) },
      onDisconnect: { addListener() {} },
    }
  }
  const chrome = { runtime: { id: 'id', connect, onMessage: { addListener() {} } } }
  runInNewContext(content, { ...document, chrome, setTimeout: () => 0 })
}

beforeAll(async () => {
  inpage = await buildScript('src/inpage/inpage.iife.ts')
  content = await buildScript('src/content/content.iife.ts')
})

afterEach(() => {
  for (const { port1 } of channels.splice(0)) port1.close()
})

describe('the two scripts in every page', () => {
  it('are at most 8 kB together', () => {
    expect(Buffer.byteLength(inpage) + Buffer.byteLength(content)).toBeLessThanOrEqual(8000)
  })

  it('are strict, so that a page callback cannot walk `caller` into the provider', () => {
    const page = runInPage(createDocument(), inpage)
    const seen = vi.fn()
    Object.assign(page, { seen })
    runInNewContext(
      'function look() { seen(look.caller); return 1 }; satchel.bitcoin.connect(Object.defineProperty({}, "a", { get: look, enumerable: true }))',
      page,
    )
    expect(seen.mock.calls).toEqual([[null]])
  })

  it.each([
    ['the in-page script', true],
    ['the content script', false],
  ])('find each other when %s runs first, and never again', async (_, inpageFirst) => {
    const document = createDocument()
    const sent: Request[] = []
    if (!inpageFirst) runContent(document, sent)
    const page = runInPage(document, inpage)
    if (inpageFirst) runContent(document, sent)

    const offered = vi.fn()
    document.addEventListener('satchel#port', offered)
    document.dispatchEvent(new Event('satchel#ask'))
    expect(offered).not.toHaveBeenCalled()
    const forged = new MessageChannel()
    channels.push(forged)
    forged.port1.postMessage('{"id":"forged","method":"connect","params":[]}')
    document.dispatchEvent(new MessageEvent('satchel#port', { ports: [forged.port2] }))

    expect(await page.satchel.bitcoin.sendBitcoin?.('address', 1n)).toEqual(['address', '1'])
    expect(sent.map(request => request.method)).toEqual(['sendBitcoin'])
  })

  it('define a provider that nothing can replace, and leave a fixed one alone', () => {
    const page = runInPage(createDocument(), inpage)
    expect(Object.getOwnPropertyDescriptor(page, 'satchel')).toMatchObject({
      writable: false,
      configurable: false,
      value: { version: '1.2.3', isSatchel: true },
    })
    expect(Object.isFrozen(page.satchel)).toBe(true)
    const other = runInPage(
      createDocument(),
      `Object.defineProperty(globalThis, 'satchel', { value: 'other' }); ${inpage}`,
    )
    expect(other.satchel).toBe('other')
  })
})

/**
 * Replaces every method, pollutes Object.prototype and takes the globals away; returns a function that
 * tells what was read or written of all that.
 */
const POISON = `(() => {
  const { defineProperty, getOwnPropertyDescriptor, prototype } = Object
  const { ownKeys } = Reflect
  const keep = ['constructor', 'prototype', 'satchel', 'globalThis', 'window']
  const kept = key => { for (let i = 0; i < keep.length; i++) if (keep[i] === key) return true; return false }
  const PristineError = Error
  const evil = function () { throw new PristineError('patched') }
  let touched = ''
  const touch = key => { touched += typeof key === 'symbol' ? 'symbol ' : key + ' ' }
  const globals = ownKeys(globalThis)
  const holders = []
  for (let i = 0; i < globals.length; i++) {
    const value = globalThis[globals[i]]
    if (kept(globals[i]) || (typeof value !== 'function' && typeof value !== 'object') || !value) continue
    holders[holders.length] = value
    if (value.prototype) holders[holders.length] = value.prototype
  }
  for (let h = 0; h < holders.length; h++) {
    const keys = ownKeys(holders[h])
    for (let i = 0; i < keys.length; i++) {
      const descriptor = getOwnPropertyDescriptor(holders[h], keys[i])
      if (kept(keys[i]) || !descriptor.configurable) continue
      defineProperty(holders[h], keys[i], { __proto__: null, configurable: true, get() { touch(keys[i]); return evil }, set() { touch(keys[i]) } })
    }
  }
  for (let i = 0; i < globals.length; i++) if (!kept(globals[i])) try { globalThis[globals[i]] = evil } catch {}
  const names = ['then', 'toJSON', 'id', 'method', 'params', 'result', 'error', 'state', 'code', 'message', 'data', 'get', 'set', 'value', 'enumerable', 'handler', 'once', 'resolve', 'reject', 'depth', 'parent', 'extra', '0', '1', '2']
  for (let i = 0; i < names.length; i++) {
    defineProperty(prototype, names[i], { __proto__: null, configurable: true, get() { touch(names[i]); return evil }, set() { touch(names[i]) } })
  }
  return () => touched
})`

describe('a page that patches every prototype and global after the script ran', () => {
  /** The page, and the other end of its port, held by the test in the place of the content script. */
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
    let port: MessagePort | undefined
    document.addEventListener('satchel#port', event => {
      port = (event as MessageEvent).ports[0]
    })
    const page = runInPage(document, inpage)
    if (!port) throw new Error('No port was offered')
    const own = port
    const inRealm = (source: string) => runInNewContext(source, page)
    // The classes that the realm shares with the test stay whole; the browsers test those.
    const shared = ['MessageChannel', 'MessageEvent', 'Event', 'crypto'] as const
    const watch = inRealm(
      '(promise, done) => { (async () => { try { done({ value: await promise }) } catch (error) { done({ error }) } })() }',
    )
    // The copy has a prototype of this realm: a `then` of the page's would be taken for a promise.
    const settle = (promise: unknown) =>
      new Promise<{ value?: unknown; error?: unknown }>(done =>
        watch(promise, (outcome: object) => done({ ...outcome })),
      )
    const poison = inRealm(
      POISON.replace("'window']", `'window', ${shared.map(name => `'${name}'`)}]`),
    )
    const receiveAll = (answer: (request: Request) => unknown[]) => {
      const sent: Request[] = []
      own.onmessage = event => {
        const request: Request = JSON.parse(event.data)
        sent.push(request)
        for (const message of answer(request)) own.postMessage(JSON.stringify(message))
      }
      return sent
    }
    return { page, inRealm, settle, poison, receiveAll, reported }
  }

  const ownEntries = (value: unknown) => Object.entries(Object(value))

  it('changes no request, no result and no error, and is not even asked', async () => {
    const { page, inRealm, settle, poison, receiveAll } = openHostilePage()
    const { bitcoin } = page.satchel
    const [realmArray, realmError] = inRealm('[Array, Error]')
    const sent = receiveAll(({ id, method }) => {
      if (method === 'getAccounts') return [{ id, result: ['a', 'b'] }]
      if (method === 'getBalance') return [{ id, result: { confirmed: 1 } }]
      if (method === 'pushTx') return [{ id, error: { code: 4001, message: 'User rejected.' } }]
      return [{ id, error: { code: -32000, message: 'dust', data: { reason: 'X' } } }]
    })
    const params = inRealm('[{ list: [1, , 3], value: 5n, none: undefined }]')
    const touched = poison()
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

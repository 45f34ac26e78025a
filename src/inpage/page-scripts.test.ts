import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Request } from '../provider/envelope.ts'
import {
  buildScript,
  createDocument,
  type Page,
  runContent,
  runInPage,
} from './testing/page-realm.ts'

let inpage = ''
let content = ''

beforeAll(async () => {
  inpage = await buildScript('src/inpage/inpage.iife.ts')
  content = await buildScript('src/content/content.iife.ts')
})

describe('the two scripts in every page', () => {
  it('are at most 16 kB together', () => {
    expect(Buffer.byteLength(inpage) + Buffer.byteLength(content)).toBeLessThanOrEqual(16_000)
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
    if (!inpageFirst) runContent(document, { content, sent })
    const page = runInPage(document, inpage)
    if (inpageFirst) runContent(document, { content, sent })

    const offered = vi.fn()
    document.addEventListener('satchel#line', offered)
    document.dispatchEvent(new Event('satchel#ask'))
    expect(offered).not.toHaveBeenCalled()
    const forged = new EventTarget()
    document.dispatchEvent(new document.FocusEvent('satchel#line', { relatedTarget: forged }))
    const detail = '{"id":"forged","method":"connect","params":[]}'
    for (const target of [forged, document])
      for (const type of ['call', 'answer']) target.dispatchEvent(new CustomEvent(type, { detail }))

    expect(await page.satchel.bitcoin.sendBitcoin?.('address', 1n)).toEqual(['address', '1'])
    expect(sent.map(request => request.method)).toEqual(['sendBitcoin'])
  })

  it('keep what a page says that the browser only prepares, until it is shown', async () => {
    const document = createDocument()
    const sent: Request[] = []
    const shown = Object.assign(new EventTarget(), { prerendering: true })
    const page = runInPage(document, inpage)
    runContent(document, { content, sent, shown })
    const answers = [page.satchel.bitcoin.getNetwork?.(), page.satchel.bitcoin.getAccounts?.('a')]
    await Promise.resolve()
    expect(sent).toEqual([])
    shown.prerendering = false
    shown.dispatchEvent(new Event('prerenderingchange'))
    expect(await Promise.all(answers)).toEqual([[], ['a']])
    expect(sent.map(({ method }) => method)).toEqual(['getNetwork', 'getAccounts'])
  })

  it('call no listener of the page while an event of theirs is dispatched', async () => {
    const document = createDocument()
    let isDispatching = false
    document.addEventListener('satchel#line', event => {
      const line = (event as FocusEvent).relatedTarget as EventTarget
      line.addEventListener('call', () => {
        const detail = '{"state":{"account":null,"network":"livenet"}}'
        const next = '{"state":{"account":{"address":"a"},"network":"livenet"}}'
        isDispatching = true
        for (const each of [detail, next])
          line.dispatchEvent(new CustomEvent('answer', { detail: each }))
        isDispatching = false
      })
    })
    const page = runInPage(document, inpage)
    const heard = new Promise(done => {
      const on = page.satchel.bitcoin.on as (event: string, handler: () => void) => void
      on('accountsChanged', () => done(isDispatching))
    })
    expect(await heard).toBe(false)
  })

  it('define a provider that nothing can replace, and leave a fixed one alone', () => {
    const page = runInPage(createDocument(), inpage)
    expect(Object.getOwnPropertyDescriptor(page, 'satchel')).toMatchObject({
      writable: false,
      configurable: false,
      value: { version: '1.2.3', isSatchel: true },
    })
    expect(Object.isFrozen(page.satchel)).toBe(true)
    expect(Object.keys(page.satchel).sort()).toEqual(
      ['bitcoin', 'satsConnect', 'version', 'getVersion', 'isSatchel'].sort(),
    )
    const other = runInPage(
      createDocument(),
      `Object.defineProperty(globalThis, 'satchel', { value: 'other' }); ${inpage}`,
    )
    expect(other.satchel).toBe('other')
    expect(other.btc_providers).toBe(undefined)
  })

  it('list the wallet again when the document is read, where another has replaced the list', () => {
    const document = createDocument()
    const page = runInPage(document, inpage)
    expect(page.btc_providers).toMatchObject([{ id: 'satchel.satsConnect' }])
    page.btc_providers = [{ id: 'other' }]
    document.dispatchEvent(new Event('DOMContentLoaded'))
    expect(page.btc_providers).toMatchObject([{ id: 'other' }, { id: 'satchel.satsConnect' }])
    page.btc_providers = []
    document.dispatchEvent(new Event('DOMContentLoaded'))
    expect(page.btc_providers).toEqual([])
  })

  it('stand a page whose list of providers is a setter or throws', () => {
    const page = runInPage(
      createDocument(),
      `Object.defineProperty(globalThis, 'btc_providers', { get() { throw 'get' }, set() { throw 'set' } })
      Object.defineProperty(globalThis, 'wbip_providers', { get() {}, set() { throw 'set' } })
      ${inpage}`,
    )
    expect(page.satchel.bitcoin).toBeTypeOf('object')
  })
})

describe('window.okxwallet', () => {
  type Items = { [key: string]: unknown } | undefined
  const on = { 'alias.0011223344556677': '*' }

  /** A page with both scripts, what the content script reads, and what the background answers when it asks. */
  function openPage(items: Items, prepare = '', answer: unknown = true) {
    const document = createDocument()
    const read = vi.fn(async (_keys: null) => items)
    const ask = vi.fn(async (_message: unknown) => answer)
    const initialized = vi.fn()
    document.addEventListener('okxwallet#initialized', initialized)
    const page = runInPage(document, `${prepare};${inpage}`)
    const sent: Request[] = []
    runContent(document, { content, sent, storage: { sync: { get: read } }, sendMessage: ask })
    /** Returns when all that was posted before has arrived, and the answer to it. */
    const arrive = async () => {
      for (let times = 0; times < 2; times++) {
        await new Promise(done => setTimeout(done))
        await page.satchel.bitcoin.getNetwork?.()
      }
    }
    return { page, read, ask, initialized, sent, arrive }
  }

  it('comes where the person wants it, for one read and one question', async () => {
    const { page, read, ask, initialized, sent, arrive } = openPage(on)
    await arrive()
    expect(read.mock.calls).toEqual([[null]])
    expect(ask.mock.calls).toEqual([['alias']])
    expect(initialized).toHaveBeenCalledOnce()
    const { bitcoin, bitcoinSignet } = page.okxwallet as {
      [name: string]: Page['satchel']['bitcoin']
    }
    await bitcoin?.requestAccounts?.()
    await bitcoinSignet?.connect?.()
    expect(sent.map(({ method, network }) => [method, network])).toEqual([
      ['getNetwork', undefined],
      ['getNetwork', undefined],
      ['requestAccounts', undefined],
      ['connect', 'signet'],
    ])
  })

  it('comes where the last of several hints is at the page, for one question', async () => {
    const { page, ask, arrive } = openPage({ 'alias.00': [], 'alias.01': ['zz'], 'alias.02': '*' })
    await arrive()
    expect(ask.mock.calls).toEqual([['alias']])
    expect('okxwallet' in page).toBe(true)
  })

  it('is asked for once where several hints are at the page', async () => {
    const { ask, initialized, arrive } = openPage({ 'alias.00': '*', 'alias.01': '*' }, '', false)
    await arrive()
    expect(ask.mock.calls).toEqual([['alias']])
    expect(initialized).not.toHaveBeenCalled()
  })

  it.each([
    ['nothing', undefined],
    ['no hint', {}],
    ['hints at other sites', { 'alias.00': [], 'alias.01': ['zz'] }],
    ['a malformed hint', { 'alias.00': { everywhere: true }, okxAlias: { everywhere: true } }],
  ])('does not come where the storage has %s', async (_, items) => {
    const { page, ask, initialized, arrive } = openPage(items)
    await arrive()
    expect('okxwallet' in page).toBe(false)
    expect(initialized).not.toHaveBeenCalled()
    expect(ask).not.toHaveBeenCalled()
  })

  it.each([[false], [null], ['true'], [{ alias: true }]])(
    'does not come where the hint is wrong and the background says %j',
    async answer => {
      const { page, arrive } = openPage(on, '', answer)
      await arrive()
      expect('okxwallet' in page).toBe(false)
    },
  )

  describe('by a script that the browser runs before page code', () => {
    const ALIASES = readFileSync('public/aliases.js', 'utf8')
    const DEFAULT_PORT = readFileSync('public/aliases-default-port.js', 'utf8')

    it.each([
      ['the in-page script first', [0, 1, 2]],
      ['the registered script first', [1, 0, 2]],
      ['the content script first', [2, 1, 0]],
      ['the in-page script last', [1, 2, 0]],
      ['the content script between', [0, 2, 1]],
      ['the content script first, the in-page script next', [2, 0, 1]],
    ])('is there at once and once, and works: %s', async (_, order) => {
      const document = createDocument()
      const initialized = vi.fn()
      document.addEventListener('okxwallet#initialized', initialized)
      const sent: Request[] = []
      const read = async (_keys: null) => on
      const ask = vi.fn(async () => true)
      const page = runInPage(document, '')
      const steps = [
        () => runInNewContext(inpage, page),
        () => runInNewContext(ALIASES, page),
        () =>
          runContent(document, {
            content,
            sent,
            storage: { sync: { get: read } },
            sendMessage: ask,
          }),
      ]
      for (const at of order) steps[at]?.()
      const { okxwallet } = page
      expect(okxwallet).toMatchObject({ isSatchel: true })
      await page.satchel.bitcoin.getNetwork?.()
      expect(page.okxwallet).toBe(okxwallet)
      // A page that has them already wakes no background.
      expect(ask).not.toHaveBeenCalled()
      expect(initialized).toHaveBeenCalledOnce()
      expect(Object.keys(page).filter(name => /tell|alias/i.test(name))).toEqual([])
      expect(sent.map(({ method }) => method)).toEqual(['getNetwork'])
    })

    it('does not come back by the slower way where the page has removed it', async () => {
      const document = createDocument()
      const page = runInPage(document, `${ALIASES};${inpage};delete globalThis.okxwallet`)
      const read = async (_keys: null) => on
      runContent(document, {
        content,
        sent: [],
        storage: { sync: { get: read } },
        sendMessage: async () => true,
      })
      await page.satchel.bitcoin.getNetwork?.()
      expect('okxwallet' in page).toBe(false)
    })

    it.each([
      ['', true],
      ['3000', false],
    ])('looks at the port where its pattern does not: with the port %j', (port, comes) => {
      for (const scripts of [`${inpage};${DEFAULT_PORT}`, `${DEFAULT_PORT};${inpage}`]) {
        const page = runInPage({ ...createDocument(), location: { port } }, scripts)
        expect('okxwallet' in page).toBe(comes)
      }
    })

    it('leaves another wallet alone that is there', () => {
      const taken = `Object.defineProperty(globalThis, 'okxwallet', { value: 'other' })`
      const page = runInPage(createDocument(), `${taken};${ALIASES};${inpage}`)
      expect(page.okxwallet).toBe('other')
    })
  })

  it.each([
    ['is gone', undefined],
    ['fails', { sync: { get: async () => Promise.reject(new Error('Unreadable')) } }],
    [
      'throws',
      {
        sync: {
          get() {
            throw new Error('Extension context invalidated.')
          },
        },
      },
    ],
  ])('does not come where the storage %s, and the wallet works', async (_, storage) => {
    const document = createDocument()
    const page = runInPage(document, inpage)
    const sent: Request[] = []
    runContent(document, { content, sent, storage })
    await page.satchel.bitcoin.getNetwork?.()
    expect(sent.map(({ method }) => method)).toEqual(['getNetwork'])
    expect('okxwallet' in page).toBe(false)
  })

  it('leaves another wallet alone that is there, and one that comes later', async () => {
    const first = openPage(on, `Object.defineProperty(globalThis, 'okxwallet', { value: 'other' })`)
    await first.arrive()
    expect(first.page.okxwallet).toBe('other')
    const { page, arrive } = openPage(on)
    await arrive()
    runInNewContext(`'use strict'; okxwallet = 'assigned'`, page)
    expect(page.okxwallet).toBe('assigned')
    runInNewContext(
      `Object.defineProperty(globalThis, 'okxwallet', { value: 'defined', writable: false })`,
      page,
    )
    expect(page.okxwallet).toBe('defined')
  })
})

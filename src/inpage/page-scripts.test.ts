import { runInNewContext } from 'node:vm'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Request } from '../provider/envelope.ts'
import {
  buildScript,
  closeChannels,
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

afterEach(closeChannels)

describe('the two scripts in every page', () => {
  it('are at most 16.5 kB together', () => {
    expect(Buffer.byteLength(inpage) + Buffer.byteLength(content)).toBeLessThanOrEqual(16500)
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
    document.addEventListener('satchel#port', offered)
    document.dispatchEvent(new Event('satchel#ask'))
    expect(offered).not.toHaveBeenCalled()
    const forged = new MessageChannel()
    onTestFinished(() => forged.port1.close())
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
  const on = { okxAlias: { everywhere: true, origins: [], child: 'bitcoinSignet' } }

  /** A page with both scripts, and the end of what the content script reads. */
  function openPage(items: Items, prepare = '') {
    const document = createDocument()
    const read = vi.fn((_key: string, take: (items: Items) => void) => take(items))
    const initialized = vi.fn()
    document.addEventListener('okxwallet#initialized', initialized)
    const page = runInPage(document, `${prepare};${inpage}`)
    const sent: Request[] = []
    runContent(document, { content, sent, storage: { local: { get: read } } })
    /** Returns when all that was posted before has arrived. */
    const arrive = () => page.satchel.bitcoin.getNetwork?.()
    return { page, read, initialized, sent, arrive }
  }

  it('comes where the person wants it, for one read of one key, before any answer', async () => {
    const { page, read, initialized, sent, arrive } = openPage(on)
    await arrive()
    expect(read.mock.calls).toEqual([['okxAlias', expect.any(Function)]])
    expect(initialized).toHaveBeenCalledOnce()
    const { bitcoin, bitcoinSignet } = page.okxwallet as {
      [name: string]: Page['satchel']['bitcoin']
    }
    expect(bitcoinSignet).toBe(bitcoin)
    await bitcoin?.requestAccounts?.()
    expect(sent.map(({ method }) => method)).toEqual(['getNetwork', 'requestAccounts'])
  })

  it.each([
    ['nothing', undefined],
    ['no record', {}],
    [
      'another site',
      { okxAlias: { ...on.okxAlias, everywhere: false, origins: ['https://a.example'] } },
    ],
    ['a malformed record', { okxAlias: { everywhere: true } }],
  ])('does not come where the storage has %s', async (_, items) => {
    const { page, initialized, arrive } = openPage(items)
    await arrive()
    expect('okxwallet' in page).toBe(false)
    expect(initialized).not.toHaveBeenCalled()
  })

  it.each([
    ['is gone', undefined],
    [
      'throws',
      {
        local: {
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

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** What a package could change for all others: of the language, and of the browser. */
const SHARED = [
  'Array.prototype.push',
  'Array.prototype.map',
  'Object.prototype.toString',
  'Object.prototype.polluted',
  'Object.freeze',
  'Function.prototype.call',
  'Promise.prototype.then',
  'Uint8Array.prototype.set',
  'Uint8Array.prototype.0',
  'String.prototype.slice',
  'Map.prototype.get',
  'RegExp.prototype.exec',
  'BigInt.prototype.toString',
  'JSON.stringify',
  'Math.random',
  'Date.now',
  'Array',
  'Object',
  'Promise',
  'Uint8Array',
  'crypto',
  'crypto.subtle',
  'crypto.getRandomValues',
  'Crypto.prototype.getRandomValues',
  'Crypto.prototype.subtle',
  'SubtleCrypto.prototype.encrypt',
  'fetch',
  'WebSocket',
  'WebSocket.prototype.send',
  'Request',
  'Response.prototype.text',
  'TextEncoder',
  'TextEncoder.prototype.encode',
  'setTimeout',
]

const DECODER = 'src/decoder/decoder.html'

describe.each(browsersFor('lockdown'))('lockdown in %s', browser => {
  const folder = browser === 'firefox' ? 'dist/firefox' : 'dist/chrome'
  let world: World
  let dapp: Dapp

  beforeAll(async () => {
    world = await startWorld(browser)
    dapp = await world.openConnected()
  })
  afterAll(() => world?.stop())

  const sign = async () => {
    const signing = dapp.request('signMessage', 'the same before and after')
    await (await world.wallet.nextApproval()).approve()
    const signature = await resultOf(signing)
    await world.wallet.waitForNoApproval()
    return signature
  }

  it('is the first that the worker and every page of the wallet evaluate, and needs no other file', () => {
    const read = (path: string) => readFileSync(join(folder, path), 'utf8')
    const { background } = JSON.parse(read('manifest.json'))
    const entry = background.service_worker ?? background.scripts[0]
    expect(background.scripts ?? [entry]).toEqual([entry])
    const lockdown = read('lockdown.js')
    expect(read(entry).startsWith(`(()=>{"use strict";${lockdown}`)).toBe(true)
    // What a service worker or Firefox's page reads later comes after lockdown, and is a file of ours by its name.
    const own = read(entry).slice(read(entry).indexOf(lockdown) + lockdown.length)
    expect(own.match(/importScripts\([^)]*\)/g)).toHaveLength(1)
    expect(own.match(/\bimport\([^)]*\)/g)).toEqual(['import(name)'])
    const later = readdirSync(folder).filter(name => /^(worker-later|notice-.*)\.js$/.test(name))
    expect(later).toContain('notice-de.js')
    expect(later.includes('worker-later.js')).toBe(browser === 'chromium')
    for (const name of later) expect(read(name)).toMatch(/^\(\(\)=>\{"use strict";addChunks\(/)
    const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path =>
      path.endsWith('.html'),
    )
    expect(pages).toContain('src/popup/popup.html')
    for (const page of pages.filter(page => page !== DECODER)) {
      const [first] = read(page).match(/<script[^>]*>/g) ?? []
      expect(first, page).toBe('<script type="module" src="/lockdown.js">')
    }
    // Strangers' pictures are decoded where nothing is to be kept: one script, no package, no wallet.
    expect(read(DECODER).match(/<script[^>]*>/g)).toEqual(['<script src="/decoder.js">'])
    expect(read('decoder.js')).not.toMatch(/\b(import|export|chrome|browser)\b/)
    expect(lockdown).not.toMatch(/(^|[;}\n])(import|export)\b[^;]*?["'][^"']+\.js["']/)
  })

  it('what the worker shares with every package cannot be changed, and signatures stay as they are', async () => {
    const before = await sign()
    expect(await world.wallet.evaluateInBackground(poison, SHARED)).toEqual([])
    expect(await sign()).toEqual(before)
  })

  it('nor can it in a page of the extension', async () => {
    const page = await world.wallet.popup()
    expect(await page.evaluate(poison, SHARED)).toEqual([])
    await page.find('heading', 'Wallet')
    await page.close()
  })

  it('no page makes markup or the address of a script of text', async () => {
    const page = await world.wallet.popup()
    expect(await page.evaluate(writeMarkup)).toEqual([])
    await page.close()
  })
})

/** Runs in a page: what was let be written. */
function writeMarkup(): string[] {
  const writes = {
    innerHTML: () => Reflect.set(document.createElement('p'), 'innerHTML', '<b>text</b>'),
    insertAdjacentHTML: () => document.body.insertAdjacentHTML('beforeend', '<b>text</b>'),
    srcdoc: () => Reflect.set(document.createElement('iframe'), 'srcdoc', '<b>text</b>'),
    src: () => Reflect.set(document.createElement('script'), 'src', '/lockdown.js'),
    text: () => Reflect.set(document.createElement('script'), 'text', '0'),
    parser: () => new DOMParser().parseFromString('<b>text</b>', 'text/html'),
    policy: () =>
      Object(self).trustedTypes.createPolicy('own', { createHTML: (text: string) => text }),
    workerPolicy: () =>
      Object(self).trustedTypes.createPolicy('worker', { createScriptURL: (text: string) => text }),
  }
  return Object.entries(writes)
    .filter(([, write]) => {
      try {
        write()
        return true
      } catch {
        return false
      }
    })
    .map(([name]) => name)
}

/** Runs in the background or a page: those of the names that got another value. `self` is its own realm in both browsers. */
function poison(names: readonly string[]): string[] {
  return names.filter(name => {
    const path = name.split('.')
    const key = path.pop() ?? ''
    const holder = path.reduce((object, part) => object?.[part], Object(self))
    // An earlier change took.
    if (holder === undefined) return true
    const read = () => {
      try {
        return holder[key]
      } catch {
        return 'throws'
      }
    }
    const before = read()
    const changes = [
      () => Reflect.set(holder, key, () => 'poisoned'),
      () => Reflect.defineProperty(holder, key, { value: () => 'poisoned', configurable: true }),
      () => Reflect.defineProperty(holder, key, { get: () => 'poisoned', configurable: true }),
      () => Reflect.deleteProperty(holder, key),
      () => Reflect.setPrototypeOf(holder, { [key]: () => 'poisoned' }),
    ]
    return changes.some(change => {
      try {
        change()
      } catch {
        // As good as refused.
      }
      return read() !== before
    })
  })
}

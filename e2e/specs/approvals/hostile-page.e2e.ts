import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METHOD_NAMES } from '../../../src/provider/method-names.ts'
import { startDappServer } from '../../fixtures/dapp-server.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** A page that takes part in everything it can reach before and after the wallet's scripts. */
const LISTENING_PAGE = `<!doctype html><title>Listening</title><script>
  window.heard = []
  const note = (kind, value) => window.heard.push(kind + ' ' + JSON.stringify(value ?? null))
  for (const type of ['message', 'call', 'answer', 'satchel#line', 'satchel#ask', 'satchel#initialized']) {
    addEventListener(type, event => note(type, [event.data, event.detail, event.ports?.length, event.relatedTarget && 'line']), true)
  }
  for (const event of ['accountChanged', 'accountsChanged', 'networkChanged', 'connect', 'disconnect']) {
    window.satchel.bitcoin.on(event, (...args) => note(event, args))
  }
</script>`

const framePage = (other: string) => `<!doctype html><title>Frames</title><script>
  window.frameReports = []
  addEventListener('message', event => window.frameReports.push(event.data))
</script>
<iframe sandbox="allow-scripts" srcdoc="<script>parent.postMessage('sandboxed ' + typeof window.satchel, '*')</script>"></iframe>
<iframe srcdoc="<script>parent.postMessage('srcdoc ' + typeof window.satchel, '*')</script>"></iframe>
<iframe src="${other}inner.html"></iframe>`

const INNER_PAGE = `<!doctype html><script>parent.postMessage('cross-origin ' + typeof window.satchel, '*')</script>`

describe.each(browsersFor('hostile-page'))('in %s', browser => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser, {
      pages: { '/listening.html': LISTENING_PAGE, '/inner.html': INNER_PAGE },
    })
  })
  afterAll(() => world?.stop())

  it('a page that is not connected learns nothing from any method or event in ten seconds', async () => {
    const { wallet, site } = world
    const dapp = await wallet.openDapp(`${site}listening.html`)
    const before = Date.now()
    const answers: unknown[] = []
    for (const method of METHOD_NAMES) {
      if (method === 'connect' || method === 'requestAccounts') continue
      answers.push(await dapp.request(method, 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 1000))
    }
    await wallet.chooseAccount('Account 2 Native')
    await wallet.lock()
    await wallet.unlock(PASSWORD)
    await wallet.chooseAccount('Account 1 Taproot')
    await wallet.chooseNetwork('Signet')
    await wallet.chooseNetwork('Regtest')
    await new Promise(resolve => setTimeout(resolve, Math.max(0, before + 10_000 - Date.now())))
    const heard = await dapp.evaluate(() => Object(window).heard as string[])
    expect(heard.filter(line => !line.startsWith('satchel#initialized'))).toEqual([])
    expect(await dapp.evaluate(() => Object(window).satchel.bitcoin.selectedAccount)).toBeNull()
    const { local, session } = await wallet.storageDump()
    const own = JSON.stringify([local, session]).match(/bcrt1[a-z0-9]{30,}|"0[23][0-9a-f]{64}"/g)
    expect(own?.length).toBeGreaterThan(0)
    for (const secret of own ?? []) expect(JSON.stringify([answers, heard])).not.toContain(secret)
    expect(await wallet.countApprovalWindows()).toBe(0)
  })

  it('sandboxed, srcdoc and cross-origin frames get no provider', async () => {
    const { wallet, site, otherSite } = world
    const dapp = await wallet.openDapp(`${site}plain.html`)
    await dapp.evaluate(html => {
      document.open()
      document.write(html)
      document.close()
    }, framePage(otherSite))
    const reports = () => dapp.evaluate(() => Object(window).frameReports as string[])
    await expect
      .poll(async () => [...(await reports())].sort(), { timeout: 10_000 })
      .toEqual(['cross-origin undefined', 'sandboxed undefined', 'srcdoc undefined'])
  })

  it('a sandboxed document, whose origin is nobody’s, is served nothing', async () => {
    const server = await startDappServer({
      csp: 'sandbox allow-scripts',
      pages: { '/sandboxed.html': '<!doctype html><title>Sandboxed</title>' },
    })
    const dapp = await world.wallet.openDapp(`${server.url}sandboxed.html`)
    expect(await dapp.evaluate(() => self.origin)).toBe('null')
    for (const method of ['connect', 'getAccounts', 'getNetwork']) {
      expect(await dapp.request(method)).toMatchObject({ error: { code: 4900 } })
    }
    expect(await world.wallet.countApprovalWindows()).toBe(0)
    await server.stop()
  })

  it('forged responses, events and internal calls settle nothing and reach nothing', async () => {
    const { wallet, site } = world
    const dapp = await wallet.openDapp(`${site}listening.html`)
    const asking = dapp.request('connect')
    const approval = await wallet.nextApproval()
    await dapp.evaluate(() => {
      const fake = { address: 'bcrt1qfake', publicKey: '02', compressedPublicKey: '02' }
      const shapes = [
        { id: '*', result: fake },
        { state: { account: fake, network: 'regtest' } },
        { ui: 'lock', params: null },
        { ui: 'decide', params: { key: '*', decision: 'approve', digest: '' } },
        { id: crypto.randomUUID?.() ?? '1', method: 'lock', params: [] },
        'poke',
      ]
      for (const shape of shapes) {
        postMessage(shape, '*')
        postMessage(JSON.stringify(shape), '*')
        for (const type of [
          'satchel#line',
          'satchel#ask',
          'satchel#initialized',
          'call',
          'answer',
        ]) {
          const forged = new EventTarget()
          dispatchEvent(new FocusEvent(type, { relatedTarget: forged }))
          for (const target of [window, document, forged]) {
            target.dispatchEvent(new CustomEvent(type, { detail: shape }))
            target.dispatchEvent(new CustomEvent(type, { detail: JSON.stringify(shape) }))
          }
        }
      }
    })
    await new Promise(resolve => setTimeout(resolve, 500))
    const heard = await dapp.evaluate(() => Object(window).heard as string[])
    expect(heard.some(line => /^(account|network|connect|disconnect)/.test(line))).toBe(false)
    expect(approval.isClosed()).toBe(false)
    await approval.reject()
    expect(await asking).toMatchObject({
      error: { code: 4001, message: 'User rejected the request.', isError: true },
    })
    await wallet.waitForNoApproval()
    const popup = await wallet.popup()
    await popup.find('region', 'Balance')
    await popup.close()
  })

  it('a listener finds nothing of the wallet’s own events, and documents that are written anew change nothing', async () => {
    const { wallet } = world
    const dapp = await world.openConnected()
    await dapp.evaluate(() => {
      const scope = Object(window)
      scope.events = []
      // Takes every listener from the window.
      document.open()
      document.write('<!doctype html><title>Written</title>')
      document.close()
      for (const event of ['networkChanged', 'accountsChanged', 'disconnect'])
        scope.satchel.bitcoin.on(event, () => scope.events.push(String(window.event)))
    })
    await wallet.lock()
    await expect
      .poll(() => dapp.page.evaluate('window.events'), { timeout: 10_000 })
      .toEqual(['undefined', 'undefined'])
    await wallet.unlock(PASSWORD)
    expect(await resultOf(dapp.request('getAccounts'))).toHaveLength(1)
  })

  it('patched prototypes change no result', async () => {
    const { wallet } = world
    const dapp = await world.openConnected()
    const honest = await resultOf(dapp.request('getAccounts'))
    await dapp.evaluate(() => {
      const scope = Object(window)
      const lie = () => 'patched'
      const keptThen = Promise.prototype.then
      const keptStringify = JSON.stringify
      scope.answer = null
      const { getAccounts } = scope.satchel.bitcoin
      for (const name of ['map', 'push', 'forEach', 'slice', 'concat', 'filter', 'join']) {
        Object.assign(Array.prototype, { [name]: lie })
      }
      Object.assign(Array.prototype, { [Symbol.iterator]: lie })
      Object.assign(JSON, { parse: lie, stringify: lie })
      Object.assign(Object.prototype, { result: 'patched', error: { code: 1, message: 'patched' } })
      Object.assign(Map.prototype, { get: lie, set: lie })
      Object.assign(Function.prototype, { call: lie, apply: lie, bind: lie })
      Object.assign(EventTarget.prototype, { addEventListener: lie, dispatchEvent: lie })
      Object.defineProperty(CustomEvent.prototype, 'detail', { get: lie })
      Object.defineProperty(Object.prototype, 'detail', { get: lie })
      Object.defineProperty(Object.prototype, 'bubbles', { get: lie })
      Object.assign(window, { CustomEvent: lie, EventTarget: lie, queueMicrotask: lie })
      Reflect.set(Promise.prototype, 'then', function patched(this: unknown) {
        return Reflect.apply(keptThen, this, [lie])
      })
      Reflect.apply(keptThen, getAccounts(), [
        (value: unknown) => {
          scope.answer = keptStringify(value)
        },
      ])
    })
    await expect
      .poll(() => dapp.page.evaluate('window.answer'), { timeout: 10_000 })
      .toBe(JSON.stringify(honest))
    expect(await wallet.countApprovalWindows()).toBe(0)
  })
})

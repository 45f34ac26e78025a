import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

const LOADS = 100
const NONCE = 'c2F0Y2hlbA'

/** Its first script looks for the provider and asks it; then the page loads itself again. */
const FIRST_SCRIPT = `<!doctype html><script nonce="${NONCE}">
  const loads = JSON.parse(sessionStorage.loads ?? '[]')
  const load = { present: typeof window.satchel?.bitcoin?.connect, answer: null }
  loads.push(load)
  const save = () => { sessionStorage.loads = JSON.stringify(loads) }
  save()
  window.satchel.bitcoin.getAccounts().then(answer => {
    load.answer = answer
    save()
    if (loads.length < ${LOADS}) location.reload()
    else document.title = 'done'
  })
</script><title>loading</title>`

const addresses = Object.values(networkInterfaces()).flatMap(found => found ?? [])
const NEEDS_IPV6 = {
  skip: !addresses.some(({ address }) => address === '::1'),
  meta: { skipReason: 'this machine has no address ::1' },
}

describe.each(browsersFor('presence'))('in %s', browser => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser, {
      setUp: false,
      pages: { '/first.html': FIRST_SCRIPT },
      csp: `default-src 'none'; script-src 'nonce-${NONCE}'`,
    })
  })
  afterAll(() => world?.stop())

  it(`the provider is there for the first inline script under a strict CSP, ${LOADS} of ${LOADS} loads, and answers it`, async () => {
    const dapp = await world.wallet.openDapp(`${world.site}first.html`)
    const title = () => dapp.evaluate(() => document.title).catch(() => 'between two documents')
    await expect.poll(title, { timeout: 110_000, interval: 200 }).toBe('done')
    const loads = await dapp.evaluate(() => JSON.parse(sessionStorage.loads))
    expect(loads).toHaveLength(LOADS)
    expect(loads).toEqual(Array.from(loads, () => ({ present: 'function', answer: [] })))
  })

  it('it is in pages of this computer by its IPv6 address too', NEEDS_IPV6, async () => {
    const page = '<!doctype html><script>document.title = typeof window.satchel</script>'
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end(page)
    })
    await new Promise<void>(resolve => server.listen(0, '::1', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const dapp = await world.wallet.openDapp(`http://[::1]:${port}/`)
      expect(await dapp.evaluate(() => document.title)).toBe('object')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('pages can neither replace nor change it, and find no file of the extension', async () => {
    const { wallet, site } = world
    const dapp = await wallet.openDapp(`${site}plain.html`)
    const changed = await dapp.evaluate(() => {
      const scope = Object(window)
      const before = scope.satchel
      const attempts = [
        () => (scope.satchel = {}),
        () => delete scope.satchel,
        () => (scope.satchel.bitcoin = {}),
        () => (scope.satchel.bitcoin.connect = () => 'mine'),
        () => Object.defineProperty(scope, 'satchel', { value: 1 }),
      ]
      for (const attempt of attempts) {
        try {
          attempt()
        } catch {}
      }
      return scope.satchel !== before || String(scope.satchel.bitcoin.connect).includes('mine')
    })
    expect(changed).toBe(false)
    const files = ['manifest.json', 'src/popup/popup.html', 'src/inpage/inpage.iife.js']
    const open = world.wallet.extensionUrl
    for (const file of files) {
      const fetched = await dapp.evaluate(
        url =>
          fetch(url).then(
            () => 'fetched',
            () => 'refused',
          ),
        `${open}${file}`,
      )
      expect(fetched, file).toBe('refused')
    }
  })
})

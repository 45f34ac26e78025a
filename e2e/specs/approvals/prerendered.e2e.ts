import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RETRY_DELAYS_MS } from '../../../src/content/pipe.ts'
import type { Dapp } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

/** Asks the wallet with its first script, and writes down what came when, for another tab to read. */
const PREPARED = `<!doctype html><title>asking</title><script>
  const wasPrerendering = document.prerendering
  const turn = new URL(location).searchParams.get('turn')
  const answers = ['getNetwork', 'getAccounts'].map(name => window.satchel.bitcoin[name]())
  const write = answers => {
    localStorage['answered.' + turn] = JSON.stringify({
      wasPrerendering, isShown: !document.prerendering, answers,
    })
  }
  Promise.all(answers).then(write, ({ code, message }) => write({ code, message }))
  localStorage['asked.' + turn] = wasPrerendering
</script>`

/** Chromium throws away a page in preparation whenever it likes, some one in ten here, also one that knows no wallet. */
const TURNS = 6

/** By then a page whose every Port was dropped has its error. */
const UNTIL_ERROR_MS = RETRY_DELAYS_MS.reduce<number>((sum, delay) => sum + delay, 0) + 1000

describe.each(browsersFor('prerendered'))('in %s', browser => {
  let world: World

  beforeAll(async () => {
    world = await startWorld(browser, {
      setUp: false,
      pages: { '/prerendered.html': PREPARED },
    })
  })
  afterAll(() => world?.stop())

  it('a page that the browser prepares gets its answers once somebody goes there, and no error before', async () => {
    expect(await goToPrepared(world)).toEqual({
      wasPrerendering: true,
      isShown: true,
      answers: ['livenet', []],
    })
  })
})

/** What the first page wrote down that the browser had prepared and did not throw away before somebody went there. */
async function goToPrepared({ wallet, site }: World): Promise<unknown> {
  // The driver loses hold of a tab in which a prepared page takes the place of another one, some one time in five.
  const watcher = await wallet.openDapp(`${site}plain.html`)
  for (let turn = 1; turn <= TURNS; turn++) {
    const dapp = await wallet.openDapp(`${site}plain.html`)
    // What is prepared for a tab that nobody sees is thrown away.
    await dapp.page.bringToFront()
    const path = `/prerendered.html?turn=${turn}`
    await dapp.evaluate(prepare, path)
    if ((await read(watcher, `asked.${turn}`, 5_000)) === true) {
      await new Promise(resolve => setTimeout(resolve, UNTIL_ERROR_MS))
      await dapp.page.bringToFront()
      await dapp.evaluate(to => location.assign(to), path).catch(() => {})
      const answered = await read(watcher, `answered.${turn}`, 20_000)
      if (answered === null) throw new Error('The prepared page got no answers')
      if (Object(answered).wasPrerendering) return answered
    }
    await dapp.close().catch(() => {})
  }
  throw new Error(`The browser prepared no page in ${TURNS} turns, or kept none`)
}

/** What a page of the site has written under a key, as JSON; null where nothing comes. */
function read(watcher: Dapp, key: string, timeout: number): Promise<unknown> {
  return poll(key, timeout, async () => {
    const text = await watcher.evaluate(name => localStorage.getItem(name), key)
    return text === null ? null : JSON.parse(text)
  }).catch(() => null)
}

/** Runs in the page: has the browser prepare another one. */
function prepare(path: string): void {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.text = JSON.stringify({ prerender: [{ urls: [path], eagerness: 'immediate' }] })
  document.head.append(rules)
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

/** Asks the wallet with its first script. */
const PREPARED = `<!doctype html><title>asking</title><script>
  const answers = ['getNetwork', 'getAccounts'].map(name => window.satchel.bitcoin[name]())
  window.prepared = {
    wasPrerendering: document.prerendering,
    answers: Promise.all(answers).catch(({ code, message }) => ({ code, message })),
  }
  localStorage.asked = new URL(location).searchParams.get('turn')
</script>`

/** Chromium throws away a page in preparation whenever it likes, some one in ten here, also one that knows no wallet. */
const TURNS = 6

type PreparedPage = { wasPrerendering: boolean; answers: Promise<unknown> }

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
    const { dapp, path } = await prepareAny(world)
    // Time for an error to come.
    await new Promise(resolve => setTimeout(resolve, 500))
    await dapp.page.bringToFront()
    await dapp.evaluate(to => location.assign(to), path)
    const read = () =>
      dapp.evaluate(async () => {
        const { prepared } = globalThis as unknown as { prepared: PreparedPage }
        return { wasPrerendering: prepared.wasPrerendering, answers: await prepared.answers }
      })
    await expect
      .poll(() => read().catch(String))
      .toEqual({ wasPrerendering: true, answers: ['livenet', []] })
  })
})

/** A page whose browser has prepared the page of the path, which has asked the wallet by now. */
async function prepareAny({ wallet, site }: World): Promise<{ dapp: Dapp; path: string }> {
  for (let turn = 1; turn <= TURNS; turn++) {
    const path = `/prerendered.html?turn=${turn}`
    const dapp = await wallet.openDapp(`${site}plain.html`)
    // What is prepared for a tab that nobody sees is thrown away.
    await dapp.page.bringToFront()
    await dapp.evaluate(prepare, path)
    const asked = () => dapp.evaluate(() => localStorage.asked ?? null)
    const hasAsked = await expect
      .poll(asked, { timeout: 5_000 })
      .toBe(`${turn}`)
      .then(() => true)
      .catch(() => false)
    if (hasAsked) return { dapp, path }
    await dapp.close()
  }
  throw new Error(`The browser prepared no page in ${TURNS} turns`)
}

/** Runs in the page: has the browser prepare another one. */
function prepare(path: string): void {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.text = JSON.stringify({ prerender: [{ urls: [path], eagerness: 'immediate' }] })
  document.head.append(rules)
}

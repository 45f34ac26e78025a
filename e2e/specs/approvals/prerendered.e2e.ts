import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

/** Asks the wallet with its first script. */
const PREPARED = `<!doctype html><title>asking</title><script>
  const answers = ['getNetwork', 'getAccounts'].map(name => window.satchel.bitcoin[name]())
  window.prepared = {
    wasPrerendering: document.prerendering,
    answers: Promise.all(answers).catch(({ code, message }) => ({ code, message })),
  }
  localStorage.hasAsked = 'yes'
</script>`

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
    const { wallet, site } = world
    const dapp = await wallet.openDapp(`${site}plain.html`)
    // What is prepared for a tab that nobody sees is thrown away.
    await dapp.page.bringToFront()
    await dapp.evaluate(prepare, '/prerendered.html')
    const hasAsked = () => dapp.evaluate(() => localStorage.hasAsked ?? 'no')
    await expect.poll(hasAsked).toBe('yes')
    // Time for an error to come.
    await new Promise(resolve => setTimeout(resolve, 500))
    await dapp.evaluate(() => location.assign('/prerendered.html'))
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

/** Runs in the page: has the browser prepare another one. */
function prepare(path: string): void {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.text = JSON.stringify({ prerender: [{ urls: [path], eagerness: 'immediate' }] })
  document.head.append(rules)
}

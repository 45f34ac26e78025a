import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
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
const TURNS = 4
const ARRIVAL_MS = 5_000

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

  it('a page that the browser prepares gets its answers once somebody goes there, and no error before', async test => {
    const arrived = await goToPrepared(world)
    if (arrived === null) test.skip(`The browser kept no prepared page in ${TURNS} turns`)
    expect(arrived).toEqual({
      wasPrerendering: true,
      answers: ['livenet', []],
    })
  })
})

/** What a page holds that the browser has prepared, once somebody has gone there; of the first one that it has not thrown away before, null for none. */
async function goToPrepared({ wallet, site }: World): Promise<unknown> {
  for (let turn = 1; turn <= TURNS; turn++) {
    const path = `/prerendered.html?turn=${turn}`
    const dapp = await wallet.openDapp(`${site}plain.html`)
    // What is prepared for a tab that nobody sees is thrown away.
    await dapp.page.bringToFront()
    await dapp.evaluate(prepare, path)
    if (await hasAsked(dapp, turn)) {
      // Time for an error to come.
      await new Promise(resolve => setTimeout(resolve, 500))
      await dapp.page.bringToFront()
      await dapp.evaluate(to => location.assign(to), path)
      const arrived = await readPrepared(wallet, path)
      if (arrived?.wasPrerendering) return arrived
    }
    await dapp.close()
  }
  return null
}

/** Whether the page of this turn comes to its script. */
function hasAsked(dapp: Dapp, turn: number): Promise<boolean> {
  const asked = () => dapp.evaluate(() => localStorage.asked ?? null)
  return expect
    .poll(asked, { timeout: 5_000 })
    .toBe(`${turn}`)
    .then(
      () => true,
      () => false,
    )
}

/**
 * What the page holds that is shown at a path, which may be another one for the driver than that which was left; null where the driver
 * never gets hold of it.
 */
async function readPrepared(
  { browser }: World['wallet'],
  path: string,
): Promise<{ wasPrerendering: boolean; answers: unknown } | null> {
  return poll('the prepared page', ARRIVAL_MS, async () => {
    const page = (await browser.pages()).find(one => one.url().endsWith(path))
    // The page before it is still there, or is just leaving.
    return page?.evaluate(readAnswers).catch(() => null) ?? null
  }).catch(() => null)
}

/** Runs in the page; the answers are null where they have not come in time. */
async function readAnswers(): Promise<{ wasPrerendering: boolean; answers: unknown }> {
  const { prepared } = globalThis as unknown as { prepared: PreparedPage }
  const soon = new Promise<null>(resolve => setTimeout(() => resolve(null), 4000))
  const answers = await Promise.race([prepared.answers, soon])
  return { wasPrerendering: prepared.wasPrerendering, answers }
}

/** Runs in the page: has the browser prepare another one. */
function prepare(path: string): void {
  const rules = document.createElement('script')
  rules.type = 'speculationrules'
  rules.text = JSON.stringify({ prerender: [{ urls: [path], eagerness: 'immediate' }] })
  document.head.append(rules)
}

import { expect, it } from 'vitest'
import type { BrowserName } from '../../driver/engine.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { startWorld } from '../../fixtures/world.ts'

it.each(browsersFor('later-code'))(
  'code that the background does not start with is there in %s after it was installed, and after each stop',
  async (browser: BrowserName) => {
    const world = await startWorld(browser)
    const { wallet } = world
    try {
      // A page of the extension that asks for nothing by itself.
      const screen = await wallet.popup('manifest.json')
      for (let round = 0; round < 2; round++) {
        await wallet.killBackground()
        expect(await screen.evaluate(ask, 'getState')).toMatchObject({ vault: 'unlocked' })
        expect(await screen.evaluate(ask, 'getContacts')).toEqual([])
      }
      const dapp = await world.openConnected()
      await wallet.killBackground()
      expect(await dapp.request('getInscriptions')).toMatchObject({ result: { total: 0 } })
    } finally {
      await world.stop()
    }
  },
)

/** Runs in the page. */
async function ask(ui: string): Promise<unknown> {
  type Api = { runtime: { sendMessage(message: object): Promise<{ result?: unknown }> } }
  const { browser, chrome } = globalThis as unknown as { browser?: Api; chrome?: Api }
  return (await (browser ?? chrome)?.runtime.sendMessage({ ui, params: null }))?.result
}

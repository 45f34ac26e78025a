import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { etch, holdingsOf, mintElsewhere } from '../../fixtures/ordinals/devnet-ord.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const NAME = 'SATCHEL•TEST•MINTS'

/** The wallet has news of a block within this. */
const NEWS = { timeout: 30_000 }

describe.each(browsersFor('rune-mints'))('mints of runes in %s', browser => {
  let world: World
  let page: Screen
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    await world.devnet.faucet(address, 200_000n, false)
    // Anybody can mint it eight times; nothing of it is the wallet's.
    await etch(world.devnet, null, {
      ...{ name: NAME, amount: '0', divisibility: 1, symbol: 'M' },
      terms: { amount: '1000', cap: 8 },
    })
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())
  afterEach(async () => expect(await world.wallet.countApprovalWindows()).toBe(0))

  it('of which five were approved and three are left: three are made, and the rest is stopped and said', async () => {
    await goTo(page, '/runes', 'Runes')
    await page.fill('textbox', 'Find a rune', NAME.replaceAll('•', '').toLowerCase())
    await page.click('button', 'Look up')
    await page.find('heading', NAME)
    await page.click('button', 'Mint')
    await page.waitForText('8 are left')
    await page.fill('textbox', 'How many mints', '9')
    await page.click('button', 'Review')
    await page.waitForText('Only 8 are left.')
    await page.fill('textbox', 'How many mints', '5')
    await page.click('button', 'Review')
    await page.find('heading', `You mint 500 ${NAME}`)
    const review = await page.text()
    for (const part of ['5 mints of 100 each', 'Price of 1', '2,730 sats'])
      expect(review).toContain(part)
    // While the person looks at it.
    await mintElsewhere(world.devnet, NAME, 5)
    await page.clickTestId('approve')
    await page.find('heading', '3 of 5 sent', NEWS.timeout)
    await world.devnet.mine()
    await page.find('heading', 'Stopped', NEWS.timeout)
    const text = await page.text()
    expect(text).toContain('All mints of this rune are done.')
    for (const part of ['3. Minted 100', '4. Never sent', '5. Never sent'])
      expect(text).toContain(part)
    await goTo(page, '/runes', 'Runes')
    await page.find('link', `${NAME} 300`, NEWS.timeout)
    await page.clickSelector(`a[href$="/rune/${encodeURIComponent(NAME)}"]`)
    expect(await page.waitForText('300 can be sent now')).toContain('8 of 8')
    expect(await mintedCoins()).toEqual([1_000, 1_000, 1_000])
  })

  it('leave the sats of what was not sent free', async () => {
    await goTo(page, '/activity', 'Activity')
    const text = await page.waitForText('Never sent')
    expect(text.match(/Mint of a rune/g)?.length).toBe(5)
    const answer = await fetch(`${world.devnet.url}/api/address/${address}/utxo`)
    const utxos = (await answer.json()) as { value: number }[]
    const spendable = utxos.reduce((sum, { value }) => sum + (value > 546 ? value : 0), 0)
    await goTo(page, '/coins', 'Coins')
    await page.waitForText(`${spendable / 100_000_000} BTC`)
  })

  /** What the coins of 546 sats hold by devnet's index. */
  async function mintedCoins(): Promise<number[]> {
    const answer = await fetch(`${world.devnet.url}/api/address/${address}/utxo`)
    const utxos = (await answer.json()) as { txid: string; vout: number; value: number }[]
    const held = await Promise.all(
      utxos.map(({ txid, vout }) => holdingsOf(world.devnet, `${txid}:${vout}`)),
    )
    return held.flatMap(({ runes }) => runes[NAME]?.amount ?? [])
  }
})

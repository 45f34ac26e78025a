import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { NEWS_MS, reviewEtching, writeRune } from '../../driver/runes.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { etch, findRune, holdingsOf } from '../../fixtures/ordinals/devnet-ord.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: an example key of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

describe.each(browsersFor('etching'))('etching runes in %s', browser => {
  let world: World
  let page: Screen
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    const dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    await dapp.close()
    for (let coin = 0; coin < 4; coin++) await world.devnet.faucet(address, 200_000n, false)
    await world.devnet.mine()
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
  })
  afterAll(() => world?.stop())

  it('a name is reviewed, committed to, six blocks old, and then a rune whose premine is there', async () => {
    await goTo(page, '/runes', 'Runes')
    await page.click('button', 'Etch a rune')
    await writeRune(page, {
      ...rune('satchel etched gold', '1000.5'),
      mints: { each: '10', count: '500' },
    })
    await reviewEtching(page, 'SATCHEL•ETCHED•GOLD')
    const review = await page.text()
    for (const part of ['1,000.5', '500', '6,000.5', 'It takes 6 blocks', 'may get the name first'])
      expect(review).toContain(part)
    await page.clickTestId('approve')
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS_MS)
    for (const blocks of [1, 2, 3, 4]) {
      await world.devnet.mine()
      await page.find('heading', `Waiting, ${blocks} of 6 blocks`, NEWS_MS)
    }
    await world.devnet.mine()
    await page.find('heading', 'Waiting for a block', NEWS_MS)
    expect(await findRune(world.devnet, 'SATCHEL•ETCHED•GOLD')).toBeNull()
    await world.devnet.mine()
    await page.find('heading', 'Rune etched', NEWS_MS)
    const etched = await findRune(world.devnet, 'SATCHEL•ETCHED•GOLD')
    expect(etched?.entry).toMatchObject({
      ...{ spaced_rune: 'SATCHEL•ETCHED•GOLD', divisibility: 2, symbol: 'G', premine: 100_050 },
      terms: { amount: 1_000, cap: 500, height: [null, null], offset: [null, null] },
    })
    const { runes } = await holdingsOf(world.devnet, `${etched?.entry.etching}:0`)
    expect(runes).toMatchObject({ 'SATCHEL•ETCHED•GOLD': { amount: 100_050 } })
    await page.click('button', 'See the rune')
    await page.find('heading', 'SATCHEL•ETCHED•GOLD')
    await page.waitForText('Checked on the chain', NEWS_MS)
    await page.waitForText('1,000.5 can be sent now', NEWS_MS)
  })

  it('what is inscribed with it is the rune’s, and the premine has a coin of its own', async () => {
    await goTo(page, '/runes/etch', 'Etch a rune')
    await writeRune(page, rune('satchel etched poem', '21'))
    await page.page.select('section select', 'text')
    await page.fill('textbox', 'Text to inscribe', 'A rune has a poem')
    await reviewEtching(page, 'SATCHEL•ETCHED•POEM')
    await page.waitForText('A rune has a poem')
    await page.clickTestId('approve')
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS_MS)
    for (let blocks = 0; blocks < 5; blocks++) await world.devnet.mine()
    await page.find('heading', 'Waiting for a block', NEWS_MS)
    await world.devnet.mine()
    await page.find('heading', 'Rune etched', NEWS_MS)
    const etched = await findRune(world.devnet, 'SATCHEL•ETCHED•POEM')
    const txid = etched?.entry.etching ?? ''
    expect(await holdingsOf(world.devnet, `${txid}:0`)).toMatchObject({
      ...{ inscriptions: [`${txid}i0`], runes: {} },
    })
    expect(await holdingsOf(world.devnet, `${txid}:1`)).toMatchObject({
      ...{ inscriptions: [], runes: { 'SATCHEL•ETCHED•POEM': { amount: 2_100 } } },
    })
    const content = await fetch(`${world.devnet.url}/ord/content/${txid}i0`)
    expect(await content.text()).toBe('A rune has a poem')
  })

  it('a name that somebody else etches meanwhile stops it, and the money comes back', async () => {
    const name = 'SATCHEL•ETCHED•LATE'
    await goTo(page, '/runes/etch', 'Etch a rune')
    await writeRune(page, rune('satchel etched late', '21'))
    await reviewEtching(page, name)
    await page.clickTestId('approve')
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS_MS)
    await world.devnet.mine()
    await page.find('heading', 'Waiting, 1 of 6 blocks', NEWS_MS)
    // The wallet does not etch while nobody tells whether the name is free.
    await world.admin.addFault({ endpoint: 'GET /ord/rune/*', status: 503 })
    await etch(world.devnet, ALICE, { name, amount: '5' })
    await page.waitForText('The server does not answer', NEWS_MS)
    await world.admin.repair()
    await world.devnet.mine()
    await page.waitForText('Somebody else etched this name first', NEWS_MS)
    await page.click('link', 'Take the money back*')
    await page.click('button', 'Review')
    await page.find('heading', 'You take *')
    await page.clickTestId('approve')
    await page.find('heading', 'Taking the money back', NEWS_MS)
    await world.devnet.mine()
    await page.find('heading', 'Taken back', NEWS_MS)
    expect((await findRune(world.devnet, name))?.entry.premine).toBe(5)
    // And a name that is taken is refused at once.
    await goTo(page, '/runes/etch', 'Etch a rune')
    await writeRune(page, rune('satchel etched late', '21'))
    await page.click('button', 'Review')
    await page.waitForText(`Somebody has etched the name ${name} already`)
  })
})

const rune = (name: string, premine: string) => ({ name, symbol: 'G', decimals: '2', premine })

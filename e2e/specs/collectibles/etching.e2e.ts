import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { etch, holdingsOf } from '../../fixtures/ordinals/devnet-ord.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: an example key of BIP-173. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The wallet has news of a block within this. */
const NEWS = 30_000

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
    await writeRune('satchel etched gold', '1000.5')
    await page.click('switch', 'Anyone can mint it')
    await page.fill('textbox', 'Each mint', '10')
    await page.fill('textbox', 'Number of mints', '500')
    await reviewRune('SATCHEL•ETCHED•GOLD')
    const review = await page.text()
    for (const part of ['1,000.5', '500', '6,000.5', 'It takes 6 blocks', 'may get the name first'])
      expect(review).toContain(part)
    await page.clickTestId('approve')
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS)
    for (const blocks of [1, 2, 3, 4]) {
      await world.devnet.mine()
      await page.find('heading', `Waiting, ${blocks} of 6 blocks`, NEWS)
    }
    await world.devnet.mine()
    await page.find('heading', 'Waiting for a block', NEWS)
    expect(await findRune('SATCHEL•ETCHED•GOLD')).toBeNull()
    await world.devnet.mine()
    await page.find('heading', 'Rune etched', NEWS)
    const rune = await findRune('SATCHEL•ETCHED•GOLD')
    expect(rune?.entry).toMatchObject({
      ...{ spaced_rune: 'SATCHEL•ETCHED•GOLD', divisibility: 2, symbol: 'G', premine: 100_050 },
      terms: { amount: 1_000, cap: 500, height: [null, null], offset: [null, null] },
    })
    const { runes } = await holdingsOf(world.devnet, `${rune?.entry.etching}:0`)
    expect(runes).toMatchObject({ 'SATCHEL•ETCHED•GOLD': { amount: 100_050 } })
    await page.click('button', 'See the rune')
    await page.find('heading', 'SATCHEL•ETCHED•GOLD')
    await page.waitForText('Checked on the chain', NEWS)
    await page.waitForText('1,000.5 can be sent now', NEWS)
  })

  it('what is inscribed with it is the rune’s, and the premine has a coin of its own', async () => {
    await goTo(page, '/runes/etch', 'Etch a rune')
    await writeRune('satchel etched poem', '21')
    await page.page.select('section select', 'text')
    await page.fill('textbox', 'Text to inscribe', 'A rune has a poem')
    await reviewRune('SATCHEL•ETCHED•POEM')
    await page.waitForText('A rune has a poem')
    await page.clickTestId('approve')
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS)
    for (let blocks = 0; blocks < 5; blocks++) await world.devnet.mine()
    await page.find('heading', 'Waiting for a block', NEWS)
    await world.devnet.mine()
    await page.find('heading', 'Rune etched', NEWS)
    const rune = await findRune('SATCHEL•ETCHED•POEM')
    const txid = rune?.entry.etching ?? ''
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
    await writeRune('satchel etched late', '21')
    await reviewRune(name)
    await page.clickTestId('approve')
    await page.find('heading', 'Waiting, 0 of 6 blocks', NEWS)
    await world.devnet.mine()
    await page.find('heading', 'Waiting, 1 of 6 blocks', NEWS)
    // The wallet does not etch while nobody tells whether the name is free.
    await admin('faults', { endpoint: 'GET /ord/rune/*', status: 503 })
    await etch(world.devnet, ALICE, { name, amount: '5' })
    await page.waitForText('The server does not answer', NEWS)
    await admin('faults/clear', {})
    await world.devnet.mine()
    await page.waitForText('Somebody else etched this name first', NEWS)
    await page.click('link', 'Take the money back*')
    await page.click('button', 'Review')
    await page.find('heading', 'You take *')
    await page.clickTestId('approve')
    await page.find('heading', 'Taking the money back', NEWS)
    await world.devnet.mine()
    await page.find('heading', 'Taken back', NEWS)
    expect((await findRune(name))?.entry.premine).toBe(5)
    // And a name that is taken is refused at once.
    await goTo(page, '/runes/etch', 'Etch a rune')
    await writeRune('satchel etched late', '21')
    await page.click('button', 'Review')
    await page.waitForText(`Somebody has etched the name ${name} already`)
  })

  async function admin(path: string, fields: object): Promise<void> {
    const body = JSON.stringify(fields)
    const answer = await fetch(`${world.devnet.url}/devnet/${path}`, { method: 'POST', body })
    expect(answer.ok).toBe(true)
  }

  async function writeRune(name: string, premine: string): Promise<void> {
    await page.fill('textbox', 'Name', name)
    await page.fill('textbox', 'Symbol', 'G')
    await page.fill('textbox', 'Decimals', '2')
    await page.fill('textbox', 'Premine', premine)
  }

  async function reviewRune(name: string): Promise<void> {
    await page.click('button', 'Review')
    await page.find('heading', `You etch ${name} for *`)
  }

  /** A rune by devnet's index; null for one that it does not know. */
  async function findRune(
    name: string,
  ): Promise<{ entry: { etching: string; premine: number } } | null> {
    const answer = await fetch(`${world.devnet.url}/ord/rune/${encodeURIComponent(name)}`, {
      headers: { accept: 'application/json' },
    })
    return answer.ok ? answer.json() : null
  }
})

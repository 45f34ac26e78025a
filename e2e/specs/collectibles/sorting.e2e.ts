import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { openCard, tilesOf } from '../../driver/gallery.ts'
import { confirmPayment, goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { type InscribeOrder, inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

describe.each(browsersFor('sorting'))('hidden inscriptions in %s', browser => {
  let world: World
  let page: Screen
  let address: string
  let poem: string

  beforeAll(async () => {
    world = await startWorld(browser)
    address = await addressOf(world)
    for (const sats of [100_000, 200_000]) await payIn(world, address, sats)
    ;[poem = ''] = await receive({ body: 'a poem' })
    await receive({ body: 'a song' })
    await payIn(world, address, 800)
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('an inscription is hidden from the gallery, the start screen and the counts, and shown again', async () => {
    await page.find('link', 'Inscriptions 2*')
    await openCard(page, poem)
    await page.click('button', 'Hide')
    await page.find('heading', 'Hide this inscription?')
    await page.click('button', 'Hide')
    await page.waitForText('You hid it. Its coin is held.')
    await goTo(page, '/', 'Wallet')
    await page.find('link', 'Inscriptions 1*')
    await goTo(page, '/inscriptions', 'Inscriptions')
    await page.waitForText('1 inscription')
    expect(await tilesOf(page)).not.toContain(poem)
    await page.click('link', 'Hidden 1 inscription')
    await page.find('heading', 'Hidden')
    await expect.poll(() => tilesOf(page)).toEqual([poem])
    await openCard(page, poem)
    await page.click('button', 'Show again')
    await page.find('button', 'Hide')
    await goTo(page, '/', 'Wallet')
    await page.find('link', 'Inscriptions 2*')
  })

  const receive = (order: InscribeOrder) => inscribe(world.devnet, address, order)
})

describe.each(browsersFor('sorting'))('possible spam in %s', browser => {
  const CLAIM = 'Claim your prize at example.com'
  const COPY = 'One of three'
  let world: World
  let page: Screen
  let crowd: string
  let poem: string
  const copies: string[] = []

  beforeAll(async () => {
    world = await startWorld(browser)
    const address = await addressOf(world)
    ;[poem = ''] = await inscribe(world.devnet, address, { body: 'a poem' })
    ;[crowd = ''] = await inscribe(world.devnet, address, { body: CLAIM, others: 12 })
    for (let count = 0; count < 3; count++)
      copies.push(...(await inscribe(world.devnet, address, { body: COPY })))
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('is in a list of its own, where nothing of it is drawn before it is asked for', async () => {
    await goTo(page, '/', 'Wallet')
    await page.find('link', 'Inscriptions 4*')
    await goTo(page, '/inscriptions', 'Inscriptions')
    await page.waitForText('a poem')
    // Copies are known as such once their contents were seen, by the next list.
    await goTo(page, '/', 'Wallet')
    await goTo(page, '/inscriptions', 'Inscriptions')
    await page.find('link', 'Possible spam 4 inscriptions')
    await expect.poll(() => tilesOf(page)).toEqual([poem])
    await page.click('link', 'Possible spam*')
    await page.find('heading', 'Possible spam')
    const spam = [crowd, ...copies].sort()
    await expect.poll(async () => (await tilesOf(page)).sort()).toEqual(spam)
    for (const text of [CLAIM, COPY]) expect(await page.text()).not.toContain(text)
  })

  it('what was sent to many says so, and is drawn when that is asked for', async () => {
    await openCard(page, crowd)
    await page.waitForText('in a transaction that paid ten or more addresses at once')
    expect(await page.text()).not.toContain(CLAIM)
    await page.click('button', 'Show what it looks like')
    await page.waitForText(CLAIM)
  })

  it('one of three copies is kept with one press, and the others stay', async () => {
    const [first = ''] = copies
    await openCard(page, first)
    await page.waitForText('so did others with the same content')
    await page.click('button', 'Keep in the gallery')
    await page.waitForText('Kept in the gallery')
    await goTo(page, '/', 'Wallet')
    await goTo(page, '/inscriptions', 'Inscriptions')
    await page.find('link', 'Possible spam 3 inscriptions')
    const shown = [poem, first].sort()
    await expect.poll(async () => (await tilesOf(page)).sort()).toEqual(shown)
  })
})

describe.each(browsersFor('sorting'))('rare sats in %s', browser => {
  let world: World
  let page: Screen
  beforeAll(async () => {
    world = await startWorld(browser, { indexSats: true })
  })
  afterAll(() => world?.stop())

  it('are named on their coin, which payments leave alone', async () => {
    const address = await addressOf(world)
    const coins = []
    for (const sats of [50_001, 50_002, 50_003, 50_004])
      coins.push(await payIn(world, address, sats))
    const rare: string[] = []
    for (const coin of coins) if (await hasFirstOfBlock(world, coin)) rare.push(coin)
    expect(rare.length).toBeGreaterThan(0)
    page = await world.wallet.popup()
    await goTo(page, '/coins', 'Coins')
    await page.waitForText('With rare sats')
    await page.waitForText('uncommon')
    const spent = await payAll(world, page)
    expect(spent.sort()).toEqual(coins.filter(coin => !rare.includes(coin)).sort())
  })

  it('are spent with the inscription on their coin once that was released on its page', async () => {
    const address = await addressOf(world)
    const { id, outpoint } = await inscribeRare(world, address)
    await goTo(page, '/', 'Wallet')
    await openCard(page, id)
    await page.click('button', 'Release its sats')
    await page.find('dialog', 'Let payments spend*')
    await page.waitForText('rare sat')
    await page.clickTestId('confirm-unlock')
    await page.click('button', 'Allow spending')
    await page.waitForText('Payments may spend its coin')
    expect(await payAll(world, page, 'I give away*')).toEqual([outpoint])
  })
})

async function addressOf(world: World): Promise<string> {
  const dapp = await world.openConnected()
  const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
  await dapp.close()
  return address
}

/** A stranger pays, in a block; resolves the outpoint. */
async function payIn(world: World, address: string, sats: number): Promise<string> {
  const txid = await world.devnet.faucet(address, sats)
  const { vout } = await readTransaction(world, txid)
  return `${txid}:${vout.findIndex(output => output.value === sats)}`
}

/** Pays all that can be spent to {@link RECIPIENT}, in a block; resolves the outpoints that it spent, by the node. `consent` is ticked. */
async function payAll(world: World, page: Screen, consent?: string): Promise<string[]> {
  await goTo(page, '/send', 'Send')
  await page.fill('textbox', 'To', RECIPIENT)
  await page.click('button', 'Max*')
  await page.click('radio', 'Custom*')
  await page.fill('textbox', 'Fee rate in sat/vB', '2')
  await page.click('button', 'Review')
  if (consent !== undefined) await page.click('checkbox', consent)
  const txid = await confirmPayment(page)
  await world.devnet.mine()
  const { vin } = await readTransaction(world, txid)
  return vin.map(input => `${input.txid}:${input.vout}`)
}

/** Inscribes onto so many sats that devnet takes a block's reward which it has not spent from yet, with the first sat of that block. */
async function inscribeRare(world: World, address: string) {
  const order = { body: 'a rock', postage: 4_999_900_000 }
  const [id = ''] = await inscribe(world.devnet, address, order)
  const { satpoint } = await whereIs(world.devnet, id)
  const outpoint = satpoint.split(':').slice(0, 2).join(':')
  expect(await hasFirstOfBlock(world, outpoint)).toBe(true)
  return { id, outpoint }
}

type Served = { vin: { txid: string; vout: number }[]; vout: { value: number }[] }

async function readTransaction(world: World, txid: string): Promise<Served> {
  return (await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)).json() as Promise<Served>
}

/** Whether the sat with which a block began is on an output: on regtest the first 150 blocks have 50 BTC each. */
async function hasFirstOfBlock(world: World, outpoint: string): Promise<boolean> {
  const answer = await fetch(`${world.devnet.ordUrl}/output/${outpoint}`, {
    headers: { accept: 'application/json' },
  })
  const { sat_ranges } = (await answer.json()) as { sat_ranges: [number, number][] }
  return sat_ranges.some(([start, end]) => Math.ceil(start / 5e9) * 5e9 < end)
}

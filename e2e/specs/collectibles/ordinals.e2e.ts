import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import {
  etch,
  holdingsOf,
  type InscribeOrder,
  inscribe,
  whereIs,
} from '../../fixtures/ordinals/devnet-ord.ts'
import { approve } from '../../fixtures/psbt/trader.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const POSTAGE = 546
const BTC = 100_000_000

/** A PNG of one red pixel. */
const PIXEL =
  '89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cfc0000003010100c9fe92ef0000000049454e44ae426082'

describe.each(browsersFor('ordinals'))('inscriptions in %s', browser => {
  let world: World
  let dapp: Dapp
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    for (let coin = 0; coin < 3; coin++) await world.devnet.faucet(address, 200_000n)
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  const receive = (order: InscribeOrder = {}) => inscribe(world.devnet, address, order)
  const numberOf = async (id: string) => (await whereIs(world.devnet, id)).number

  /** What a page's sendInscription does after the person's approval, mined; gives what the screen said. */
  const send = async (id: string, consent?: string) => {
    const sending = dapp.request('sendInscription', RECIPIENT, id, { feeRate: 3 })
    const asked = approve(world.wallet, consent)
    const screen = await Promise.race([asked, resultOf(sending).then(() => asked)])
    const txid = await resultOf<string>(sending)
    await world.devnet.mine()
    return { txid, screen, place: await whereIs(world.devnet, id) }
  }

  it.each<[string, InscribeOrder]>([
    ['the first sat', {}],
    ['a sat in the middle', { offset: 300 }],
    ['a sat that was inscribed by a cursed inscription', { flaw: 'pushnum' }],
    ['a picture', { contentType: 'image/png', bodyHex: PIXEL }],
  ])('on %s is listed, sent, and arrives on the same sat', async (_, order) => {
    const [id = ''] = await receive({ postage: POSTAGE, ...order })
    const before = await whereIs(world.devnet, id)
    await expect.poll(idsListed).toContain(id)
    const { total, list } = await listed()
    expect(list).toHaveLength(total)
    expect(list.find(({ inscriptionId }) => inscriptionId === id)).toMatchObject({
      inscriptionNumber: before.number,
      address,
      outputValue: POSTAGE,
      offset: offsetOf(before.satpoint),
      output: outpointOf(before.satpoint),
      location: before.satpoint,
      genesisTransaction: id.slice(0, 64),
    })

    const { txid, screen, place } = await send(id)
    expect(screen).toContain(String(before.number))
    expect(place).toMatchObject({ address: RECIPIENT, value: POSTAGE })
    expect(place.satpoint).toBe(`${txid}:0:${offsetOf(before.satpoint)}`)
    await expect.poll(idsListed).not.toContain(id)
  })

  it('two on one coin go together, and the screen names the one that was not asked for', async () => {
    const [id = '', companion = ''] = await receive({
      together: true,
      postage: 1_000,
      items: [{ body: 'wanted' }, { body: 'companion', offset: 700 }],
    })
    const { screen, place } = await send(id, 'assets-leaves')
    expect(screen).toContain(String(await numberOf(companion)))
    expect(place.address).toBe(RECIPIENT)
    expect((await whereIs(world.devnet, companion)).address).toBe(RECIPIENT)
  })

  it('on a coin of 1 BTC is sent with its postage alone; the bitcoin stays', async () => {
    const [id = ''] = await receive({ postage: BTC, offset: 40_000_000 })
    const before = await balance()
    const { place } = await send(id)
    expect(place.address).toBe(RECIPIENT)
    expect(place.value).toBeLessThanOrEqual(10_000)
    expect(before - (await balance())).toBeLessThan(20_000)
  })

  it('reinscribed, all of a sat’s inscriptions move as one', async () => {
    const [first = ''] = await inscribe(world.devnet, null, { body: 'first' })
    const [second = ''] = await receive({ body: 'second', onto: first })
    const { screen, place } = await send(second, 'assets-leaves')
    expect(screen).toContain(String(await numberOf(first)))
    expect((await whereIs(world.devnet, first)).satpoint).toBe(place.satpoint)
  })

  it('beside runes, both are named and both arrive', async () => {
    const [id = ''] = await inscribe(world.devnet, null, { body: 'with runes' })
    const rune = await etch(world.devnet, address, {
      name: browser === 'chromium' ? 'SATCHEL•CHROME•COINS' : 'SATCHEL•FIREFOX•COINS',
      amount: '21000',
      onto: id,
    })
    const { screen, place } = await send(id, 'assets-leaves')
    expect(screen).toContain(rune.name)
    const arrived = await holdingsOf(world.devnet, outpointOf(place.satpoint))
    expect(Object.keys(arrived.runes)).toEqual([rune.name])
    expect(arrived.inscriptions).toEqual([id])
  })

  it('several go in one transaction, the first to the first output', async () => {
    const ids = []
    for (const offset of [0, 100, 545]) ids.push(...(await receive({ offset })))
    const sending = dapp.request('transferNft', {
      from: address,
      to: RECIPIENT,
      data: [ids[1], `${ids[0]}-Ordinals`, ids[2]],
    })
    const screen = await approve(world.wallet)
    for (const id of ids) expect(screen).toContain(String(await numberOf(id)))
    const { txhash } = await resultOf<{ txhash: string }>(sending)
    await world.devnet.mine()
    const places = await Promise.all(ids.map(id => whereIs(world.devnet, id)))
    expect(places.map(({ satpoint }) => satpoint)).toEqual([
      `${txhash}:1:0`,
      `${txhash}:0:100`,
      `${txhash}:2:545`,
    ])
  })

  it('stay while everything else is sent away', async () => {
    const kept = [
      ...(await receive({ postage: 10_000 })),
      ...(await receive({ postage: BTC, offset: 50_000_000 })),
      ...(await receive({ flaw: 'duplicate' })),
    ]
    const rune = await etch(world.devnet, address, {
      name: browser === 'chromium' ? 'KEEP•THE•CHROME•RUNE' : 'KEEP•THE•FOX•RUNE',
      amount: '5',
      postage: 20_000,
    })
    const before = await Promise.all(kept.map(id => whereIs(world.devnet, id)))
    const page = await world.wallet.popup()
    await goTo(page, '/send', 'Send')
    await page.fill('textbox', 'To', RECIPIENT)
    await page.click('button', 'Max*')
    await page.click('radio', 'Custom*')
    await page.fill('textbox', 'Fee rate in sat/vB', '2')
    await page.click('button', 'Review')
    await page.clickTestId('approve')
    await page.find('heading', 'Sent', 30_000)
    await page.close()
    await world.devnet.mine()
    expect(await Promise.all(kept.map(id => whereIs(world.devnet, id)))).toEqual(before)
    expect((await holdingsOf(world.devnet, rune.outpoint)).runes).toHaveProperty([rune.name])
    // Nothing but what carries something is left.
    await expect.poll(async () => new Set(await idsListed())).toEqual(new Set(kept))
    const poor = await dapp.request('sendBitcoin', RECIPIENT, 10_000, { feeRate: 1 })
    expect(poor).toMatchObject({ error: { code: -32000, data: { reason: 'COINS_HELD' } } })
    await world.devnet.faucet(address, 300_000n)
  })

  it('whose block left the chain are not there until another block has them', async () => {
    const [id = ''] = await receive({ body: 'in and out' })
    await expect.poll(idsListed).toContain(id)
    await world.devnet.reorg(1)
    await expect.poll(idsListed).not.toContain(id)
    const early = await dapp.request('sendInscription', RECIPIENT, id)
    expect(early).toHaveProperty('error')
    await world.devnet.mine()
    await expect.poll(idsListed).toContain(id)
    expect((await send(id)).place.address).toBe(RECIPIENT)
  })

  const listed = () =>
    resultOf<{ total: number; list: Listed[] }>(dapp.request('getInscriptions', 0, 100))
  const idsListed = async () => (await listed()).list.map(({ inscriptionId }) => inscriptionId)
  const balance = async () => (await resultOf<{ total: number }>(dapp.request('getBalance'))).total
})

type Listed = { inscriptionId: string; inscriptionNumber: number }

function outpointOf(satpoint: string): string {
  return satpoint.split(':').slice(0, 2).join(':')
}

function offsetOf(satpoint: string): number {
  return Number(satpoint.split(':')[2])
}

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../../../src/devnet/server/faults.ts'
import type { AtomicalsClient } from '../../../src/devnet/testing/atomicals-client.ts'
import { nftsOf, openNft, openToken, readTile, writeTokenTransfer } from '../../driver/atomicals.ts'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { writeTransfer } from '../../driver/gallery.ts'
import { confirmPayment, goTo, keepChangedRecords } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import {
  lendNft,
  mintPartlyColoured,
  mintPicture,
  openAtomicals,
} from '../../fixtures/ordinals/devnet-atomicals.ts'
import { inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { approve } from '../../fixtures/psbt/trader.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** An address of nobody in particular: BIP-173's example key. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The wallet has news of a block within this. */
const NEWS = { timeout: 20_000 }

const NOT_THERE = { error: { code: -32602 } }

describe.each(browsersFor('atomicals'))('Atomicals in %s', browser => {
  const isChromium = browser === 'chromium'
  let world: World
  let dapp: Dapp
  let page: Screen
  let address: string
  let atomicals: AtomicalsClient

  beforeAll(async () => {
    world = await startWorld(browser)
    dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    atomicals = openAtomicals(world.devnet, address)
    for (let coin = 0; coin < 4; coin++) await world.devnet.faucet(address, 100_000n, false)
    await world.devnet.mine()
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    await world.admin.repair()
    expect(await world.wallet.countApprovalWindows()).toBe(0)
  })

  it('are found from the start screen: the NFT with its picture, the token with its units', async () => {
    const nft = await mintPicture(atomicals, 1)
    const gold = await atomicals.mintToken('gold', 20_000)
    await page.waitForText('1 NFT · 1 token', NEWS.timeout)
    await page.click('link', 'Atomicals 1*')
    await page.find('heading', 'Atomicals')
    await page.find('link', 'GOLD 20,000')
    expect(await nftsOf(page)).toEqual([nft.id])
    await expect
      .poll(() => page.page.$$('li[aria-posinset] .inscription-picture__picture > canvas'))
      .toHaveLength(1)

    await openNft(page, nft.id)
    await page.find('heading', `Atomical ${await numberOf(nft.id)}`)
    const card = await page.waitForText('Mint verified, location not')
    expect(card).toContain('This wallet read the transaction that minted it.')
    expect(card).toContain('546 sats')
    await page.find('img', `Atomical ${await numberOf(nft.id)}`)

    await openToken(page, gold.id, '20,000')
    expect(await page.textOf('atomicals-balance')).toBe('20,000')
    expect(await idsListed()).toEqual([`${nft.id}-Atomicals`])
  })

  it('an NFT goes from its own screen to another address', async () => {
    const { id, outpoint } = await mintPicture(atomicals, 2, 1_000)
    const name = `Atomical ${await numberOf(id)}`
    await goTo(page, '/atomicals', 'Atomicals')
    await expect.poll(() => nftsOf(page), NEWS).toContain(id)
    await openNft(page, id)
    await page.click('button', 'Send')
    await writeTransfer(page, { to: RECIPIENT, feeRate: '3' })
    await page.click('button', 'Review')
    await page.find('heading', `You send ${name} to *`)
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await inputsOf(txid)).toContain(outpoint)
    expect(await atomicals.coinsOf(RECIPIENT)).toHaveProperty([`${txid}:0`], { [id]: 1_000 })
    expect(await idsAt(address)).not.toContain(id)
    await goTo(page, '/atomicals', 'Atomicals')
    await expect.poll(() => nftsOf(page), NEWS).not.toContain(id)
  })

  it('units of a token go by their exact number, and the rest comes back', async () => {
    const { id } = await atomicals.mintToken('silver', 20_000)
    await goTo(page, '/atomicals', 'Atomicals')
    await page.find('link', 'SILVER 20,000', NEWS.timeout)
    await openToken(page, id, '20,000')
    await writeTokenTransfer(page, { amount: '19999', to: RECIPIENT, feeRate: '2' })
    await page.click('button', 'Review')
    // A single unit would be left over, which no output can hold.
    await page.waitForText('19,454 · 20,000')
    await page.fill('textbox', 'Amount', '7001')
    await page.click('button', 'Review')
    await page.find('heading', 'You send 7,001 SILVER (ARC-20) to *')
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await atomicals.heldAt(`${txid}:0`)).toEqual({ [id]: 7_001 })
    expect(await atomicals.heldAt(`${txid}:1`)).toEqual({ [id]: 12_999 })
    expect(await atomicals.coinsOf(RECIPIENT)).toHaveProperty([`${txid}:0`])
    expect(await atomicals.coinsOf()).toHaveProperty([`${txid}:1`])
    await openToken(page, id, '12,999')
  })

  it('an NFT goes by a page’s sendInscription', async () => {
    const { id, outpoint } = await mintPicture(atomicals, 3)
    const sending = dapp.request('sendInscription', RECIPIENT, `${id}-Atomicals`, { feeRate: 3 })
    const screen = await approveOf(sending)
    expect(screen).toContain(`Atomical ${await numberOf(id)}`)
    const txid = await resultOf<string>(sending)
    await world.devnet.mine()
    expect(await inputsOf(txid)).toContain(outpoint)
    expect(await atomicals.coinsOf(RECIPIENT)).toHaveProperty([`${txid}:0`], { [id]: 546 })
  })

  it.runIf(isChromium)('of a batch with inscriptions each goes to its own output', async () => {
    const first = await mintPicture(atomicals, 4)
    const second = await mintPicture(atomicals, 5, 800)
    const [poem = ''] = await receive({ body: 'a poem', postage: 600, offset: 300 })
    const [pun = ''] = await receive({ body: 'a pun' })
    await expect.poll(idsListed, NEWS).toEqual(expect.arrayContaining([poem, pun]))
    const sending = dapp.request('transferNft', {
      from: address,
      to: RECIPIENT,
      data: [poem, `${first.id}-Atomicals`, `${pun}-Ordinals`, `${second.id}-Atomicals`],
    })
    const screen = await approveOf(sending)
    for (const id of [poem, pun])
      expect(screen).toContain(`Inscription ${(await whereIs(world.devnet, id)).number}`)
    for (const { id } of [first, second]) expect(screen).toContain(`Atomical ${await numberOf(id)}`)
    const { txhash } = await resultOf<{ txhash: string }>(sending)
    await world.devnet.mine()
    // NFTs of Atomicals go to the first outputs, by the protocol's own rule; within each kind the order is as asked.
    expect(await atomicals.coinsOf(RECIPIENT)).toMatchObject({
      [`${txhash}:0`]: { [first.id]: 546 },
      [`${txhash}:1`]: { [second.id]: 800 },
    })
    expect(await whereIs(world.devnet, poem)).toMatchObject({
      address: RECIPIENT,
      satpoint: `${txhash}:2:300`,
    })
    expect(await whereIs(world.devnet, pun)).toMatchObject({
      address: RECIPIENT,
      satpoint: `${txhash}:3:0`,
    })
    const gone = [poem, pun, ...[first, second].map(({ id }) => `${id}-Atomicals`)]
    expect((await idsListed()).filter(id => gone.includes(id))).toEqual([])
  })

  it.runIf(isChromium)('units on a coin of more sats are counted and sent as units', async () => {
    const token = { ticker: 'copper', units: 5_000, sats: 8_000 }
    const { id, outpoint } = await mintPartlyColoured(world.devnet, address, token)
    expect(await atomicals.heldAt(outpoint)).toEqual({ [id]: 5_000 })
    await goTo(page, '/atomicals', 'Atomicals')
    await page.find('link', 'COPPER 5,000', NEWS.timeout)
    await openToken(page, id, '5,000')
    await writeTokenTransfer(page, { amount: '3000', to: RECIPIENT, feeRate: '2' })
    await page.click('button', 'Review')
    await page.find('heading', 'You send 3,000 COPPER*')
    const txid = await confirmPayment(page)
    await world.devnet.mine()
    expect(await inputsOf(txid)).toContain(outpoint)
    expect(await atomicals.coinsOf(RECIPIENT)).toHaveProperty([`${txid}:0`], { [id]: 3_000 })
    expect((await atomicals.coinsOf())[`${txid}:1`]).toEqual({ [id]: 2_000 })
    expect(await unitsAt(address, id)).toBe(2_000)
    await openToken(page, id, '2,000')
  })

  it.runIf(isChromium)('ids of the wrong protocol, or of none, are refused unasked', async () => {
    const { id } = await mintPicture(atomicals, 6)
    const { id: token } = await atomicals.mintToken('tin', 1_000)
    const [poem = ''] = await receive({ body: 'not an Atomical' })
    await expect.poll(idsListed, NEWS).toContain(poem)
    const before = await holdings()
    const wrong = [
      ...[id, `${id}-Ordinals`, `${poem}-Atomicals`, `${token}-Atomicals`],
      ...[`${id}-Runes`, `${id}-atomicals`, `${id}-`, `${id}-Atomicals-Atomicals`, '-Atomicals'],
    ]
    for (const asked of wrong) {
      expect(await dapp.request('sendInscription', RECIPIENT, asked), asked).toMatchObject(
        NOT_THERE,
      )
      const data = [`${poem}-Ordinals`, asked]
      const order = { from: address, to: RECIPIENT, data }
      expect(await dapp.request('transferNft', order), asked).toMatchObject(NOT_THERE)
    }
    expect(await listWaiting()).toEqual([])
    expect(await holdings()).toEqual(before)
  })

  it.runIf(isChromium)('stay while a page mints and everything else is sent away', async () => {
    await mintPicture(atomicals, 7, 30_000)
    await mintPartlyColoured(world.devnet, address, { ticker: 'iron', units: 9_000, sats: 90_000 })
    const before = await holdings()
    const minting = dapp.request('mint', {
      type: 61,
      from: address,
      inscriptions: [{ body: 'beside Atomicals' }],
      feeRate: 2,
    })
    await approveOf(minting)
    await world.devnet.mine()
    expect(await holdings()).toEqual(before)

    await goTo(page, '/coins', 'Coins')
    await expect.poll(() => readGroup(page, 'With Atomicals'), NEWS).toContain('9,000 IRON')
    await goTo(page, '/send', 'Send')
    await page.fill('textbox', 'To', RECIPIENT)
    await page.click('button', 'Max*')
    await page.click('radio', 'Custom*')
    await page.fill('textbox', 'Fee rate in sat/vB', '2')
    await page.click('button', 'Review')
    await confirmPayment(page)
    await world.devnet.mine()
    expect(await holdings()).toEqual(before)
    const held = await sumHeld()
    const poor = await dapp.request('sendBitcoin', RECIPIENT, 10_000, { feeRate: 1 })
    expect(poor).toMatchObject({
      error: { code: -32000, data: { reason: 'COINS_HELD', heldAtomical: String(held) } },
    })
    await world.devnet.faucet(address, 300_000n)
  })

  it.runIf(isChromium)(
    'of coins that arrive while the index is silent nothing is spent',
    async () => {
      await goTo(page, '/coins', 'Coins')
      await expect.poll(() => readGroup(page, 'Can be spent'), NEWS).toContain('0.003 BTC')
      const known = (await idsListed()).find(id => id.endsWith('-Atomicals')) ?? ''
      await breakIndex({ status: 503 })
      const { id, outpoint } = await mintPicture(atomicals, 8, 150_000)
      await goTo(page, '/coins', 'Coins')
      await expect.poll(() => readGroup(page, 'Not checked'), NEWS).toContain('0.0015 BTC')
      expect(await readGroup(page, 'Not checked')).toContain('An index does not answer.')
      for (const asked of [`${id}-Atomicals`, known]) {
        const early = await dapp.request('sendInscription', RECIPIENT, asked)
        expect(early, asked).toMatchObject({ error: { code: -32000 } })
        expect(JSON.stringify(early)).not.toContain(new URL(world.devnet.url).host)
      }
      expect(await dapp.request('sendBitcoin', RECIPIENT, 400_000, { feeRate: 2 })).toMatchObject({
        error: {
          code: -32000,
          data: { reason: 'COINS_HELD', heldUnknown: '150000', unknownWhy: 'unanswered' },
        },
      })
      const paying = dapp.request('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 })
      await approveOf(paying)
      expect(await inputsOf(await resultOf<string>(paying))).not.toContain(outpoint)

      await world.admin.repair()
      await world.devnet.mine()
      await goTo(page, '/atomicals', 'Atomicals')
      // A server that failed is given a rest first.
      await expect.poll(() => nftsOf(page), { timeout: 60_000 }).toContain(id)
    },
  )

  it.runIf(isChromium)('where no index is set are said to be not checked', async () => {
    await unsetIndex()
    await goTo(page, '/atomicals', 'Atomicals')
    await page.waitForText('Atomicals are not checked')
    const { id } = await mintPicture(atomicals, 9)
    const early = await dapp.request('sendInscription', RECIPIENT, `${id}-Atomicals`)
    expect(early).toMatchObject({ error: { code: 4200 } })
    await goTo(page, '/coins', 'Coins')
    await page.waitForText('Atomicals are not checked: no Atomicals server is set.')
    await goTo(page, '/settings/servers', 'Servers')
    await page.click('button', 'Set: Index of Atomicals')
    await page.fill('textbox', 'Server', world.devnet.atomicalsUrl)
    await page.click('button', 'Check and save')
    await page.find('button', 'Change: Index of Atomicals')
    await goTo(page, '/atomicals', 'Atomicals')
    await expect.poll(() => nftsOf(page), NEWS).toContain(id)
  })

  it.runIf(isChromium)('are on their way again while no block has their mint', async () => {
    await goTo(page, '/atomicals', 'Atomicals')
    const { id, outpoint } = await mintPicture(atomicals, 10)
    await expect.poll(() => nftsOf(page), NEWS).toContain(id)
    expect(await readTile(page, id)).not.toContain('On its way')
    await world.devnet.reorg(1)
    expect(await atomicals.heldAt(outpoint)).toEqual({})
    await expect.poll(() => readTile(page, id), NEWS).toContain('On its way')
    expect(await dapp.request('sendInscription', RECIPIENT, `${id}-Atomicals`)).toMatchObject({
      error: { code: -32000, data: { reason: 'PROTECTED_ASSET' } },
    })
    await world.devnet.mine()
    expect(await atomicals.heldAt(outpoint)).toEqual({ [id]: 546 })
    await expect.poll(() => readTile(page, id), NEWS).not.toContain('On its way')
    const sending = dapp.request('sendInscription', RECIPIENT, `${id}-Atomicals`, { feeRate: 2 })
    await approveOf(sending)
    const txid = await resultOf<string>(sending)
    await world.devnet.mine()
    expect(await atomicals.heldAt(`${txid}:0`)).toEqual({ [id]: 546 })
  })

  it.runIf(isChromium)('are gone where another block gives them to others', async () => {
    await goTo(page, '/atomicals', 'Atomicals')
    const { id, owner, takeBack } = await lendNft(world.devnet, address)
    await expect.poll(() => nftsOf(page), NEWS).toContain(id)
    expect(await idsListed()).toContain(`${id}-Atomicals`)
    await world.devnet.reorg(1)
    await takeBack()
    await expect.poll(() => nftsOf(page), NEWS).not.toContain(id)
    await world.devnet.mine()
    expect(await idsAt(owner)).toContain(id)
    expect(await idsListed()).not.toContain(`${id}-Atomicals`)
    expect(await dapp.request('sendInscription', RECIPIENT, `${id}-Atomicals`)).toHaveProperty(
      'error',
    )
    expect(await nftsOf(page)).not.toContain(id)
  })

  /** What the screen said that a call brought up and the person approved; throws where the call failed unasked. */
  const approveOf = async (call: ReturnType<Dapp['request']>) => {
    const asked = approve(world.wallet)
    return Promise.race([asked, resultOf(call).then(() => asked)])
  }

  const receive = (order: Parameters<typeof inscribe>[2]) => inscribe(world.devnet, address, order)

  const idsListed = async () => {
    type Listed = { list: { inscriptionId: string }[] }
    const { list } = await resultOf<Listed>(dapp.request('getInscriptions', 0, 100))
    return list.map(({ inscriptionId }) => inscriptionId)
  }

  const numberOf = async (id: string): Promise<number> =>
    (await atomicals.ask('blockchain.atomicals.get', id)).result.atomical_number

  const idsAt = async (of: string) =>
    Object.values(await atomicals.coinsOf(of)).flatMap(Object.keys)

  const unitsAt = async (of: string, id: string) =>
    Object.values(await atomicals.coinsOf(of)).reduce((sum, held) => sum + (held[id] ?? 0), 0)

  /** The account's coins with Atomicals, and what is on each, by devnet's index. */
  const holdings = () => atomicals.coinsOf()

  const read = async <T>(path: string) =>
    (await (await fetch(world.devnet.esploraUrl + path)).json()) as T

  const inputsOf = async (txid: string) => {
    const { vin } = await read<{ vin: { txid: string; vout: number }[] }>(`/tx/${txid}`)
    return vin.map(input => `${input.txid}:${input.vout}`)
  }

  const listWaiting = () => read<string[]>('/mempool/txids')

  /** Sats of the account's coins with Atomicals. */
  const sumHeld = async () => {
    type CoinJson = { txid: string; vout: number; value: number }
    const held = await holdings()
    return (await read<CoinJson[]>(`/address/${address}/utxo`))
      .filter(({ txid, vout }) => `${txid}:${vout}` in held)
      .reduce((sum, { value }) => sum + value, 0)
  }

  const breakIndex = (fault: Omit<Fault, 'endpoint'>) =>
    world.admin.addFault({ endpoint: '/atomicals/*', ...fault })

  /** As the wallet stores it; where there is a default, its own screens know no way to have none. */
  const unsetIndex = async () => {
    await world.wallet.evaluateInBackground(async () => {
      const { local } = Object(globalThis).chrome.storage
      const { servers } = await local.get('servers')
      servers.regtest.atomicals = ''
      await local.set({ servers })
    })
    await world.wallet.killBackground()
    await keepChangedRecords(await world.wallet.popup())
    await page.page.reload()
  }
})

/** What stands in a group of the list of coins; nothing when there is no such group. */
function readGroup(page: Screen, title: string): Promise<string> {
  return page.evaluate(
    title =>
      Array.from(document.querySelectorAll('main section'))
        .find(group => group.querySelector('h2')?.textContent === title)
        ?.textContent?.replaceAll('\u00a0', ' ') ?? '',
    title,
  )
}

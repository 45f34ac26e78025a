import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Fault } from '../../../src/devnet/server/faults.ts'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import { inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { startSecondOrd } from '../../fixtures/ordinals/second-ord.ts'
import { fetchCoins, type Owner } from '../../fixtures/psbt/coins.ts'
import { draft, spend } from '../../fixtures/psbt/draft.ts'
import { approve } from '../../fixtures/psbt/trader.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Address of nobody in particular: BIP-173's example program. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** More than a payment of the tests needs, so that a wallet that took it for clean would like to spend it. */
const LURE = 150_000
const CLEAN = 200_000

const NEWS = { timeout: 30_000 }

/** A server that fails is given a rest of at most 75 s. */
const REST_OVER = { timeout: 100_000 }

/** What the index can fail at, and the words for it beside the coins that it says nothing of. */
const SILENCES: { name: string; fault: Omit<Fault, 'endpoint'>; why: string; words: string }[] = [
  {
    name: 'hangs up',
    fault: { drop: true },
    why: 'unanswered',
    words: 'An index does not answer.',
  },
  {
    name: 'is asked too often',
    fault: { status: 429, body: 'slow down' },
    why: 'unanswered',
    words: 'An index does not answer.',
  },
  {
    name: 'lags',
    fault: { staleBlocks: 1 },
    why: 'behind',
    words: 'An index has not reached this block yet.',
  },
]

const DISPUTED = 'What the index says about it contradicts what else is known.'

describe('an index of inscriptions', () => {
  let world: World
  let dapp: Dapp
  let page: Screen
  let gallery: Screen
  let owner: Owner

  beforeAll(async () => {
    world = await startWorld('chromium')
    dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    owner = { address, publicKey: await resultOf<string>(dapp.request('getPublicKey')) }
    for (let coin = 0; coin < 5; coin++) await world.devnet.faucet(address, CLEAN, false)
    await world.devnet.mine()
    gallery = await world.wallet.popup()
    await goTo(gallery, '/inscriptions', 'Inscriptions')
    page = await world.wallet.popup()
    await goTo(page, '/coins', 'Coins')
    await page.waitForText('5 coins')
  })
  afterAll(() => world?.stop())
  afterEach(async () => {
    await world.admin.repair()
    // One that a failed test left would be taken for the next one's.
    while ((await world.wallet.countApprovalWindows()) > 0)
      await (await world.wallet.nextApproval()).reject()
  })

  it.each(SILENCES)(
    'that $name holds back what arrives, with its reason, and nothing that was known before',
    async ({ fault, why, words }) => {
      await world.admin.addFault({ endpoint: '/ord/*', ...fault })
      const [id = ''] = await receive(LURE)
      const arrived = await findCoin(LURE)
      await expect.poll(() => readGroup(page, 'Not checked'), NEWS).toContain(words)
      expect(await readGroup(page, 'Not checked')).toContain('0.0015 BTC')

      const txid = await pay(20_000)
      expect(await listSpent(txid)).not.toContain(`${arrived.txid}:${arrived.vout}`)
      const { sats } = await readFree()
      expect(await dapp.request('sendBitcoin', RECIPIENT, sats, { feeRate: 1 })).toMatchObject({
        error: {
          code: -32000,
          data: { reason: 'COINS_HELD', heldUnknown: String(LURE), unknownWhy: why },
        },
      })
      const sending = await dapp.request('sendInscription', RECIPIENT, id, { feeRate: 2 })
      expect(sending).toMatchObject({ error: { isError: true } })
      expect(JSON.stringify(sending)).toMatch(/BACKEND_UNAVAILABLE|PROTECTED_ASSET|of this account/)
      expect(JSON.stringify(sending)).not.toContain(new URL(world.devnet.url).host)

      // A page that brings the coin itself: the person hears that nobody knows what is on it.
      const psbt = draft([spend(arrived)], [{ address: RECIPIENT, sats: BigInt(LURE - 1_000) }])
      const signing = dapp.request('signPsbt', psbt)
      const approval = await world.wallet.nextApproval()
      const screen = await approval.text()
      expect(screen).toContain('Nobody knows what sits on your coins')
      // Its content is looked for in the transaction that made it, too.
      expect([words, DISPUTED].some(reason => screen.includes(reason))).toBe(true)
      expect(await approval.has('checkbox', 'I may give away what sits on *')).toBe(true)
      await approval.reject()
      expect(await signing).toMatchObject({ error: { code: 4001 } })
      await world.wallet.waitForNoApproval()

      // No news come any more when the index is back, and after failures it is given a rest.
      await world.devnet.mine()
      await waitForQuiet()
      await world.admin.repair()
      await expect
        .poll(() => readGroup(page, 'With inscriptions'), REST_OVER)
        .toContain(await nameOf(id))
      // Tiles are drawn where they are in sight, which a page behind another one is not.
      await gallery.waitForText('1 inscription', REST_OVER.timeout)
      expect((await whereIs(world.devnet, id)).satpoint).toBe(`${arrived.txid}:${arrived.vout}:0`)
      await sendAway(id)
    },
  )

  it('that forgets what it once said is not believed', async () => {
    const [id = ''] = await receive(LURE)
    const before = await whereIs(world.devnet, id)
    await expect.poll(() => readGroup(page, 'With inscriptions'), NEWS).toContain(await nameOf(id))
    await lie()
    await forgetAnswers()
    await expect.poll(() => readGroup(page, 'Not checked'), NEWS).toContain(DISPUTED)
    await assertUntouched(id, before.satpoint)
    await world.admin.repair()
    await world.devnet.mine()
    await expect.poll(() => readGroup(page, 'With inscriptions'), NEWS).toContain(await nameOf(id))
    await sendAway(id)
  })

  it('that never tells of an inscription is found out by the transaction that made it', async () => {
    await lie()
    const [id = ''] = await receive(LURE)
    const { satpoint } = await whereIs(world.devnet, id)
    await assertUntouched(id, satpoint)
    await expect.poll(() => readGroup(page, 'Not checked'), NEWS).toContain(DISPUTED)
    await world.admin.repair()
    await world.devnet.mine()
    await expect.poll(() => readGroup(page, 'With inscriptions'), NEWS).toContain(await nameOf(id))
    await sendAway(id)
  })

  it('that a second one contradicts frees no coin on which they differ', async () => {
    const [id = ''] = await inscribe(world.devnet, null, { body: 'elsewhere' })
    await world.devnet.faucet(owner.address, LURE)
    const { txid, vout } = await findCoin(LURE)
    const second = await startSecondOrd(world.devnet.ordUrl, { outpoint: `${txid}:${vout}`, id })
    await setSecondIndex(second.url)
    await goTo(page, '/coins', 'Coins')
    await expect.poll(() => readGroup(page, 'Not checked'), NEWS).toContain(DISPUTED)
    expect(await readGroup(page, 'Not checked')).toContain('1 coin ')
    expect(await listSpent(await pay(20_000))).not.toContain(`${txid}:${vout}`)
    await second.stop()
  })

  /** Every output is clean, says the index. */
  const lie = async () => {
    for (const endpoint of ['POST /ord/outputs', 'GET /ord/output/*'])
      await world.admin.addFault({ endpoint, merge: { inscriptions: [], runes: {} } })
  }

  const receive = (postage: number) => inscribe(world.devnet, owner.address, { postage })

  /** As another session of the browser does, which has the wallet's memory and none of the index's answers. */
  const forgetAnswers = async () => {
    await world.wallet.evaluateInBackground(() =>
      Object(globalThis).chrome.storage.session.remove('coinAnswers'),
    )
    await world.wallet.killBackground()
    await page.page.reload()
    await page.find('heading', 'Coins')
  }

  /** Until all that came of a block has been heard of, and asked about. */
  const waitForQuiet = async () => {
    const pause = () => new Promise(resolve => setTimeout(resolve, 2000))
    const readNews = () =>
      world.wallet.evaluateInBackground(async () =>
        JSON.stringify(await Object(globalThis).chrome.storage.session.get('live')),
      )
    let before = ''
    for (let news = await readNews(); news !== before; news = await readNews()) {
      before = news
      await pause()
    }
  }

  const findCoin = async (sats: number) => {
    const coins = await fetchCoins(world.devnet.esploraUrl, owner)
    const coin = coins.find(coin => coin.sats === BigInt(sats))
    if (!coin) throw new Error(`No coin of ${sats} sats`)
    return coin
  }

  /** What a page's payment does after the person's approval; gives its txid. Nothing is mined. */
  const pay = async (sats: number) => {
    const paying = dapp.request('sendBitcoin', RECIPIENT, sats, { feeRate: 2 })
    await approve(world.wallet)
    return resultOf<string>(paying)
  }

  const listSpent = async (txid: string) => {
    const { vin } = (await (await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)).json()) as {
      vin: { txid: string; vout: number }[]
    }
    return vin.map(input => `${input.txid}:${input.vout}`)
  }

  /** Sats of all that is not the lure. */
  const readFree = async () => {
    const coins = await fetchCoins(world.devnet.esploraUrl, owner)
    const sats = coins.reduce((sum, coin) => sum + Number(coin.sats), -LURE)
    return { sats }
  }

  /** No payment takes the coin, large enough for it though it is, and no site can have what is on it. */
  const assertUntouched = async (id: string, satpoint: string) => {
    const outpoint = satpoint.replace(/:\d+$/, '')
    const { sats } = await readFree()
    expect(await dapp.request('sendBitcoin', RECIPIENT, sats, { feeRate: 1 })).toMatchObject({
      error: {
        code: -32000,
        data: { reason: 'COINS_HELD', heldUnknown: String(LURE), unknownWhy: 'contradicted' },
      },
    })
    expect(await listSpent(await pay(20_000))).not.toContain(outpoint)
    expect(await dapp.request('sendInscription', RECIPIENT, id, { feeRate: 2 })).toMatchObject({
      error: { code: -32000, data: { reason: 'PROTECTED_ASSET' } },
    })
    expect((await whereIs(world.devnet, id)).satpoint).toBe(satpoint)
  }

  /** So that the next test begins without it. */
  const sendAway = async (id: string) => {
    const sending = dapp.request('sendInscription', RECIPIENT, id, { feeRate: 2 })
    await approve(world.wallet)
    await resultOf(sending)
    await world.devnet.mine()
    await expect.poll(() => readGroup(page, 'With inscriptions'), NEWS).toBe('')
  }

  const nameOf = async (id: string) => `Inscription ${(await whereIs(world.devnet, id)).number}`

  const setSecondIndex = async (url: string) => {
    await goTo(page, '/settings/servers', 'Servers')
    await page.click('button', 'Set: Second index')
    await page.fill('textbox', 'Server', url)
    await page.click('button', 'Check and save')
    await page.find('button', 'Change: Second index', 30_000)
  }
})

/** What stands in a group of the list of coins; nothing when there is no such group. */
function readGroup(page: Screen, title: string): Promise<string> {
  return page.evaluate(
    title =>
      // Rows that are not in sight have no visible text.
      Array.from(document.querySelectorAll('main section'))
        .find(group => group.querySelector('h2')?.textContent === title)
        ?.textContent?.replaceAll('\u00a0', ' ') ?? '',
    title,
  )
}

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import {
  confirmInscribing,
  inscribeOwn,
  readJobs,
  reviewChange,
  stateOf,
  waitForState,
  wordsOf,
  writeInscriptions,
} from '../../driver/inscribing.ts'
import { goTo, tabTo } from '../../driver/own-pages.ts'
import { describeRows, readPictures } from '../../driver/pictures.ts'
import { describeViolations, findViolations } from '../../fixtures/accessibility.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import {
  expectInscribed,
  heightOf,
  listInscribed,
  listMined,
  listWaiting,
  textContent,
} from '../../fixtures/ordinals/mined-inscriptions.ts'
import { drawPixelArt, paintPixelArt } from '../../fixtures/ordinals/pixel-art.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const PICTURE = drawPixelArt(3)
/** As it is drawn among others. */
const DRAWN = describeRows(paintPixelArt(3))
const NODE_WORDS = 'min relay fee not met, 139 < 834'
const NEWS = { timeout: 30_000 }

describe.each(browsersFor('inscribe-page'))(
  'inscribing from the wallet’s own pages in %s',
  browser => {
    let world: World
    let page: Screen
    let address: string
    let above: number

    beforeAll(async () => {
      world = await startWorld(browser)
      const dapp = await world.openConnected()
      address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
      await dapp.close()
      for (let coin = 0; coin < 3; coin++) await world.devnet.faucet(address, 200_000n)
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
    })
    afterAll(() => world?.stop())
    afterEach(() => world.admin.repair())

    /** The server takes so many transactions and says of all after that what a node says whose mempool is full. */
    const refuseAfter = async (taken: number) => {
      const error = JSON.stringify({ code: -26, message: NODE_WORDS })
      const body = `sendrawtransaction RPC error: ${error}`
      await world.admin.addFault({ endpoint: 'POST /api/tx', status: 400, body })
      if (taken > 0)
        await world.admin.addFault({ endpoint: 'POST /api/tx', delay: 1, times: taken })
    }
    const expectAccessible = async () => {
      // What fades in has the colours of neither.
      await expect.poll(() => page.evaluate(countMoving)).toBe(0)
      expect(describeViolations(await findViolations(page.page))).toEqual([])
    }

    it('a picture and a text are seen, priced, confirmed, followed and found', async () => {
      above = await heightOf(world.devnet)
      await goTo(page, '/', 'Wallet')
      await page.click('link', 'Inscribe')
      await page.find('heading', 'Inscribe')
      await expectAccessible()
      const items = [{ file: 'art.png', bytes: PICTURE }, { text: 'Für immer 🧡' }]
      await writeInscriptions(page, items, '3.5')
      await expect.poll(() => page.evaluate(readPictures)).toEqual([{ label: 'art.png', ...DRAWN }])
      await expectAccessible()
      await page.click('button', wordsOf('sendReview'))
      await page.find('heading', 'You inscribe 2 inscriptions for *')
      await expect.poll(() => page.evaluate(readPictures)).toEqual([{ label: null, ...DRAWN }])
      await expectAccessible()
      const review = await page.waitForText('Für immer 🧡')
      const jobId = await confirmInscribing(page)
      await waitForState(page, 'waiting')
      await page.find('progressbar', wordsOf('jobItems'))
      await expectAccessible()
      expect(await listWaiting(world.devnet)).toHaveLength(3)

      await page.click('button', wordsOf('commonDone'))
      await page.find('heading', 'Wallet')
      await page.click(
        'link',
        wordsOf('jobHomeOpen').replace('{state}', `${wordsOf('jobWaiting')}*`),
      )
      await waitForState(page, 'waiting')
      await page.click('button', wordsOf('commonBack'))
      await page.find('list', wordsOf('jobsOpen'))
      await expectAccessible()
      await page.click('link', `2 inscriptions ${wordsOf('jobWaiting')}*`)

      await world.devnet.mine()
      await waitForState(page, 'done')
      await page.find('heading', wordsOf('jobDone'))
      const contents = [{ type: 'image/png', body: PICTURE }, textContent('Für immer 🧡')]
      await expectInscribed(world.devnet, { above, address, contents })
      const [commit, ...reveals] = await listMined(world.devnet, above)
      for (const { fee, vsize } of [commit, ...reveals].flatMap(one => one ?? []))
        expect(fee).toBe(Math.ceil(vsize * 3.5))
      const [reveal, other] = reveals.map(({ fee }) => fee)
      const paid = (commit?.fee ?? 0) + (reveal ?? 0) + (other ?? 0)
      for (const sats of [paid, commit?.fee ?? 0, (reveal ?? 0) + (other ?? 0), 1092])
        expect(review).toContain(`${sats.toLocaleString('en')} sats`)
      expect(review).toContain('3.5 sat/vB')

      const ids = (await listInscribed(world.devnet, above)).toSorted()
      await expect
        .poll(async () => (await page.evaluate(listItemLinks)).toSorted())
        .toEqual(ids.map(id => `#/inscriptions/${id}`))
      await page.click('button', wordsOf('jobSeeAll'))
      await page.find('heading', wordsOf('inscriptionsTitle'))
      for (const id of ids) await page.page.waitForSelector(`a[href$="${id}"]`)
      await goTo(page, `/inscribe/jobs/${jobId}`, wordsOf('jobDone'))
      await page.click('button', wordsOf('commonBack'))
      await page.find('list', wordsOf('jobsOver'))
      await expect.poll(() => page.has('list', wordsOf('jobsOpen')), NEWS).toBe(false)
    })

    it('one that the node refuses says so everywhere, and its money is taken back', async () => {
      above = await heightOf(world.devnet)
      await refuseAfter(2)
      await inscribeOwn(page, [{ text: 'first' }, { text: 'second' }, { text: 'third' }], '2')
      await waitForState(page, 'stuck')
      await page.waitForText(wordsOf('jobProblemRefused'))
      await page.waitForText(wordsOf('jobProblemRefusedNote'))
      await page.click('button', wordsOf('serverAnswer'))
      await page.waitForText(NODE_WORDS)
      await expectAccessible()
      await goTo(page, '/', 'Wallet')
      await page.find('link', `${wordsOf('jobHomeStuck')}*`)
      await expectAccessible()
      await page.click('link', `${wordsOf('jobHomeStuck')}*`)
      await waitForState(page, 'stuck')
      await page.click('button', wordsOf('commonBack'))
      await page.click('link', `3 inscriptions ${wordsOf('jobStuck')}*`)
      await waitForState(page, 'stuck')

      const review = await reviewChange(page, 'refund', '6')
      expect(review).toMatch(/You take [\d,]+ sats back and give up 3 inscriptions/)
      await world.admin.repair()
      await confirmInscribing(page)
      await waitForState(page, 'refunding')
      await expectAccessible()
      expect(await listWaiting(world.devnet)).toHaveLength(2)
      await world.devnet.mine()
      await waitForState(page, 'refunded')
      await goTo(page, '/', 'Wallet')
      await expect.poll(() => page.has('list', wordsOf('jobsTitle')), NEWS).toBe(false)
      await expectInscribed(world.devnet, { above, address, contents: [] })
      const [commit, refund, ...others] = await listMined(world.devnet, above)
      expect(others).toEqual([])
      expect(refund?.inputs.toSorted()).toEqual([0, 1, 2].map(vout => `${commit?.txid}:${vout}`))
      expect(refund?.outputs.map(output => output.address)).toEqual([address])
      expect(refund?.fee).toBe(Math.ceil((refund?.vsize ?? 0) * 6))
      const [back] = refund?.outputs ?? []
      expect(review).toContain(`You take ${back?.sats.toLocaleString('en')} sats back`)
    })

    it('one whose commit no block has is paid more for as a whole', async () => {
      above = await heightOf(world.devnet)
      await refuseAfter(2)
      const jobId = await inscribeOwn(page, [{ text: 'one' }, { text: 'two' }], '1')
      await waitForState(page, 'stuck')
      const old = await listWaiting(world.devnet)
      expect(old).toHaveLength(2)
      const review = await reviewChange(page, 'bump', '9')
      expect(review).toMatch(/You pay [\d,]+ sats more to bring 2 inscriptions into a block sooner/)
      await world.admin.repair()
      await confirmInscribing(page)
      await waitForState(page, 'waiting')
      const anew = await listWaiting(world.devnet)
      expect(anew).toHaveLength(3)
      expect(anew.filter(txid => old.includes(txid))).toEqual([])
      await expectPaid(jobId, ['one', 'two'], 9)
      expect(await listMined(world.devnet, above)).toHaveLength(3)
    })

    it('one whose commit a block has is paid more for with another coin', async () => {
      await refuseAfter(1)
      const jobId = await inscribeOwn(page, [{ text: 'late' }], '1')
      await waitForState(page, 'stuck')
      await world.devnet.mine()
      await page.waitForText('In a block')
      above = await heightOf(world.devnet)
      await reviewChange(page, 'bump', '8')
      await world.admin.repair()
      await confirmInscribing(page)
      await waitForState(page, 'waiting')
      await expectPaid(jobId, ['late'], 8)
      const [reveal, ...others] = await listMined(world.devnet, above)
      expect(others).toEqual([])
      expect(reveal?.inputs).toHaveLength(2)
      expect(reveal?.outputs[0]).toEqual({ address, sats: 546 })
    })

    it('one that the node refuses from the start costs nothing, and is forgotten', async () => {
      above = await heightOf(world.devnet)
      await refuseAfter(0)
      await inscribeOwn(page, [{ text: 'never' }], '2')
      await waitForState(page, 'stuck')
      await world.admin.repair()
      await page.click('button', `${wordsOf('jobDiscard')}*`)
      await page.find('dialog')
      await expectAccessible()
      await page.click('button', wordsOf('jobDiscard'))
      await page.find('heading', wordsOf('jobsTitle'))
      await expect.poll(() => page.has('list', wordsOf('jobsOpen')), NEWS).toBe(false)
      expect(await listWaiting(world.devnet)).toEqual([])
      await world.devnet.mine()
      expect(await listMined(world.devnet, above)).toEqual([])
    })

    it('one that the node refuses from the start goes on once the person tries again', async () => {
      above = await heightOf(world.devnet)
      await refuseAfter(0)
      await inscribeOwn(page, [{ text: 'again' }], '2')
      await waitForState(page, 'stuck')
      expect(await listWaiting(world.devnet)).toEqual([])
      await world.admin.repair()
      await page.click('button', `${wordsOf('jobResume')}*`)
      await waitForState(page, 'waiting')
      await world.devnet.mine()
      await waitForState(page, 'done')
      await expectInscribed(world.devnet, { above, address, contents: [textContent('again')] })
      expect(await listMined(world.devnet, above)).toHaveLength(2)
    })

    it.runIf(browser === 'chromium')('a text is inscribed without a mouse', async () => {
      above = await heightOf(world.devnet)
      await goTo(page, '/', 'Wallet')
      const { keyboard } = page.page
      await page.page.bringToFront()
      await tabTo(page, 'link', 'Inscribe')
      await keyboard.press('Enter')
      await tabTo(page, 'button', `${wordsOf('inscribeFormText')}*`)
      await keyboard.press('Enter')
      await page.find('textbox', 'Text')
      await keyboard.type('by keyboard')
      await tabTo(page, 'button', wordsOf('sendReview'))
      await keyboard.press('Enter')
      await page.find('heading', 'You inscribe a text for *')
      await tabTo(page, 'button', 'Inscribe')
      await keyboard.press('Space')
      await expect.poll(() => stateOf(page), NEWS).toBe('waiting')
      await world.devnet.mine()
      await waitForState(page, 'done')
      await tabTo(page, 'button', wordsOf('jobSee'))
      await keyboard.press('Enter')
      await page.waitForText('by keyboard')
      await expectInscribed(world.devnet, {
        above,
        address,
        contents: [textContent('by keyboard')],
      })
    })

    /** Mines what waits, which is to pay this rate at least, and looks at what came of it. */
    const expectPaid = async (jobId: string, texts: readonly string[], feeRate: number) => {
      const height = await heightOf(world.devnet)
      await world.devnet.mine()
      await waitForState(page, 'done')
      const contents = texts.map(text => textContent(text))
      await expectInscribed(world.devnet, { above: height, address, contents })
      const mined = await listMined(world.devnet, height)
      for (const { fee, vsize } of mined) expect(fee).toBeGreaterThanOrEqual(vsize * feeRate)
      const fees = mined.reduce((sum, { fee }) => sum + fee, 0)
      const job = (await readJobs(world.wallet)).find(({ id }) => id === jobId)
      expect(job?.fate).toBe('open')
      await page.waitForText(fees.toLocaleString('en'))
    }
  },
)

/** Runs on the screen of a job. */
function listItemLinks() {
  return Array.from(
    document.querySelectorAll('main ol > li > a[href^="#"]'),
    link => link.getAttribute('href') ?? '',
  )
}

/** Runs in the page: what moves and will come to rest. */
function countMoving() {
  return document.getAnimations().filter(({ playState, effect }) => {
    const { endTime } = effect?.getComputedTiming() ?? {}
    return playState === 'running' && endTime !== Infinity
  }).length
}

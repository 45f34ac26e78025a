import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { inscribeOwn, wordsOf, writeFeeRate } from '../../driver/inscribing.ts'
import { goTo } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { heightOf, listMined, listWaiting } from '../../fixtures/ordinals/mined-inscriptions.ts'
import { PASSWORD, resultOf, startWorld, WORDS, type World } from '../../fixtures/world.ts'

const TEXTS = ['never to be revealed', 'nor this']

describe.each(browsersFor('commit-recovery'))(
  'a commit whose reveals never come, in %s',
  browser => {
    let world: World
    /** Another profile with the same words, which has no job of it. */
    let elsewhere: Wallet
    let page: Screen
    let address: string
    let commitTxid: string

    beforeAll(async () => {
      world = await startWorld(browser)
      const dapp = await world.openConnected()
      address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
      await world.devnet.faucet(address, 200_000n)
      const { esploraUrl } = world.devnet
      elsewhere = await launch({ browser })
      await elsewhere.setUpOnRegtest({ words: WORDS, password: PASSWORD, esploraUrl })
    })
    afterAll(async () => {
      await elsewhere?.close()
      await world?.stop()
    })

    it('is left when the browser ends before the server has the reveals', async () => {
      page = await world.wallet.popup()
      await page.find('region', 'Balance')
      const refusal = { endpoint: 'POST /api/tx', status: 503, body: 'down' }
      await world.admin.addFault(refusal)
      await world.admin.addFault({ endpoint: 'POST /api/tx', delay: 1, times: 1 })
      await inscribeOwn(
        page,
        TEXTS.map(text => ({ text })),
        '2',
      )
      await expect.poll(() => listWaiting(world.devnet)).toHaveLength(1)
      ;[commitTxid = ''] = await listWaiting(world.devnet)
      await world.wallet.close()
      await world.admin.repair()
      await world.devnet.mine()
      expect(await listWaiting(world.devnet)).toEqual([])
    })

    it('is not found by another text, nor by a transaction that is none', async () => {
      page = await elsewhere.popup()
      await page.find('region', 'Balance')
      await goTo(page, '/inscribe/recover', wordsOf('commitRefund'))
      await page.fill('textbox', wordsOf('commitRefundTxid'), commitTxid)
      await page.fill('textbox', wordsOf('commitRefundText'), 'never to be revealed!')
      await page.click('button', wordsOf('commitRefundLook'))
      await page.waitForText(wordsOf('commitRefundNoMatch'))
      await page.fill('textbox', wordsOf('commitRefundTxid'), '00'.repeat(32))
      await page.click('button', wordsOf('commitRefundLook'))
      await page.waitForText(wordsOf('commitRefundNoTransaction'))
    })

    it('is found by a text alone in the account’s transactions, and its money taken back', async () => {
      const above = await heightOf(world.devnet)
      await page.fill('textbox', wordsOf('commitRefundTxid'), ' ')
      await page.fill('textbox', wordsOf('commitRefundText'), TEXTS[0] ?? '')
      await page.click('button', wordsOf('commitRefundLook'))
      await page.waitForText('in 1 output can come back')
      await writeFeeRate(page, '2')
      await page.click('button', wordsOf('sendReview'))
      await page.find('heading', 'You take *')
      await page.clickTestId('approve')
      await page.waitForText('Pending')
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
      const [refund, ...others] = await listMined(world.devnet, above)
      expect(others).toEqual([])
      expect(refund?.inputs).toEqual([`${commitTxid}:0`])
      expect(refund?.outputs.map(output => output.address)).toEqual([address])
      expect(refund?.fee).toBe(Math.ceil((refund?.vsize ?? 0) * 2))
    })

    it('has nothing more to give for that text, and the rest for the other', async () => {
      const above = await heightOf(world.devnet)
      await goTo(page, '/inscribe/recover', wordsOf('commitRefund'))
      await page.fill('textbox', wordsOf('commitRefundTxid'), commitTxid)
      await page.fill('textbox', wordsOf('commitRefundText'), TEXTS[0] ?? '')
      await page.click('button', wordsOf('commitRefundLook'))
      await page.waitForText(wordsOf('commitRefundSpent'))
      await page.fill('textbox', wordsOf('commitRefundText'), TEXTS[1] ?? '')
      await page.click('button', wordsOf('commitRefundLook'))
      await page.waitForText('in 1 output can come back')
      await writeFeeRate(page, '3')
      await page.click('button', wordsOf('sendReview'))
      await page.clickTestId('approve')
      await page.waitForText('Pending')
      await world.devnet.mine()
      await page.waitForText('1 confirmation')
      const [refund] = await listMined(world.devnet, above)
      expect(refund?.inputs).toEqual([`${commitTxid}:1`])
    })
  },
)

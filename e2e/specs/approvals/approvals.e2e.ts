import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  keyMaterialOf,
  referenceContextHash,
} from '../../../src/bitcoin/testing/context-hash-reference.ts'
import { campaign } from '../../../testing/campaigns.ts'
import type { Approval } from '../../driver/approval.ts'
import type { Wallet } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
import { startDappServer } from '../../fixtures/dapp-server.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, resultOf, startWorld, WORDS, type World } from '../../fixtures/world.ts'

const REJECTED = { error: { code: 4001, message: 'User rejected the request.', isError: true } }

const ROUNDS = campaign('requests one after the other').count

describe.each(browsersFor('approvals'))(
  'in %s, a request settles as the error table says when',
  browser => {
    let world: World

    beforeAll(async () => {
      world = await startWorld(browser)
    })
    afterAll(() => world?.stop())

    it('the person rejects', async () => {
      const dapp = await world.openConnected()
      const asking = dapp.request('signMessage', 'hello')
      await (await world.wallet.nextApproval()).reject()
      expect(await asking).toMatchObject(REJECTED)
      await world.wallet.waitForNoApproval()
    })

    it('the person gives a secret: the one that the specification gives for these words', async () => {
      const dapp = await world.openConnected()
      const appName = 'babylon-btc-vault'
      const context = 'c0ffee'.repeat(24)
      const asking = dapp.request('deriveContextHash', appName, context)
      const approval = await world.wallet.nextApproval()
      expect(approval.title).toContain('a secret')
      const shown = await approval.text()
      for (const text of [
        appName,
        new URL(world.site).origin,
        '72 bytes',
        'Any site can call itself',
      ])
        expect(shown).toContain(text)
      await approval.approve()
      const { result: publicKey } = Object(await dapp.request('getPublicKey'))
      const keyMaterial = keyMaterialOf(WORDS)
      const networkName = 'bitcoin-regtest'
      expect(await asking).toEqual({
        result: referenceContextHash({ keyMaterial, appName, networkName, publicKey, context }),
      })
      await world.wallet.waitForNoApproval()
    })

    it('what it takes a moment to work out is shown as that: rejected at once, then asked, then failed', async () => {
      const dapp = await world.openConnected()
      const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
      await world.devnet.faucet(address, 54_600n)
      await world.admin.addFault({ endpoint: '/api/v1/fees/*', delay: 3_000 })
      const rejected = dapp.request('sendBitcoin', address, 10_000)
      const early = await world.wallet.nextPreparing()
      const shown = await early.waitForText('Checking this request')
      expect(shown).toContain(new URL(world.site).origin)
      expect(await early.has('button', 'Approve')).toBe(false)
      await early.click('button', 'Reject')
      expect(await rejected).toMatchObject(REJECTED)

      const paid = dapp.request('sendBitcoin', address, 11_000)
      await world.wallet.nextPreparing()
      const approval = await world.wallet.nextApproval()
      expect(approval.title).toContain('0.00011 BTC')
      await approval.approve()
      expect(await paid).toHaveProperty('result')

      const failed = dapp.request('sendBitcoin', address, 5_000_000)
      const last = await world.wallet.nextPreparing()
      await last.waitForText('The request failed')
      await last.waitForText('Not enough')
      expect(await failed).toMatchObject({ error: { data: { reason: 'INSUFFICIENT_FUNDS' } } })
      await world.wallet.waitForNoApproval()
      await world.admin.repair()
    })

    it(
      'requests come one after the other, at once or in the moment in which the window closes: none is lost',
      async () => {
        const dapp = await world.openConnected()
        const waits = { reused: [] as number[], opened: [] as number[] }
        for (let round = 0; round < ROUNDS; round++) {
          const text = `This is round ${round} of ${ROUNDS}.`
          const asked = Date.now()
          const asking = dapp.request('signMessage', text)
          const approval = await findApproval(world.wallet, text)
          const isReused = round > 0 && pauseAfter(round - 1) < LINGER_MS
          waits[isReused ? 'reused' : 'opened'].push(Date.now() - asked)
          if (round % 3 === 0) {
            await approval.approve({ settle: false })
            expect(await asking).toHaveProperty('result')
          } else {
            await approval.reject({ settle: false })
            expect(await asking).toMatchObject(REJECTED)
          }
          await new Promise(resolve => setTimeout(resolve, pauseAfter(round)))
        }
        for (const [kind, all] of Object.entries(waits)) {
          all.sort((a, b) => a - b)
          console.info(`window ${kind}: ${all[all.length >> 1]} ms, at most ${all.at(-1)} ms`)
        }
        await world.wallet.waitForNoApproval()
      },
      60_000 + ROUNDS * 4_000,
    )

    it('nobody decides by accident: Approve rests when the window is looked at again, and Enter does nothing', async () => {
      const dapp = await world.openConnected()
      const asking = dapp.request('signMessage', 'hello')
      const approval = await world.wallet.nextApproval()
      await approval.ready()
      expect(await approval.evaluate(isApproveRestingAfterFocus)).toBe(true)
      await approval.page.bringToFront()
      await approval.page.keyboard.press('Enter')
      await approval.ready()
      await approval.page.keyboard.press('Enter')
      expect(await approval.textOf('approve')).not.toBeNull()
      await approval.reject()
      expect(await asking).toMatchObject(REJECTED)
      await world.wallet.waitForNoApproval()
    })

    it('the window is closed', async () => {
      const dapp = await world.openConnected()
      const asking = dapp.request('signMessage', 'hello')
      await (await world.wallet.nextApproval()).close()
      expect(await asking).toMatchObject(REJECTED)
    })

    it('the window is closed while the background is stopped', async () => {
      const { wallet } = world
      const dapp = await world.openConnected()
      const asking = dapp.request('signMessage', 'hello')
      const approval = await wallet.nextApproval()
      await wallet.killBackground()
      await approval.close()
      expect(await asking).toMatchObject(REJECTED)
    })

    it('the background is stopped while the window is open, and the person approves then', async () => {
      const { wallet } = world
      const dapp = await world.openConnected()
      const asking = dapp.request('signMessage', 'hello')
      const approval = await wallet.nextApproval()
      await wallet.killBackground()
      await approval.approve()
      expect(await asking).toHaveProperty('result')
      expect(await wallet.countApprovalWindows()).toBeLessThanOrEqual(1)
      await wallet.waitForNoApproval()
    })

    it('the wallet is locked: it waits for the unlock and goes on', async () => {
      const { wallet } = world
      const dapp = await world.openConnected()
      await wallet.lock()
      expect(await dapp.request('getAccounts')).toEqual({ result: [] })
      expect(await dapp.request('getBalance')).toMatchObject({ error: { code: 4100 } })
      const asking = dapp.request('signMessage', 'hello')
      const unlocking = await wallet.nextApproval()
      await unlocking.fill('textbox', 'Password', PASSWORD)
      await unlocking.click('button', 'Unlock')
      await unlocking.waitForText('hello', 30_000)
      await (await wallet.nextApproval()).approve()
      expect(await asking).toHaveProperty('result')
      await wallet.waitForNoApproval()
    })

    it('the account is switched, or the site disconnected, while the window is open', async () => {
      const { wallet } = world
      const dapp = await world.openConnected()
      const switched = dapp.request('signMessage', 'hello')
      await wallet.nextApproval()
      await wallet.chooseAccount('Account 2 Native')
      expect(await switched).toMatchObject({ error: { code: 4100 } })
      await wallet.waitForNoApproval()
      await wallet.chooseAccount('Account 1 Taproot')

      const revoked = dapp.request('signMessage', 'hello')
      await wallet.nextApproval()
      await dapp.request('disconnect')
      expect(await revoked).toMatchObject({ error: { code: 4100 } })
      await wallet.waitForNoApproval()
    })

    it('the tab leaves: the question goes away, and nothing is delivered to the next page', async () => {
      const { wallet } = world
      const dapp = await world.openConnected()
      void dapp.request('signMessage', 'hello')
      await wallet.nextApproval()
      await dapp.evaluate(url => {
        location.href = url
      }, `${world.otherSite}plain.html`)
      await wallet.waitForNoApproval()
      await expect
        .poll(() => dapp.evaluate(() => location.hostname).catch(() => ''))
        .toBe('localhost')
      expect(await dapp.request('getAccounts')).toEqual({ result: [] })
    })

    it('10,000 come from three sites at once: all settle, one window at most', async () => {
      const { wallet, site, otherSite } = world
      const third = await startDappServer({ pages: { '/plain.html': '<title>Third</title>' } })
      const pages = []
      for (const at of [site, otherSite, third.url]) pages.push(await world.openConnected(at))
      const floods = pages.map((dapp, index) =>
        dapp.evaluate(async count => {
          const codes: { [code: string]: number } = {}
          const ask = async (number: number) => {
            try {
              await Object(window).satchel.bitcoin.signMessage(`message ${number}`)
              codes.signed = (codes.signed ?? 0) + 1
            } catch (error) {
              const { code } = Object(error)
              codes[code] = (codes[code] ?? 0) + 1
            }
          }
          await Promise.all(Array.from({ length: count }, (_, number) => ask(number)))
          return codes
        }, [3334, 3333, 3333][index] ?? 0),
      )
      const approval = await wallet.nextApproval({ timeout: 60_000 })
      expect(await wallet.countApprovalWindows()).toBe(1)
      // Everything but what waits for the person is answered while the window is open.
      await new Promise(resolve => setTimeout(resolve, 3000))
      expect(await wallet.countApprovalWindows()).toBe(1)
      await approval.close()
      const codes = await Promise.all(floods)
      const totals: { [code: string]: number } = {}
      for (const counts of codes) {
        for (const [code, count] of Object.entries(counts))
          totals[code] = (totals[code] ?? 0) + count
      }
      expect(Object.values(totals).reduce((a, b) => a + b, 0)).toBe(10_000)
      expect(totals['4001']).toBe(15)
      // Which of the two refusals a call meets depends on how fast the browser hands them over.
      expect((totals['-32002'] ?? 0) + (totals['-32005'] ?? 0)).toBe(10_000 - 15)
      await third.stop()
      await wallet.waitForNoApproval()
    })
  },
)

/** How long the window stays after an answer. */
const LINGER_MS = 900

/** Two rounds in three come when the window is about to close, the others at any moment. */
function pauseAfter(round: number): number {
  return round % 3 === 2 ? (round * 389) % 1500 : 840 + ((round * 37) % 120)
}

/** The approval that shows this text. */
function findApproval(wallet: Wallet, text: string): Promise<Approval> {
  return poll(`"${text}" to be shown`, 20_000, async () => {
    const approval = await wallet.nextApproval()
    const shown = await approval.text().catch(() => '')
    return shown.includes(text) ? approval : null
  })
}

/** Runs in the window, all of it between two of its frames and the next: no clock decides. */
async function isApproveRestingAfterFocus(): Promise<boolean> {
  dispatchEvent(new Event('focus'))
  await new Promise(resolve => setTimeout(resolve))
  return document.querySelector('[data-testid="approve"]:disabled') !== null
}

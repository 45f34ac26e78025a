import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MintResult } from '../../../src/provider/inscribe-params.ts'
import type { Dapp } from '../../driver/driver.ts'
import type { HangPoint } from '../../driver/hang-point.ts'
import { readJobs, wordsOf } from '../../driver/inscribing.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor, pointsFor } from '../../fixtures/flows.ts'
import {
  expectInscribed,
  expectMinted,
  heightOf,
  listMined,
  listWaiting,
  textContent,
} from '../../fixtures/ordinals/mined-inscriptions.ts'
import { forgetRequests, PASSWORD, resultOf, startWorld, type World } from '../../fixtures/world.ts'

const FEE_RATE = 2

/** One commit and five reveals. */
const TRANSACTIONS = 6

const STORED = { call: 'storage.local.set', containing: '"jobs":[' } as const
const ASKED = { call: 'storage.session.set' } as const
const BROADCAST = { call: 'fetch', containing: '/api/tx"' } as const

/** Where the background is stopped for good, and whether the person has approved by then. */
const KILLED: { [name: string]: HangPoint & { approved: boolean } } = {
  'it is worked out': { ...ASKED, containing: '"plan":{', when: 'after', approved: false },
  'it is approved': { ...ASKED, containing: '"approvedDigest":"', when: 'after', approved: true },
  'all is signed': { ...STORED, when: 'before', approved: true },
  'the job is stored': { ...STORED, when: 'after', approved: true },
  'the answer is stored': { ...ASKED, containing: '"signed":{', when: 'after', approved: true },
  'the commit goes out': { ...BROADCAST, when: 'before', approved: true },
  'the commit is taken': { ...BROADCAST, when: 'after', approved: true },
  'the third reveal goes out': { ...BROADCAST, nth: 4, when: 'before', approved: true },
  'two reveals are noted': { ...STORED, nth: 6, when: 'after', approved: true },
  'the last reveal is taken': { ...BROADCAST, nth: 6, when: 'after', approved: true },
}

/** Where the whole browser is ended, and whether what was approved is inscribed all the same. */
const ENDED: { [name: string]: HangPoint & { inscribed: boolean } } = {
  'all is signed': { ...STORED, when: 'before', inscribed: false },
  'the job is stored': { ...STORED, when: 'after', inscribed: true },
  'the commit is taken': { ...BROADCAST, when: 'after', inscribed: true },
}

/** What `npm test` tries of them: before the approval, between two transactions, and with a part of them noted. */
const QUICK = ['it is worked out', 'the commit is taken', 'two reveals are noted']
const QUICK_ENDED = ['the job is stored']

describe.each(browsersFor('mint-kill'))('in %s, five texts that a page inscribes', browser => {
  const killed = pointsFor(KILLED, QUICK)
  const ended = pointsFor(ENDED, QUICK_ENDED)
  const profileDir = mkdtempSync(join(tmpdir(), 'satchel-killed-'))
  let world: World
  let dapp: Dapp
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser, { profileDir, hooks: true })
    dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    for (let coin = 0; coin < 3; coin++) await world.devnet.faucet(address, 100_000n)
  })
  afterAll(async () => {
    await world?.stop()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5 })
  })

  /** Asks for five texts, and gives the answer to be once the background hangs at the point. */
  const mintUntil = async (name: string, point: HangPoint, approved: boolean) => {
    const texts = Array.from({ length: 5 }, (_, i) => `${name}, ${i}`)
    const above = await heightOf(world.devnet)
    await forgetRequests(world.wallet)
    const hang = await world.wallet.hangBackground(point)
    const inscriptions = texts.map(body => ({ body }))
    const minting = dapp.request('mint', {
      ...{ type: 61, from: address, inscriptions, feeRate: FEE_RATE },
    })
    if (approved) await (await world.wallet.nextApproval()).approve({ settle: false })
    await hang.reached()
    const contents = texts.map(text => textContent(text))
    return { minting, order: { above, address, feeRate: FEE_RATE, contents } }
  }

  it.each(killed)(
    'are inscribed once each though the background is killed when %s',
    async (name, { approved, ...point }) => {
      const { wallet, devnet } = world
      const { minting, order } = await mintUntil(`killed when ${name}`, point, approved)
      await wallet.killBackground()

      if (!approved) await (await wallet.nextApproval()).approve()
      const result = await resultOf<MintResult>(minting)
      expect(await wallet.countApprovalWindows()).toBeLessThanOrEqual(1)
      await wallet.waitForNoApproval()
      await devnet.mine()
      await expectMinted(devnet, result, order)
      expect(await listWaiting(devnet)).toEqual([])
    },
  )

  it.each(ended)(
    'are inscribed once each or not at all though the browser ends when %s',
    async (name, { inscribed, ...point }) => {
      const { devnet } = world
      const known = (await readJobs(world.wallet)).length
      const { order } = await mintUntil(`ended when ${name}`, point, true)
      await world.restartBrowser()

      // Nobody has unlocked the wallet by now: everything was signed before. What a busy machine answers too late is tried
      // again after a minute, at the next alarm of each half.
      if (inscribed)
        await expect.poll(() => listWaiting(devnet), { timeout: 90_000 }).toHaveLength(TRANSACTIONS)
      await devnet.mine()
      await world.wallet.unlock(PASSWORD)
      dapp = await world.openConnected()
      expect(await readJobs(world.wallet)).toHaveLength(known + (inscribed ? 1 : 0))
      expect(await listWaiting(devnet)).toEqual([])
      expect(await listMined(devnet, order.above)).toHaveLength(inscribed ? TRANSACTIONS : 0)
      await expectInscribed(devnet, { ...order, contents: inscribed ? order.contents : [] })
    },
  )

  it('are all told to be in the chain, as many jobs as there were payments', async () => {
    const jobs = await readJobs(world.wallet)
    const inscribed = ended.filter(([, point]) => point.inscribed)
    expect(jobs).toHaveLength(killed.length + inscribed.length)
    const page = await world.wallet.popup()
    await page.find('region', 'Balance')
    for (const { id } of jobs) {
      await goTo(page, `/inscribe/jobs/${id}`, wordsOf('jobDone'))
      await page.find('progressbar', wordsOf('jobItems'))
    }
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { moveClock } from '../../driver/hooked-extension.ts'
import { goTo } from '../../driver/own-pages.ts'
import {
  type NameServer,
  startNameServer,
  whyNoNameServer,
} from '../../fixtures/dns/name-server.ts'
import type { Zone } from '../../fixtures/dns/signed-zones.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const missing = whyNoNameServer()

/** Addresses of nobody in particular: BIP-173's example program, and another one. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const NEXT_ALICE = 'bcrt1q6rz28mcfaxtmd6v789l9rrlrusdprr9pz3cppk'

const pay = (address: string) => `alice.user._bitcoin-payment TXT "bitcoin:?bcrt=${address}"`
const zonesWith = (address: string): Zone[] => [
  { name: '', algorithm: 'ECDSAP256SHA256' },
  { name: 'test', algorithm: 'ECDSAP256SHA256' },
  { name: 'signed.test', algorithm: 'ECDSAP256SHA256', records: [pay(address)] },
  { name: 'unsigned.test', algorithm: null, records: [pay(address)] },
]

describe.skipIf(missing !== null)(`paying by name (${missing ?? 'BIND is there'})`, () => {
  let world: World
  let names: NameServer
  let page: Screen

  beforeAll(async () => {
    names = await startNameServer(zonesWith(ALICE))
    world = await startWorld('chromium', { hooks: true })
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await world.devnet.faucet(address, 500_000n)
    page = await world.wallet.popup()
  })
  afterAll(async () => {
    await world?.stop()
    await names?.stop()
  })

  const enter = async (name: string) => {
    await goTo(page, '/send', 'Send')
    await page.fill('textbox', 'To', name)
    await page.fill('textbox', 'Amount', '0.0002')
  }

  it('asks nobody before a server is chosen, and says where to choose one', async () => {
    await enter('alice@signed.test')
    await page.waitForText('first choose a DNS server')
    expect(names.asked).toEqual([])
  })

  it('is set up in Settings', async () => {
    await goTo(page, '/settings/servers', 'Servers')
    await page.click('button', 'Set: Names (DNS over HTTPS)')
    await page.fill('textbox', 'Server', names.url)
    await page.click('button', 'Check and save')
    await page.waitForText('/dns-query')
    await page.waitForText('Looks up names such as')
  })

  it('shows the address that a name leads to, and the review both; it is paid', async () => {
    await enter('₿alice@signed.test')
    await page.waitForText('checked by DNSSEC')
    await page.click('button', 'Review')
    const review = await page.waitForText('leads to this address now')
    expect(review).toContain('₿alice@signed.test')
    expect(review.replaceAll(/\s/g, '')).toContain(ALICE)
    await page.click('button', 'Send')
    await page.waitForText('Sent')
  })

  it('is saved as a contact after that, and asked anew when the contact is paid', async () => {
    await page.click('button', 'Save as contact')
    expect(await page.valueOf('textbox', 'Bitcoin address*')).toBe('₿alice@signed.test')
    await page.fill('textbox', 'Name', 'Alice')
    await page.click('button', 'Save')
    await page.waitForText('Saved as Alice')
    await goTo(page, '/', 'Wallet')
    await goTo(page, '/send', 'Send')
    await page.click('button', 'Choose a recipient*')
    await page.click('button', 'Alice*')
    await page.waitForText('checked by DNSSEC')
    await page.fill('textbox', 'Amount', '0.0002')
    await page.click('button', 'Review')
    const review = await page.waitForText('leads to this address now')
    expect(review).toContain('Alice')
    expect(review.replaceAll(/\s/g, '')).toContain(ALICE)
    await goTo(page, '/', 'Wallet')
  })

  it('refuses a name that is not signed, in words', async () => {
    await enter('alice@unsigned.test')
    await page.waitForText('is not signed (DNSSEC)')
    await page.click('button', 'Review')
    await page.waitForText('Ask for an address')
  })

  it('refuses what was reviewed when the name leads elsewhere by the time of the approval', async () => {
    await enter('alice@signed.test')
    await page.click('button', 'Review')
    await page.waitForText('leads to this address now')
    await names.setZones(zonesWith(NEXT_ALICE))
    await world.wallet.evaluateInBackground(moveClock, 301_000)
    await page.click('button', 'Send')
    await page.waitForText('nothing was signed')
    await page.click('button', 'Edit')
    await page.click('button', 'Review')
    const review = await page.waitForText('leads to this address now')
    expect(review.replaceAll(/\s/g, '')).toContain(NEXT_ALICE)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/driver.ts'
import { goTo } from '../../driver/own-pages.ts'
import {
  type NameServer,
  startNameServer,
  whyNoNameServer,
} from '../../fixtures/dns/name-server.ts'
import type { Zone } from '../../fixtures/dns/signed-zones.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const missing = whyNoNameServer()

/** Address of nobody in particular: BIP-173's example program. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

const ZONES: Zone[] = [
  { name: '', algorithm: 'ECDSAP256SHA256' },
  { name: 'test', algorithm: 'ECDSAP256SHA256' },
  {
    name: 'signed.test',
    algorithm: 'ECDSAP256SHA256',
    records: [`alice.user._bitcoin-payment TXT "bitcoin:?bcrt=${ALICE}"`],
  },
]

describe.skipIf(missing !== null)(`paying by name (${missing ?? 'BIND is there'})`, () => {
  let world: World
  let names: NameServer
  let page: Screen

  beforeAll(async () => {
    names = await startNameServer(ZONES)
    world = await startWorld('chromium')
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
})

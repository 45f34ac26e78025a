import * as secp256k1 from '@bitcoinerlab/secp256k1'
import { BIP32Factory } from 'bip32'
import { networks, payments } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import vectors from '../../../src/bitcoin/testing/vectors/electrum-seeds.json' with { type: 'json' }
import { goTo, pay } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { selectRegtest } from '../../driver/wallet-setup.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { PASSWORD, startWorld, type World } from '../../fixtures/world.ts'

/** Of BIP-173's vectors. */
const ALICE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The password is stretched on purpose, which takes seconds on a busy machine. */
const STRETCH_TIMEOUT = 60_000

const [SEED] = vectors.seeds

describe.each(browsersFor('electrum-import'))('a seed of Electrum in %s', browser => {
  let world: World
  let page: Screen
  const received = deriveAddress(0, 4)
  const change = deriveAddress(1, 0)

  beforeAll(async () => {
    world = await startWorld(browser, { setUp: false })
    const before = await world.wallet.popup('manifest.json')
    await selectRegtest(before, world.devnet.esploraUrl)
    await before.close()
    for (const address of [received, change]) await world.devnet.faucet(address, 1_000_000n)
    page = await world.wallet.popup()
  })
  afterAll(() => world?.stop())

  it('with two factors, or from before 2.0, is refused with what to do instead', async () => {
    await page.click('button', 'Import a wallet')
    const twoFactor = 'science dawn member doll dutch real can brick knife deny drive list'
    await page.fill('textbox', 'Recovery words', twoFactor)
    await page.click('button', 'Continue')
    await page.waitForText('TrustedCoin')
    await page.fill('textbox', 'Recovery words', vectors.old[0] ?? '')
    await page.click('button', 'Continue')
    await page.waitForText('before version 2.0')
    expect(await page.has('list', 'Words you may have meant')).toBe(false)
  })

  it('is imported, and what lies on both of its branches is found and spent', async () => {
    await page.fill('textbox', 'Recovery words', SEED?.words ?? '')
    await page.click('button', 'Continue')
    await page.waitForText('Only Electrum takes these words')
    await page.click('button', 'Continue')
    await page.fill('textbox', 'Password', PASSWORD)
    await page.fill('textbox', 'Repeat password', PASSWORD)
    await page.click('button', 'Import wallet')
    await page.find('region', 'Balance', STRETCH_TIMEOUT)
    await page.waitForText('0.02', STRETCH_TIMEOUT)
    const txid = await pay(page, { recipients: [{ to: ALICE, btc: '0.015' }], feeRate: '2' })
    await world.devnet.mine()
    const response = await fetch(`${world.devnet.esploraUrl}/tx/${txid}`)
    const { vin, vout, status } = (await response.json()) as {
      vin: { prevout: { scriptpubkey_address: string } }[]
      vout: { value: number; scriptpubkey_address: string }[]
      status: { confirmed: boolean }
    }
    expect(status.confirmed).toBe(true)
    const spent = vin.map(({ prevout }) => prevout.scriptpubkey_address)
    expect(spent.sort()).toEqual([received, change].sort())
    const paid = vout.map(({ scriptpubkey_address }) => scriptpubkey_address)
    expect(paid.sort()).toEqual([ALICE, deriveAddress(1, 1)].sort())
  })

  it('shows its words with the kind that they are', async () => {
    await goTo(page, '/settings/backup', 'Backup')
    await page.fill('textbox', 'Password', PASSWORD)
    await page.click('button', 'Continue')
    await page.find('button', 'Show words', STRETCH_TIMEOUT)
    await page.waitForText('a seed of Electrum')
    await page.click('button', 'Show words')
    expect(await page.text()).toContain('dynamic')
  })
})

/** An address of the seed on regtest, by bip32 and bitcoinjs from the bytes that Electrum makes of it. */
function deriveAddress(branch: number, index: number): string {
  const root = BIP32Factory(secp256k1).fromSeed(Buffer.from(SEED?.seed ?? '', 'hex'))
  const { publicKey } = root.derivePath(`m/0'/${branch}/${index}`)
  return payments.p2wpkh({ pubkey: publicKey, network: networks.regtest }).address ?? ''
}

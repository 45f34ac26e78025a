import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Psbt } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goTo } from '../../driver/own-pages.ts'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Of nobody in particular: an example program of BIP-173. */
const PAYEE = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

type Coin = { txid: string; vout: number }

describe.each(browsersFor('psbt-file'))('a PSBT of the node’s wallet in %s', browser => {
  let world: World
  let page: Screen
  let folder: string
  let address: string

  beforeAll(async () => {
    world = await startWorld(browser)
    folder = mkdtempSync(join(tmpdir(), 'satchel-psbt-'))
    const dapp = await world.openConnected()
    address = (await resultOf<string[]>(dapp.request('getAccounts')))[0] ?? ''
    await dapp.close()
    page = await world.wallet.popup()
  })
  afterAll(async () => {
    await world?.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  it('is signed from a file, combined with what the node has signed, finalized and sent', async () => {
    const created = await draftJointPayment()
    const file = join(folder, 'given.psbt')
    writeFileSync(file, Buffer.from(created, 'base64'))

    await goTo(page, '/settings', 'Settings')
    await page.click('link', 'Sign a transaction (PSBT)*')
    await choose(file)
    await page.find('heading', 'You *')
    const review = await page.text()
    expect(review).toContain('300,000 sats')
    await page.clickTestId('approve')
    await page.waitForText('Your signature is in it')

    // The worker dies; what was signed is still there in another page.
    await world.wallet.killBackground()
    await page.close()
    page = await world.wallet.popup()
    await goTo(page, '/psbt', 'Signed transaction')
    await page.waitForText('Your signature is in it')
    const session = await page.page.createCDPSession()
    await session.send('Browser.setDownloadBehavior', { behavior: 'allow', downloadPath: folder })
    await page.click('button', 'Save file')
    await expect.poll(readSaved, { timeout: 15_000 }).not.toBeNull()
    const ours = Psbt.fromBuffer(readSaved() ?? new Uint8Array())
    expect(ours.data.inputs.map(({ tapKeySig }) => tapKeySig !== undefined)).toEqual([true, false])

    const { psbt: theirs } = await world.devnet.rpc<{ psbt: string }>('walletprocesspsbt', [
      created,
    ])
    await page.click('button', 'Combine with another PSBT*')
    await page.fill('textbox', 'PSBT as text*', theirs)
    await page.click('button', 'Combine')
    await page.waitForText('All signatures are there')
    await page.click('button', 'Finalize*')
    await page.waitForText('It is complete')
    await page.click('button', 'Broadcast')
    await page.find('heading', 'You pay *')
    await page.clickTestId('approve')
    await page.find('heading', 'Sent')
    const txid = /[0-9a-f]{64}/.exec(await page.text())?.[0] ?? ''
    await world.devnet.mine()
    const paid = await world.devnet.rpc<{ value: number; confirmations: number } | null>(
      'gettxout',
      [txid, 0],
    )
    expect(paid).toMatchObject({ value: 0.00498, confirmations: 1 })
  })

  /** Base64: a payment of which our account and a descriptor wallet of the node bring an input each. */
  async function draftJointPayment(): Promise<string> {
    const { devnet } = world
    await devnet.rpc('createwallet', ['peer'])
    const peer = await devnet.rpc<string>('getnewaddress', ['', 'bech32'])
    await devnet.faucet(address, 300_000n)
    await devnet.faucet(peer, 200_000n)
    const inputs: Coin[] = []
    for (const owner of [address, peer]) {
      const { unspents } = await devnet.rpc<{ unspents: Coin[] }>('scantxoutset', [
        'start',
        [`addr(${owner})`],
      ])
      inputs.push(...unspents.slice(0, 1).map(({ txid, vout }) => ({ txid, vout })))
    }
    expect(inputs).toHaveLength(2)
    const created = await devnet.rpc<string>('createpsbt', [inputs, [{ [PAYEE]: 0.00498 }]])
    return devnet.rpc<string>('utxoupdatepsbt', [created])
  }

  async function choose(file: string): Promise<void> {
    await page.find('button', 'Choose files*')
    const input = await page.page.$('input[type="file"]')
    if (!input) throw new Error('There is no field for files')
    await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(file)
  }

  function readSaved(): Uint8Array | null {
    const name = readdirSync(folder).find(each => /^satchel-.*\.psbt$/.test(each))
    return name === undefined ? null : readFileSync(join(folder, name))
  }
})

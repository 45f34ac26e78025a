import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { moveClock } from '../../driver/hooked-extension.ts'
import { goTo } from '../../driver/own-pages.ts'
import { startRecordingServer } from '../../fixtures/recording-server.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** Address of nobody in particular: BIP-173's example program. */
const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

describe('two servers of a chain', () => {
  let world: World
  let second: Awaited<ReturnType<typeof startRecordingServer>>

  beforeAll(async () => {
    world = await startWorld('chromium', { hooks: true })
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await world.devnet.faucet(address, 500_000n)
    second = await startRecordingServer(world.devnet.secondUrl)
  })
  afterAll(async () => {
    await world?.stop()
    await second?.stop()
  })
  afterEach(() => world.admin.repair())

  it('are set in Settings', async () => {
    const page = await world.wallet.popup()
    await goTo(page, '/settings/servers', 'Servers')
    await page.click('button', 'Set: Second opinion')
    await page.fill('textbox', 'Server', second.url)
    await page.click('button', 'Check and save')
    await page.waitForText('/second')
    await page.close()
  })

  it('are said to disagree once the first keeps back two blocks, and agree again', async () => {
    await world.admin.tellLie('still-tip')
    await world.devnet.mine(2)
    const page = await world.wallet.popup()
    const text = await page.waitForText('Your servers do not agree')
    expect(text).toContain('differ in the last 2 blocks')
    await world.admin.repair()
    await world.devnet.mine(1)
    await expect.poll(() => page.text()).not.toContain('Your servers do not agree')
    await page.close()
  })

  it('must both know a payment two minutes later; from its page it is handed to the one that does not', async () => {
    await world.admin.tellLie('kept-broadcast')
    await world.admin.addFault({ endpoint: 'POST /second/tx', status: 503 })
    const dapp = await world.openConnected()
    const paying = dapp.request('sendBitcoin', RECIPIENT, 20_000, { feeRate: 2 })
    await (await world.wallet.nextApproval()).approve()
    const txid = await resultOf<string>(paying)
    await world.wallet.waitForNoApproval()
    await world.admin.call('faults/clear', {})
    for (const look of [1, 2]) {
      await world.wallet.evaluateInBackground(moveClock, 61_000)
      const page = await world.wallet.popup()
      // The second server's requests are not counted: the activity asks it as well.
      await expect.poll(() => world.wallet.evaluateInBackground(countLooks, txid)).toBe(look)
      await page.close()
    }
    expect(second.requests.some(({ path }) => path.endsWith(`/tx/${txid}`))).toBe(true)
    const page = await world.wallet.popup()
    await page.waitForText('Only your server knows of this payment')
    await page.click('button', 'Look at it')
    const text = await page.waitForText('It waits for a block, and gets into none')
    expect(text).toContain('Copy raw transaction')
    await page.click('button', 'Hand it to *')
    await page.waitForText('Handed over')
    await expect.poll(() => page.text()).not.toContain('Only your server knows of this payment')
    await world.devnet.mine(1)
    const answer = await fetch(`${world.devnet.secondUrl}/tx/${txid}`)
    expect(await answer.json()).toMatchObject({ status: { confirmed: true } })
    await page.close()
  })
})

/** Runs in the background: how often a payment was looked for on the servers, as stored. */
async function countLooks(txid: string): Promise<number> {
  const stored = await Object(globalThis).chrome.storage.local.get('activity.open')
  const records: { txid: string; sighting?: { looks: number } }[] = stored['activity.open']
  return records.find(record => record.txid === txid)?.sighting?.looks ?? 0
}

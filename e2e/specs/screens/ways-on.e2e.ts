import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ActivityPage } from '../../../src/background/views/activity-views.ts'
import bip174 from '../../../src/bitcoin/testing/vectors/bip174.json' with { type: 'json' }
import { launch, type Wallet } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
import { closeWelcomeTab } from '../../driver/welcome-tab.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { approvalShot } from '../../shots/fixtures/approval-shot.ts'
import { waitForPauses } from '../../shots/fixtures/camera.ts'
import { openShots } from '../../shots/fixtures/changed-shots.ts'
import { fakeCamera } from '../../shots/fixtures/fake-camera.ts'
import { pressReview } from '../../shots/fixtures/payment-form.ts'
import { BLOCKED } from '../../shots/fixtures/sites.ts'
import { failing, held, SILENT_SERVER, silent, value } from '../../shots/shot.ts'

/** What a person can still do, and is told, after something went another way; the background's answers are scripted. */
describe.each(browsersFor('ways-on'))('ways on from a screen in %s', browser => {
  let wallet: Wallet
  let shots: Awaited<ReturnType<typeof openShots>>

  beforeAll(async () => {
    wallet = await launch({ browser })
    await closeWelcomeTab(wallet)
    shots = await openShots(wallet)
  })
  afterAll(() => wallet?.close())

  it('says that a site is connected where that is for a day only', async () => {
    const shot = approvalShot('connect-day', { kind: 'connect' })
    const screen = await shots.camera.show({
      ...shot,
      answers: { ...shot.answers, decide: value(true) },
    })
    await screen.page.select('select', 'day')
    await screen.clickTestId('approve')
    await screen.waitForText('The site gets its answer now.', 3000)
  })
  it('takes what the device signed after something else was read', async () => {
    const screen = await shots.show('device-pay-nonsense')
    const answer = shots.shotOf('device-pay-nonsense').answers.getDeviceTask
    const [task] = answer && 'value' in answer ? answer.value.task.tasks : []
    await screen.fill('textbox', 'Paste a PSBT, a descriptor or a key', task?.psbt ?? '')
    await screen.click('button', 'Read this text')
    await screen.waitForText('The signed transaction is here', 3000)
    expect(await screen.has('alert')).toBe(false)
  })
  it('reads a PSBT from the camera after a code that is none', async () => {
    const { getLoadedPsbt: loaded, reviewPsbt } = shots.shotOf('psbt-file-review').answers
    const view = loaded && 'value' in loaded ? loaded.value : null
    if (view === null || !reviewPsbt) throw new Error('There is no PSBT')
    const answers = { loadPsbt: value(view), reviewPsbt }
    const screen = await shots.show('psbt-file', answers, { surface: 'tab' })
    const eye = await fakeCamera(screen)
    await eye.show('hello')
    await screen.click('button', 'Use the camera')
    await eye.allow(1)
    await screen.waitForText('There is no PSBT in this')
    const valid = bip174.psbts.find(({ verdict }) => verdict === 'valid')
    await eye.show(valid?.psbt ?? '')
    await screen.find('button', 'Use the camera', 3000)
    await screen.click('button', 'Use the camera')
    await eye.allow(1)
    await screen.find('heading', 'You*', 5000)
  })
  it('lets go of a camera that was asked for twice', async () => {
    const screen = await shots.show('scan-start')
    const eye = await fakeCamera(screen)
    await screen.click('button', 'Use the camera')
    await screen.waitForText('Waiting for the camera')
    // Another tab is looked at, and this one again, while the browser asks.
    await screen.evaluate(hideAndShow)
    await eye.allow(2)
    await poll('the camera to run', 5000, async () =>
      (await eye.countRunning()) > 0 ? true : null,
    )
    await screen.click('button', 'Back')
    await poll('the camera to be off', 3000, async () =>
      (await eye.countRunning()) === 0 ? true : null,
    )
  })
  it('lets go of a chosen coin that is spent meanwhile', async () => {
    const screen = await shots.show('send-coins')
    await screen.click('button', 'Use these')
    await screen.waitForText('1 coin chosen')
    const coins = shots.shotOf('send-coins').answers.getCoins
    const left =
      coins && 'value' in coins ? coins.value.filter(coin => coin.sats !== '120000000') : []
    await shots.camera.change({ getCoins: value(left) }, ['coinChoices'])
    await screen.waitForText('A chosen coin cannot be spent any more.')
    await screen.click('button', 'Choose')
    await screen.click('button', 'Use these')
    await screen.waitForText('Chosen by the wallet', 3000)
    expect(await screen.text()).not.toContain('A chosen coin cannot be spent any more.')
  })
  it('offers to ask again what can be done about a payment that waits', async () => {
    const screen = await shots.show('activity-pending', { getBumpOptions: SILENT_SERVER })
    await screen.find('button', 'Try again', 3000)
  })
  it('says why there is no new address', async () => {
    const screen = await shots.show('receive-fresh')
    await shots.camera.change({ getReceiveAddress: failing(-32603, 'Internal error') }, [])
    await screen.click('button', 'New address')
    await screen.find('alert', undefined, 3000)
  })
  it('asks again for the newest of the activity where that failed', async () => {
    const screen = await shots.show('activity-list')
    await shots.camera.change({ getActivity: failing(-32603, 'Internal error') }, ['live'])
    await screen.find('button', 'Try again', 3000)
    await shots.camera.change({ getActivity: { given: listNewest } }, [])
    await screen.click('button', 'Try again')
    await screen.waitForText('0.00777777', 3000)
  })
  it('does not offer other words once these were seen', async () => {
    const screen = await shots.show('first-run-confirm')
    await screen.click('button', 'Back')
    await screen.find('button', 'Show words')
    expect(await screen.has('button', 'Use 24 words instead')).toBe(false)
  })
  it('says why a limit for fees is not taken', async () => {
    const screen = await shots.show('notifications-off')
    await screen.fill('textbox', 'Alert me when fees*', '1,5')
    await screen.page.keyboard.press('Enter')
    await screen.waitForText('A number from 0.1 to 10000', 3000)
  })
  it('keeps the focus in the note that is saved, and begins in the only field', async () => {
    const screen = await shots.show('activity-confirmed', { setLabel: value(null) })
    await screen.fill('textbox', 'Your note', 'rent')
    const details = shots.shotOf('activity-confirmed').answers.getActivityDetails
    if (!details || !('value' in details)) throw new Error('There are no details')
    const noted = { ...details.value, entry: { ...details.value.entry, label: 'rent' } }
    await screen.page.keyboard.press('Enter')
    await screen.waitForText('Note saved')
    await shots.camera.change({ getActivityDetails: value(noted) }, ['labels'])
    expect(await screen.has('button', 'Save')).toBe(false)
    expect(await screen.evaluate(nameFocused)).toBe('INPUT')
    const adding = await shots.show('wallets-add-name')
    expect(await adding.evaluate(nameFocused)).toBe('INPUT')
  })
  it('gives the focus on where a server is not changed after all', async () => {
    const servers = await shots.show('settings-server-edit')
    await servers.click('button', 'Cancel')
    expect(await servers.evaluate(labelFocused)).toBe('Change: Blockchain')
  })
  it('gives the focus on where a payment is cleared', async () => {
    const payment = await shots.show('send-filled')
    await payment.click('button', 'Clear')
    expect(await payment.evaluate(nameFocused)).toBe('TEXTAREA')
  })
  it('gives the focus on where the last site is blocked no more', async () => {
    const sites = await shots.show('sites-blocked', {
      getBlockedSites: value(BLOCKED.slice(0, 1)),
      unblockSite: value(null),
    })
    await shots.camera.change({ getBlockedSites: value([]) }, [])
    await sites.click('button', 'Unblock: *')
    await sites.waitForText('may ask again')
    expect(await sites.evaluate(nameFocused)).not.toBe('BODY')
  })
  it('keeps the focus on a switch while what it does is done', async () => {
    const account = await shots.show('accounts-one-many', { setManyAddresses: held(null) })
    await account.click('switch', 'A fresh address*')
    await waitForPauses(account.page)
    expect(await account.evaluate(roleFocused)).toBe('switch')
  })
  it('keeps the focus on a row while what it does is done', async () => {
    const psbt = await shots.show('psbt-file-ready', { finalizePsbt: silent })
    await psbt.click('button', 'Finalize*')
    await waitForPauses(psbt.page)
    expect(await psbt.evaluate(nameFocused)).toBe('BUTTON')
  })
  it('keeps the focus on a password that is wrong, and its text out of the page', async () => {
    const backup = await shots.show('settings-backup-restore', {
      reviewBackup: shots.shotOf('settings-backup-restore-wrong').answers.reviewBackup ?? silent,
    })
    const folder = await mkdtemp(join(tmpdir(), 'backup-'))
    await writeFile(join(folder, 'backup.json'), '{}')
    const chooser = await backup.page.waitForSelector('input[type=file]')
    await chooser?.uploadFile(join(folder, 'backup.json'))
    await backup.waitForText('backup.json')
    await backup.fill('textbox', 'Password of the file', 'correct horse battery')
    expect(await backup.evaluate(readAttribute)).toBeNull()
    await backup.page.keyboard.press('Enter')
    await backup.find('alert')
    expect(await backup.evaluate(nameFocused)).toBe('INPUT')
  })
  it('takes no file that was chosen before one that is too large', async () => {
    const screen = await shots.show('etching-filled')
    await screen.page.select('section[aria-label="Inscribe something with it"] select', 'file')
    const chooser = await screen.page.waitForSelector('input[type=file]')
    const folder = await mkdtemp(join(tmpdir(), 'etching-'))
    const small = join(folder, 'small.txt')
    const large = join(folder, 'large.txt')
    await writeFile(small, 'gm')
    await writeFile(large, 'gm'.repeat(200_000))
    await chooser?.uploadFile(small)
    await screen.waitForText('text/plain')
    await chooser?.uploadFile(large)
    await screen.waitForText('Too large')
    await pressReview(screen)
    expect(await screen.has('textbox', 'Name')).toBe(true)
    await screen.waitForText('Too large', 3000)
  })
  it('does not keep what is wrong with a link when the form is cleared', async () => {
    const screen = await shots.show('send-filled')
    await screen.evaluate(pasteText, 'textarea', 'bitcoin:?req-pop=1')
    await screen.waitForText('This payment link')
    await screen.click('button', 'Clear')
    expect(await screen.text()).not.toContain('This payment link')
  })
})

/** Runs in the page. */
function pasteText(selector: string, text: string): void {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', text)
  const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
  document.querySelector(selector)?.dispatchEvent(paste)
}

/** Runs in the page: what of a password is in the page's own text, where others than its form can read it. */
function readAttribute(): string | null | undefined {
  return document.querySelector('input[type=password]')?.getAttribute('value')
}

/** Runs in the page: an entry that is newer than all others. */
function listNewest({ offset }: { offset: number }): ActivityPage {
  const entry: ActivityPage['entries'][number] = {
    ...{ txid: '7'.repeat(64), network: 'mainnet', accountId: 'account', kind: 'received' },
    ...{ status: 'confirmed', net: '777777', counterparty: null, counterpartyName: null },
    ...{ fee: null, origin: null, label: '', at: Date.now(), height: 921_000, replacedBy: null },
    about: null,
  }
  return { entries: offset === 0 ? [entry] : [], more: false, problem: null }
}

/** Runs in the page. */
function hideAndShow(): void {
  for (const hidden of [true, false]) {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }
}

/** Runs in the page. */
function roleFocused(): string | null {
  return document.activeElement?.getAttribute('role') ?? null
}

/** Runs in the page. */
function labelFocused(): string | null {
  return document.activeElement?.getAttribute('aria-label') ?? null
}

/** Runs in the page. */
function nameFocused(): string {
  return document.activeElement?.tagName ?? ''
}

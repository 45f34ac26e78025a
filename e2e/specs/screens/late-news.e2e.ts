import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch, type Wallet } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
import { closeWelcomeTab } from '../../driver/welcome-tab.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { waitForPauses } from '../../shots/fixtures/camera.ts'
import { openShots } from '../../shots/fixtures/changed-shots.ts'
import { pressReview } from '../../shots/fixtures/payment-form.ts'
import { OTHERS } from '../../shots/fixtures/payments.ts'
import { failing, held, SEGWIT, stateWith, TAPROOT, value } from '../../shots/shot.ts'

/** Screens on which something comes late, or changes while they are looked at; the background's answers are scripted. */
describe.each(browsersFor('late-news'))('what changes under a screen in %s', browser => {
  let wallet: Wallet
  let shots: Awaited<ReturnType<typeof openShots>>

  beforeAll(async () => {
    wallet = await launch({ browser })
    await closeWelcomeTab(wallet)
    shots = await openShots(wallet)
  })
  afterAll(() => wallet?.close())

  const useAnother = () =>
    shots.camera.change({ getState: value(stateWith({ accountId: SEGWIT.id })) }, ['selection'])

  it('does not keep a server whose check was given up', async () => {
    const isUsable = { usable: true, height: 912_345, latencyMs: 84, live: true } as const
    const screen = await shots.show('settings-server-checking', {
      checkServer: held(isUsable),
      setServer: { given: noteCall },
    })
    await screen.click('button', 'Cancel')
    await shots.camera.release()
    expect(await screen.evaluate(listCalls)).toEqual([])
  })
  it('does not say of a changed text that its signature is valid', async () => {
    const screen = await shots.show('messages-verifying', {
      verifyMessage: held({
        ...{ state: 'valid', format: 'simple', coins: [] },
        lock: { time: 0, age: 0, version: 0 },
      }),
    })
    await screen.fill('textbox', 'Text', 'I owe you everything')
    await shots.camera.release()
    expect(await screen.text()).not.toContain('The signature is valid')
  })
  it('begins the search for used addresses anew where another wallet’s account is chosen', async () => {
    const second = { ...SEGWIT, phraseId: 'second', name: 'Other wallet' }
    const screen = await shots.show('accounts-restore-many')
    const phrases = stateWith().phrases.concat([
      { id: 'second', name: 'Holidays', kind: 'bip39' as const },
    ])
    const accounts = [TAPROOT, second]
    await shots.camera.change(
      { getState: value(stateWith({ accounts, phrases, accountId: second.id })) },
      ['selection'],
    )
    expect(await screen.has('button', 'Add*')).toBe(false)
    expect(await screen.has('button', 'Look for them')).toBe(true)
  })
  it('asks for the balance before the coins, of which there may be very many', async () => {
    const screen = await shots.show('home-filled', {
      getOverview: { given: noteOverview },
      getInscriptions: { given: noteInscriptions },
    })
    const asked = () => screen.evaluate(listAsked)
    await poll('both questions', 3000, async () => ((await asked()).length > 1 ? true : null))
    expect((await asked()).slice(0, 2)).toEqual(['getOverview', 'getInscriptions'])
  })
  it('shows the signature that another window has added', async () => {
    const screen = await shots.show('device-cosign-one')
    const after = shots.shotOf('device-cosign-ready').answers.getCosigning
    if (!after) throw new Error('There is no shot with all signatures')
    await shots.camera.change({ getCosigning: after }, ['cosignedPlans'])
    await screen.waitForText('All signatures are there')
  })
  it('shows a payment of several signers under no other account', async () => {
    const screen = await shots.show('device-cosign-one')
    await shots.camera.change(
      {
        getState: value(stateWith({ accountId: SEGWIT.id })),
        getCosigning: failing(-32000, 'One signer.', { reason: 'SEVERAL_SIGNERS' }),
      },
      ['selection'],
    )
    await screen.waitForText('This does not belong to the account in use.', 3000)
    expect(await screen.has('heading', '2. Bring back*')).toBe(false)
  })
  it('shows what a device is to sign under no other account', async () => {
    const screen = await shots.show('device-pay-start')
    const warm = { ...SEGWIT, source: 'device', fingerprint: 'aabbccdd', ordinalsDescriptor: null }
    await shots.camera.change(
      {
        getState: value(stateWith({ accounts: [warm as never], accountId: SEGWIT.id })),
        getDeviceTask: failing(-32000, 'Another account.', { reason: 'PLAN_OUTDATED' }),
      },
      ['selection'],
    )
    await screen.waitForText('Something changed in the meantime', 3000)
    expect(await screen.has('heading', '2. Bring back*')).toBe(false)
  })
  it('asks anew for the consent to what signing does by now', async () => {
    const before = shots.shotOf('psbt-file-review-open').answers.reviewPsbt
    if (!before || !('value' in before)) throw new Error('There is no review')
    const { review } = before.value
    const items = review.items.map(item => ({
      ...item,
      assets: [],
      warnings: [{ kind: 'burned-sats' as const, sats: '100000' }],
    }))
    const screen = await shots.show('psbt-file-review-open')
    await screen.click('checkbox')
    await poll('what can be approved', 3000, async () =>
      (await screen.evaluate(isApprovable)) ? true : null,
    )
    const after = { ...before.value, digest: 'd2'.repeat(32), review: { ...review, items } }
    await shots.camera.change({ reviewPsbt: value(after) }, ['settings'])
    await waitForPauses(screen.page)
    expect(await screen.evaluate(isApprovable)).toBe(false)
  })
  it('asks anew for the consent to lose what is found on a coin meanwhile', async () => {
    const before = shots.shotOf('inscriptions-detail-release').answers.getInscription
    if (!before || !('value' in before)) throw new Error('There is no inscription')
    const companion = { kind: 'inscription' as const, id: `${'9'.repeat(64)}i0`, number: 7_777 }
    const screen = await shots.show('inscriptions-detail-release')
    const isAllowable = async () =>
      (await screen.find('button', 'Allow spending')).evaluate(button => button.matches(':enabled'))
    await screen.click('checkbox', 'I accept*')
    expect(await isAllowable()).toBe(true)
    const after = { ...before.value, companions: [companion] }
    await shots.camera.change({ getInscription: value(after) }, ['coinChoices'])
    await screen.waitForText('7777', 3000)
    expect(await isAllowable()).toBe(false)
  })
  it('gives up the review of a broadcast where another account is chosen', async () => {
    const screen = await shots.show('psbt-file-push')
    await useAnother()
    await screen.find('button', 'Broadcast')
    expect(await screen.has('heading', 'You*')).toBe(false)
  })
  it('keeps the questions of sites that are shown while more are fetched', async () => {
    const screen = await shots.show('sites-asked-tab')
    const shown = await screen.evaluate(countAsked)
    await shots.camera.change({ getApprovalHistory: { silent: true } }, [])
    await screen.click('button', 'Show more')
    expect(await screen.evaluate(countAsked)).toBe(shown)
  })
  it('keeps the name of the wallet with its words', async () => {
    const screen = await shots.show('wallets-backup', {
      revealPhrase: held({ accepted: true, words: 'legal winner'.split(' '), passphrase: '' }),
    })
    await screen.fill('textbox', 'Password', 'correct horse battery')
    await screen.click('button', 'Continue')
    const select = 'select'
    const [first, second] = await screen.evaluate(listOptions, select)
    await screen.page.select(select, second?.value ?? '')
    await shots.camera.release()
    await screen.find('button', 'Show words')
    expect(await screen.text()).toContain(first?.name)
    expect(await screen.text()).not.toContain(second?.name)
  })
  it('saves a contact that changed elsewhere meanwhile', async () => {
    const screen = await shots.show('contacts-change', { saveContact: value(null as never) })
    const before = shots.shotOf('contacts-list').answers.getContacts
    if (!before) throw new Error('There is no shot with contacts')
    await shots.camera.change({ getContacts: before }, ['contacts'])
    await screen.click('button', 'Save')
    await poll('the dialog to close', 3000, async () =>
      (await screen.has('dialog')) ? null : true,
    )
  })
  it('does not review a fee that was chosen otherwise meanwhile', async () => {
    const review = shots.shotOf('bump-speed-up-review').answers.planBump
    if (!review || !('value' in review)) throw new Error('There is no plan')
    const screen = await shots.show('bump-speed-up', { planBump: held(review.value) })
    await pressReview(screen)
    await screen.click('radio', 'Custom*')
    await screen.fill('textbox', 'Fee rate*', '20')
    await shots.camera.release()
    expect(await screen.has('textbox', 'Fee rate*')).toBe(true)
  })
  it('shows a signature under the address that it is of, and says nothing untrue of keys', async () => {
    const screen = await shots.show('messages-review', {
      signText: held({ signature: 'c2lnbmF0dXJl' }),
    })
    await screen.click('button', 'Sign')
    const elsewhere = { ...SEGWIT, address: OTHERS[0] }
    await shots.camera.change(
      { getState: value(stateWith({ accounts: [elsewhere], accountId: elsewhere.id })) },
      ['selection'],
    )
    expect(await screen.text()).not.toContain('No account here has a key')
    await shots.camera.release()
    const signed = (await screen.text()).replace(/\s/g, '')
    expect(signed).toContain('c2lnbmF0dXJl')
    expect(signed).toContain(TAPROOT.address)
  })
  it('shows the fee rates of now in a form that was open before the newest block', async () => {
    const screen = await shots.show('send-filled')
    const risen = { fastest: 77, halfHour: 66, hour: 55, minimum: 1 }
    await shots.camera.change({ getFeeRates: value(risen) }, ['live'])
    await screen.waitForText('66', 3000)
  })
  it('keeps a fee rate chosen where the newest ones leave out that which was', async () => {
    const screen = await shots.show('bump-speed-up')
    expect(await screen.evaluate(countChosen)).toBe(1)
    const fallen = { fastest: 3, halfHour: 2, hour: 1, minimum: 1 }
    await shots.camera.change({ getFeeRates: value(fallen) }, ['live'])
    const countRates = () => screen.evaluate(() => document.querySelectorAll('[type=radio]').length)
    await poll('the least rate alone', 3000, async () => ((await countRates()) === 2 ? true : null))
    expect(await screen.evaluate(countChosen)).toBe(1)
  })
})

/** Runs in the page. */
function noteCall(): null {
  const page = globalThis as unknown as { calls?: number }
  page.calls = (page.calls ?? 0) + 1
  return null
}

/** Runs in the page. */
function noteOverview() {
  const page = globalThis as unknown as { asked?: string[] }
  page.asked = [...(page.asked ?? []), 'getOverview']
  const balance = { confirmed: '5', unconfirmed: '0' }
  return { balance, problem: null, activity: [], more: false, price: null }
}

/** Runs in the page. */
function noteInscriptions() {
  const page = globalThis as unknown as { asked?: string[] }
  page.asked = [...(page.asked ?? []), 'getInscriptions']
  const none = { total: 0, hidden: 0, spam: 0, runes: 0, inscriptions: [] }
  return { ...none, unchecked: { count: 0, why: null } }
}

/** Runs in the page. */
function listAsked(): string[] {
  return (globalThis as unknown as { asked?: string[] }).asked ?? []
}

/** Runs in the page. */
function listCalls(): number[] {
  const { calls } = globalThis as unknown as { calls?: number }
  return calls === undefined ? [] : [calls]
}

/** Runs in the page. */
function isApprovable(): boolean {
  return document.querySelector('[data-testid="approve"]:enabled') !== null
}

/** Runs in the page. */
function countAsked(): number {
  return document.querySelectorAll('[data-testid="asked"]').length
}

/** Runs in the page. */
function listOptions(selector: string): { value: string; name: string }[] {
  const select = document.querySelector<HTMLSelectElement>(selector)
  return Array.from(select?.options ?? [], ({ value, text }) => ({ value, name: text }))
}

/** Runs in the page. */
function countChosen(): number {
  return document.querySelectorAll('[type=radio]:checked').length
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Screen } from '../../driver/screen.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { startWorld, type World } from '../../fixtures/world.ts'

const TEXT = 'The bakery’s key is with me.'
const FOREIGN = 'It was not made by the key of this address for this text.'

describe.each(browsersFor('messages'))('texts under a signature in %s', browser => {
  let world: World
  let page: Screen

  beforeAll(async () => {
    world = await startWorld(browser)
    page = await world.wallet.popup()
    await page.find('region', 'Balance')
    await page.evaluate(() => {
      location.hash = '/settings'
    })
    await page.click('link', 'Messages*')
    await page.find('heading', 'Messages')
  })
  afterAll(() => world?.stop())

  it('signs what was shown, and what comes of it is valid here and for another library', async () => {
    await page.click('radio', 'Sign')
    await page.fill('textbox', 'Text', TEXT)
    await page.click('button', 'Continue')
    await page.find('heading', 'Sign this text?')
    await page.waitForText(TEXT)
    await page.click('button', 'Sign')
    await page.find('heading', 'Signed')
    const signature = (await page.textOf('signature')) ?? ''
    await page.click('button', 'Verify it here')
    expect(await page.valueOf('textbox', 'Text')).toBe(TEXT)
    expect(await page.valueOf('textbox', 'Signature')).toBe(signature)
    const address = await page.valueOf('textbox', 'Address')
    await page.click('button', 'Verify signature')
    await page.waitForText('The signature is valid')
    await page.waitForText('BIP-322 simple')
    expect(provesMessage(address, TEXT, signature.replace(/^smp/, ''))).toBe(true)
  })

  it('says why a signature is not valid when one character of the text is another', async () => {
    await page.fill('textbox', 'Text', TEXT.replace('me', 'mo'))
    expect(await page.text()).not.toContain('The signature is valid')
    await page.click('button', 'Verify signature')
    await page.waitForText('The signature is not valid')
    await page.waitForText(FOREIGN)
  })

  it('says so too when one character of the signature is another', async () => {
    const signature = await page.valueOf('textbox', 'Signature')
    const swapped = signature[30] === 'A' ? 'B' : 'A'
    await page.fill('textbox', 'Text', TEXT)
    await page.fill('textbox', 'Signature', signature.slice(0, 30) + swapped + signature.slice(31))
    await page.click('button', 'Verify signature')
    await page.waitForText('The signature is not valid')
    await page.fill('textbox', 'Signature', signature)
    await page.click('button', 'Verify signature')
    await page.waitForText('The signature is valid')
  })
})

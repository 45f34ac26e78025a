import { poll } from './engine.ts'
import { goTo } from './own-pages.ts'
import type { Screen } from './screen.ts'

/** Signs a PSBT (base64), as a device does. */
type Sign = (psbt: string) => Promise<string>

/** Presses the button that copies what is to go to the device, and takes what the page hands to the clipboard: headless browsers have none. */
export async function copyFromScreen(
  { page, click }: Screen,
  button = 'Copy text',
): Promise<string> {
  await page.evaluate(() => {
    delete document.body.dataset.copied
    Object.defineProperty(navigator.clipboard, 'writeText', {
      configurable: true,
      value: async (text: string) => {
        document.body.dataset.copied = text
      },
    })
  })
  await click('button', button)
  return poll(`what "${button}" copies`, 15_000, async () => {
    const copied = await page.evaluate(() => document.body.dataset.copied)
    return copied === undefined || copied === '' ? null : copied
  })
}

/** Pastes what came back from the device. */
export async function giveBack(screen: Screen, text: string): Promise<void> {
  await screen.fill('textbox', 'Paste a PSBT, a descriptor or a key', text)
  await screen.click('button', 'Read this text')
  await screen.waitForText('The signed transaction is here')
}

/** From the question for the device to what it gives: takes the PSBT there and back. */
export async function carry(screen: Screen, sign: Sign): Promise<void> {
  await screen.find('heading', 'Sign on your device')
  await giveBack(screen, await sign(await copyFromScreen(screen)))
}

/** From the page of devices to the account in use, of the first kind whose name begins so. */
export async function connectDevice(
  screen: Screen,
  { keys, kind, name }: { keys: string; kind: string; name: string },
): Promise<void> {
  await goTo(screen, '/accounts/device', 'Connect a device')
  await screen.fill('textbox', 'Paste a PSBT, a descriptor or a key', keys)
  await screen.click('button', 'Read this text')
  await screen.find('heading', 'Compare the first addresses')
  await screen.click('radio', `${kind}*`)
  await screen.fill('textbox', 'Name*', name)
  await screen.click('button', 'Connect')
  await screen.find('button', `Account: ${name}`)
}

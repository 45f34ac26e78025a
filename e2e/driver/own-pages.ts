import { poll } from './engine.ts'
import type { Screen } from './screen.ts'

export type WrittenPayment = {
  recipients: readonly { to: string; btc: string }[]
  /** sat/vB. */
  feeRate: string
  memo?: string
  label?: string
}

/** Goes to a screen of the open page by its path, and waits for its heading. */
export async function goTo(screen: Screen, path: string, heading: string): Promise<void> {
  await screen.evaluate(hash => {
    location.hash = hash
  }, path)
  await screen.find('heading', heading)
}

/** Fills the form of a payment, which is on the screen. */
export async function writePayment(screen: Screen, payment: WrittenPayment): Promise<void> {
  const { recipients, feeRate, memo, label } = payment
  for (const [index, { to, btc }] of recipients.entries()) {
    if (index > 0) await screen.click('button', 'Add a recipient')
    const suffix = recipients.length > 1 && index > 0 ? `, recipient ${index + 1}` : ''
    await screen.fill('textbox', `To${suffix}`, to)
    await screen.fill('textbox', `Amount${suffix}`, btc)
  }
  await screen.click('radio', 'Custom*')
  await screen.fill('textbox', 'Fee rate in sat/vB', feeRate)
  if (memo === undefined && label === undefined) return
  await screen.click('button', 'More')
  if (label !== undefined) await screen.fill('textbox', 'Note to self', label)
  if (memo !== undefined) await screen.fill('textbox', 'Public note', memo)
}

/** From the review of a payment to the screen that says it was sent; gives the txid that stands there. */
export async function confirmPayment(screen: Screen): Promise<string> {
  await screen.clickTestId('approve')
  await screen.find('heading', 'Sent', 30_000)
  return readTxid(await screen.text())
}

/** From the start screen: writes a payment, looks at it, sends it; gives its txid. */
export async function pay(screen: Screen, payment: WrittenPayment): Promise<string> {
  await goTo(screen, '/', 'Wallet')
  await screen.click('button', 'Send')
  await writePayment(screen, payment)
  await screen.click('button', 'Review')
  return confirmPayment(screen)
}

/** From wherever it is to the details of a transaction, by its entry in the activity. */
export async function showTransaction(screen: Screen, txid: string): Promise<void> {
  await goTo(screen, '/activity', 'Activity')
  await screen.clickSelector(`a[href="#/activity/${txid}"]`)
  await screen.waitForText(shortenTxid(txid))
}

/** A txid as the details show it. */
export function shortenTxid(txid: string): string {
  return `${txid.slice(0, 8)}…${txid.slice(-8)}`
}

/** From a waiting transaction's details: a higher fee for it, a way back, or a child; gives the new txid. */
export async function bump(
  screen: Screen,
  action: 'Speed up' | 'Accelerate' | 'Cancel',
  feeRate: string,
): Promise<string> {
  await screen.click('button', `${action}*`)
  await screen.click('radio', 'Custom*')
  await screen.fill('textbox', 'Fee rate in sat/vB', feeRate)
  await screen.click('button', 'Review')
  return confirmPayment(screen)
}

function readTxid(text: string): string {
  const [txid] = text.match(/\b[0-9a-f]{64}\b/) ?? []
  if (txid === undefined) throw new Error(`No txid on the screen:\n${text}`)
  return txid
}

/** Waits until the control can be pressed, and presses Tab until it has the focus, as a person without a mouse does. */
export async function tabTo(screen: Screen, role: string, name: string): Promise<void> {
  const wanted = await screen.find(role, name)
  const what = `${role} "${name}"`
  await poll(`${what} to be enabled`, 15_000, async () =>
    (await wanted.evaluate(element => !element.matches(':disabled'))) ? true : null,
  )
  await poll(`the focus to come to ${what}`, 15_000, async () => {
    if (await wanted.evaluate(hasFocus)) return true
    await screen.page.keyboard.press('Tab')
    return null
  })
}

function hasFocus(element: Element): boolean {
  return document.hasFocus() && document.activeElement === element
}

/** Lets count what a test has written into the wallet's storage itself. */
export async function keepChangedRecords(popup: Screen): Promise<void> {
  await popup.click('button', 'Use it as it is')
  await popup.find('region', 'Balance')
}

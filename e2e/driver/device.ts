import type { Screen } from './screen.ts'

/** Presses the button that copies what is to go to the device, and takes what the page hands to the clipboard: headless browsers have none. */
export async function copyFromScreen({ page, click }: Screen): Promise<string> {
  await page.evaluate(() => {
    Object.defineProperty(navigator.clipboard, 'writeText', {
      configurable: true,
      value: async (text: string) => {
        document.body.dataset.copied = text
      },
    })
  })
  await click('button', 'Copy text')
  return page.evaluate(() => document.body.dataset.copied ?? '')
}

import browser from 'webextension-polyfill'

/** Shows on the toolbar icon how many requests wait. */
export async function showBadge(waiting: number): Promise<void> {
  await browser.action.setBadgeBackgroundColor({ color: '#b4501e' })
  await browser.action.setBadgeText({ text: waiting === 0 ? '' : String(waiting) })
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp, Screen } from '../../driver/driver.ts'
import { poll } from '../../driver/engine.ts'
import { openCard } from '../../driver/gallery.ts'
import { goTo } from '../../driver/own-pages.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { inscribe } from '../../fixtures/ordinals/devnet-ord.ts'
import { armPayloads, type Payload, startTrap, type Trap } from '../../fixtures/ordinals/trap.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

const RECIPIENT = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** A commit and its reveals are one family, which the network keeps below 25 transactions and 101,000 vB. */
const MOST_AT_ONCE = 20
const MOST_BYTES_AT_ONCE = 300_000

/** In Firefox, which runs the same code: some of every kind. */
const FEW = 12

/**
 * Bytes of the popup's heap after all payloads were shown: the screen itself takes about 6 MB, and of the payloads, which are
 * 1 MB together, nothing is kept but small pictures. Drawn at full size the large ones alone would take 768 MB.
 */
const MOST_HEAP = 16_000_000

/** Pixels of a side that a tile draws. */
const TILE_SIDE = 400

type Shown = { sign: boolean; text: string; image: { side: number } | null }
type Known = Payload & { id: string }

describe.each(browsersFor('hostile-content'))('hostile inscriptions in %s', browser => {
  const most = browser === 'firefox' ? FEW : Number.POSITIVE_INFINITY
  let world: World
  let trap: Trap
  let dapp: Dapp
  let page: Screen
  let payloads: Known[]

  beforeAll(async () => {
    trap = await startTrap()
    world = await startWorld(browser)
    dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await world.devnet.faucet(address, 100_000n, false)
    payloads = await inscribeAll(world, address, pick(armPayloads(trap), most))
    await world.wallet.evaluateInBackground(clearRequests)
    page = await world.wallet.popup()
    // Most of them are possible spam, of which nothing would be drawn.
    await goTo(page, '/settings/display', 'Language and display')
    await page.click('switch', 'Set possible spam apart*')
    await poll('possible spam to stay in the gallery', 10_000, async () => {
      const { local } = await world.wallet.storageDump()
      return Object(local.settings).sortSpam === false ? true : null
    })
    await page.evaluate(clearRequests)
  })
  afterAll(async () => {
    await world?.stop()
    await trap?.stop()
  })

  it.runIf(browser === 'chromium')('are many', () => {
    expect(payloads.length).toBeGreaterThanOrEqual(50)
  })

  it('are signs, plain text and small pictures in the gallery', async () => {
    await goTo(page, '/inscriptions', 'Inscriptions')
    await page.waitForText(`${payloads.length} inscriptions`, 30_000)
    const tiles = await readGallery(page, payloads.length)
    for (const { id, name, shown } of payloads) {
      const tile = tiles.get(id)
      assertHarmless(tile, shown, name)
      expect(tile?.image?.side ?? 0, name).toBeLessThanOrEqual(TILE_SIDE)
    }
    expect(await page.evaluate(countActiveElements)).toBe(0)
  })

  it('are signs, plain text and pictures on their cards, and the index that has them is no liar', async () => {
    for (const { id, name, shown } of payloads) {
      await openCard(page, id)
      assertHarmless(await settled(page, '.inscription-picture__large'), shown, name)
      expect(await page.evaluate(countActiveElements), name).toBe(0)
      expect(await page.text(), name).not.toContain('Contradicted')
    }
  })

  it('are no more than that where a site asks to send them', async () => {
    for (const { id, name, shown } of pick(payloads, 2)) {
      const sending = dapp.request('sendInscription', RECIPIENT, id, { feeRate: 2 })
      const approval = await world.wallet.nextApproval()
      expect(await approval.evaluate(countActiveElements), name).toBe(0)
      expect(await approval.evaluate(readMark), name).toBeNull()
      assertHarmless(
        await settled(approval, '.asset-moves__oneAsset .inscription-picture__picture'),
        shown,
        name,
      )
      await approval.reject()
      expect(await sending).toMatchObject({ error: { code: 4001 } })
      await world.wallet.waitForNoApproval()
    }
  })

  it('run nowhere, open nothing, and reach nobody but the servers in use', async () => {
    expect(await page.evaluate(readMark)).toBeNull()
    expect(await world.wallet.evaluateInBackground(readMark)).toBeNull()
    expect(await dapp.evaluate(readMark)).toBeNull()
    expect(trap.hits).toEqual([])
    const asked = await world.wallet.evaluateInBackground(listRequests)
    expect(asked.length).toBeGreaterThan(0)
    for (const url of [...asked, ...(await page.evaluate(listRequests))]) {
      const isOwn = url.startsWith(world.wallet.extensionUrl) || url.startsWith('data:')
      if (!isOwn) expect(url).toContain(`${world.devnet.url}/`)
    }
    // The page of the site, the popup's, and the tab that the browser began with.
    const urls = (await world.wallet.browser.pages()).map(open => open.url())
    expect(urls.filter(url => url.startsWith(trap.url) || url.startsWith('blob:'))).toEqual([])
  })

  it.runIf(browser === 'chromium')('leave no weight behind', async () => {
    const client = await page.page.createCDPSession()
    await client.send('HeapProfiler.collectGarbage')
    const { JSHeapUsedSize = Number.POSITIVE_INFINITY } = await page.page.metrics()
    expect(JSHeapUsedSize).toBeLessThan(MOST_HEAP)
    await client.detach()
  })
})

/** So many of a list, spread over all of it. */
function pick<T>(list: readonly T[], most: number): T[] {
  const step = Math.max(1, list.length / most)
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}

/** Puts all of them on an address, many in each block. */
async function inscribeAll(
  { devnet }: World,
  address: string,
  payloads: readonly Payload[],
): Promise<Known[]> {
  const batches: Payload[][] = [[]]
  for (const payload of payloads) {
    const batch = batches.at(-1) ?? []
    const bytes = batch.reduce((sum, one) => sum + one.bytes.length, payload.bytes.length)
    if (batch.length < MOST_AT_ONCE && bytes < MOST_BYTES_AT_ONCE) batch.push(payload)
    else batches.push([payload])
  }
  const known: Known[] = []
  for (const batch of batches) {
    const items = batch.map(({ contentType, bytes }) => ({
      contentType,
      bodyHex: Buffer.from(bytes).toString('hex'),
    }))
    const ids = await inscribe(devnet, address, { items })
    known.push(...batch.map((payload, index) => ({ ...payload, id: ids[index] ?? '' })))
  }
  return known
}

function assertHarmless(
  seen: Shown | null | undefined,
  shown: Payload['shown'],
  name: string,
): void {
  expect(seen, name).toBeTruthy()
  if (!seen) return
  // What is damaged, as half of the hostile pictures are, is a sign as well.
  if (shown === 'placeholder') expect(seen.sign, name).toBe(true)
  if (shown === 'text') expect(seen.text, name).not.toBe('')
  if (shown === 'image') expect(seen.sign || seen.image !== null, name).toBe(true)
  else expect(seen.image, name).toBeNull()
}

/** Scrolls through the gallery; what each tile shows, by id, once its picture is settled. */
async function readGallery(page: Screen, count: number): Promise<Map<string, Shown>> {
  const tiles = new Map<string, Shown>()
  for (let top = 0; tiles.size < count; top += 300) {
    await page.evaluate(top => document.querySelector('main')?.scrollTo(0, top), top)
    await expect
      .poll(async () => (await page.evaluate(readTilesInSight)).every(([, shown]) => shown), {
        timeout: 30_000,
      })
      .toBe(true)
    for (const [id, shown] of await page.evaluate(readTilesInSight)) if (shown) tiles.set(id, shown)
    if (top > count * 200) throw new Error(`Saw ${tiles.size} of ${count} tiles`)
  }
  return tiles
}

/** What a picture of the page shows, once it is settled. */
function settled(page: Screen, selector: string): Promise<Shown> {
  return poll(selector, 30_000, () => page.evaluate(readPicture, selector))
}

// What follows runs in pages of the extension.

function readTilesInSight(): [id: string, Shown | null][] {
  return Array.from(document.querySelectorAll('li[aria-posinset] > *')).flatMap(
    (tile): [string, Shown | null][] => {
      const { top, bottom } = tile.getBoundingClientRect()
      if (bottom < 0 || top > innerHeight) return []
      const id = tile.getAttribute('href')?.split('/').at(-1) ?? ''
      if (!id || tile.querySelector('.inscription-picture__skeleton')) return [[id, null]]
      const image = tile.querySelector('canvas')
      return [
        [
          id,
          {
            sign: tile.querySelector('.inscription-picture__placeholder') !== null,
            text: tile.querySelector('.inscription-picture__picture')?.textContent ?? '',
            image: image ? { side: Math.max(image.width, image.height) } : null,
          },
        ],
      ]
    },
  )
}

function readPicture(selector: string): Shown | null {
  const picture = document.querySelector(selector)
  if (!picture || picture.querySelector('.inscription-picture__skeleton')) return null
  const image = picture.querySelector('canvas')
  return {
    sign: picture.querySelector('.inscription-picture__placeholder') !== null,
    text: picture.textContent ?? '',
    image: image ? { side: Math.max(image.width, image.height) } : null,
  }
}

/** Elements that act by themselves, but for the decoder's frame, which can do nothing to this page; images of others; and markup where only text may stand. */
function countActiveElements(): number {
  return document.querySelectorAll(
    'iframe:not([hidden][sandbox="allow-scripts"][src="/src/decoder/decoder.html"]), object, embed, video, audio, script:not([src]), [onload], [onerror], .inscription-picture__inscribedText :not(span), .inscription-picture__picture a, .inscription-picture__picture img, img[src^="data:"], img[src^="blob:"]',
  ).length
}

function readMark(): unknown {
  return Object(globalThis).executed ?? null
}

function clearRequests(): void {
  performance.setResourceTimingBufferSize(10_000)
  performance.clearResourceTimings()
}

function listRequests(): string[] {
  return performance.getEntriesByType('resource').map(({ name }) => name)
}

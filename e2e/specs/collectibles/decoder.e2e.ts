import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import encodeQR from 'qr'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tinyImage, tinyImages } from '../../../src/ordinals/testing/tiny-images.ts'
import type { Screen } from '../../driver/driver.ts'
import { openCard } from '../../driver/gallery.ts'
import { wordsOf } from '../../driver/inscribing.ts'
import { goTo } from '../../driver/own-pages.ts'
import { describeRows, readPictures } from '../../driver/pictures.ts'
import { browsersFor } from '../../fixtures/flows.ts'
import { inscribe, whereIs } from '../../fixtures/ordinals/devnet-ord.ts'
import { paintPixelArt } from '../../fixtures/ordinals/pixel-art.ts'
import { encodeChunks, encodePng } from '../../fixtures/ordinals/png.ts'
import { resultOf, startWorld, type World } from '../../fixtures/world.ts'

/** All that wait for an answer of a decoder that hangs, and for the next one. */
const HANGING = { timeout: 40_000 }

/** Red, green, blue and opacity at a place. */
type Pixel = [number, number, number, number]
type Seen = { width: number; height: number; corner: Pixel; far: Pixel; rendering: string }

/** The colour that Pillow wrote, and how far the formats that lose something may be from it. */
const TINY = [200, 30, 90]
const LOSS = 4

const ART = paintPixelArt(2)
const RED_AND_GREEN = encodePng(
  'rgb',
  Array<Uint8Array>(1000).fill(
    Uint8Array.from({ length: 2000 * 3 }, (_, at) =>
      at % 3 === (at < 1000 * 3 ? 0 : 1) ? 255 : 0,
    ),
  ),
)
/** Two pixels by two; red for a twentieth of a second, then blue, for ever. */
const BLINKING = Buffer.from(
  'R0lGODlhAgACAPAAAP8AAAAA/yH/C05FVFNDQVBFMi4wAwEAAAAh+QQEBQAAACwAAAAAAgACAAACAoRRACH5BAQFAAAALAAAAAACAAIAAAICjFMAOw==',
  'base64',
)
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="red"/></svg>'

type Content = { contentType: string; bytes: Uint8Array }

const CONTENTS: { [name: string]: Content } = {
  ...Object.fromEntries(
    tinyImages.map(({ name, type, bytes }) => [name, { contentType: type, bytes }]),
  ),
  'pixel art': { contentType: 'image/png', bytes: encodePng('rgb', ART) },
  'a large picture': { contentType: 'image/png', bytes: RED_AND_GREEN },
  'a picture on its side': { contentType: 'image/jpeg', bytes: turn(tinyImage('jpeg')) },
  'a blinking picture': { contentType: 'image/gif', bytes: BLINKING },
  'a damaged picture': { contentType: 'image/avif', bytes: damage(tinyImage('avif')) },
  'a bomb': { contentType: 'image/png', bytes: bomb() },
  'an SVG': { contentType: 'image/svg+xml', bytes: Buffer.from(SVG) },
  'an SVG that says it is a PNG': { contentType: 'image/png', bytes: Buffer.from(SVG) },
}

describe.each(browsersFor('decoder'))('the decoder of strangers’ pictures in %s', browser => {
  let world: World
  let page: Screen
  const ids = new Map<string, string>()
  // The page reads a file when it likes: none is removed before the end.
  const folder = mkdtempSync(join(tmpdir(), 'satchel-picture-'))

  beforeAll(async () => {
    world = await startWorld(browser, { isolateFrames: true })
    const dapp = await world.openConnected()
    const [address = ''] = await resultOf<string[]>(dapp.request('getAccounts'))
    await dapp.close()
    const items = Object.values(CONTENTS).map(({ contentType, bytes }) => ({
      contentType,
      bodyHex: Buffer.from(bytes).toString('hex'),
    }))
    const made = await inscribe(world.devnet, address, { items })
    for (const [at, name] of Object.keys(CONTENTS).entries()) ids.set(name, made[at] ?? '')
    page = await world.wallet.popup()
  })
  afterAll(async () => {
    await world?.stop()
    rmSync(folder, { recursive: true })
  })

  const open = (name: string) => openCard(page, ids.get(name) ?? '')
  const seen = () => page.evaluate(readLarge)
  /** What the card of a content shows, once it is drawn. */
  const look = async (name: string): Promise<Seen> => {
    await open(name)
    await expect.poll(seen, HANGING).not.toBeNull()
    return (await seen()) as Seen
  }
  const inDecoder = <A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A) =>
    world.wallet.evaluateInFrame(page, '/decoder.html', fn, ...args)

  it('is not there before the first picture', async () => {
    const settings = await world.wallet.popup('src/popup/popup.html#/settings')
    await settings.find('heading', 'Settings')
    expect(await settings.evaluate(() => document.querySelectorAll('iframe').length)).toBe(0)
    await settings.close()
  })

  it.each(tinyImages)('draws a $name in its colours', async ({ name }) => {
    const { width, height, corner, far, rendering } = await look(name)
    expect([width, height]).toEqual([7, 5])
    expect(rendering).toBe('pixelated')
    // The first of the moving ones has another colour than the still one.
    const first = name.startsWith('animated') ? null : TINY
    for (const pixel of [corner, far]) {
      for (const [at, value] of (first ?? []).entries())
        expect(Math.abs((pixel[at] ?? 0) - value)).toBeLessThanOrEqual(LOSS)
      if (!name.includes('transparency')) expect(pixel[3]).toBe(255)
      else expect(Math.abs(pixel[3] - 100)).toBeLessThanOrEqual(LOSS)
    }
  })

  it('draws each pixel of pixel art as it is, with its name for who cannot see it', async () => {
    await look('pixel art')
    const { number } = await whereIs(world.devnet, ids.get('pixel art') ?? '')
    const label = `Inscription ${number}`
    expect(await page.evaluate(readPictures)).toEqual([{ label, ...describeRows(ART) }])
    await page.find('img', label)
  })

  it('draws a large picture smaller, and one on its side upright', async () => {
    const large = await look('a large picture')
    expect(large).toMatchObject({ width: 1600, height: 800, rendering: 'auto' })
    expect([large.corner, large.far]).toEqual([
      [255, 0, 0, 255],
      [0, 255, 0, 255],
    ])
    expect(await look('a picture on its side')).toMatchObject({ width: 5, height: 7 })
  })

  it('moves what moves, but for who wants nothing to move', async () => {
    await look('a blinking picture')
    const colours = await page.evaluate(watchColours, 9)
    expect(colours).toHaveLength(9)
    expect(new Set(colours)).toEqual(new Set(['0,0,255,255', '255,0,0,255']))
    if (browser === 'firefox') return
    await page.page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }])
    await open('pixel art')
    await look('a blinking picture')
    expect(await page.evaluate(watchColours, 1)).toEqual(['255,0,0,255'])
    await page.page.emulateMediaFeatures([])
  })

  it.each([
    ['a damaged picture', 'pictureDamaged'],
    ['a bomb', 'pictureTooManyPixels'],
    ['an SVG', 'kindSvg'],
    ['an SVG that says it is a PNG', 'pictureDamaged'],
  ] as const)('draws nothing of %s', async (name, sign) => {
    await open(name)
    await page.waitForText(wordsOf(sign))
    expect(await page.evaluate(readPictures)).toEqual([])
  })

  it('reads QR codes of pictures that a person chooses, and nothing of a bomb or an SVG', async () => {
    const openDialog = async () => {
      await goTo(page, '/', 'Wallet')
      await goTo(page, '/send/picture', wordsOf('sendPicture'))
    }
    for (const [file, bytes] of [
      ['bomb.png', bomb()],
      ['picture.svg', Buffer.from(SVG)],
    ] as const) {
      await openDialog()
      await choose(page, join(folder, file), bytes)
      await page.waitForText(wordsOf('sendPictureBroken'), HANGING.timeout)
    }
    await openDialog()
    const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
    await choose(
      page,
      join(folder, 'code.gif'),
      encodeQR(`bitcoin:${address}`, 'gif', { scale: 6 }),
    )
    await expect.poll(() => page.valueOf('textbox', 'To'), HANGING).toBe(address)
  })

  it('has no extension API, no network, no storage, and cannot look at the wallet', async () => {
    await look('pixel art')
    expect(await inDecoder(tryPowers, world.site)).toEqual({
      origin: 'null',
      extension: [],
      storage: 'SecurityError',
      parent: 'SecurityError',
      fetch: 'TypeError',
      image: 'error',
      frame: 0,
      opened: browser === 'firefox' ? 'InvalidAccessError' : 'undefined',
      eval: 'EvalError',
    })
  })

  it.runIf(browser === 'chromium')('is in a process of its own', async () => {
    await look('pixel art')
    const root = await world.wallet.browser.target().createCDPSession()
    const { targetInfos } = await root.send('Target.getTargets', { filter: [{}] })
    const outside = targetInfos.filter(({ url }) => url.endsWith('/decoder.html'))
    // A frame is a target of its own only where it is in another process than the page around it.
    expect(outside.map(({ type }) => type)).toEqual(['iframe'])
    await root.detach()
  })

  it('that was taken over and says no more is ended, and the next picture is drawn by another', async () => {
    await look('pixel art')
    await inDecoder(silence)
    await open('jpeg')
    await page.waitForText(wordsOf('pictureDamaged'), HANGING.timeout)
    expect(await look('png')).toMatchObject({ width: 7, height: 5 })
    expect(await inDecoder(isSilent)).toBe(false)
  })

  it('is the only one that has to do with the bytes of pictures', async () => {
    await goTo(page, '/inscriptions', 'Inscriptions')
    await expect.poll(async () => (await page.evaluate(readPictures)).length).toBeGreaterThan(3)
    expect(await page.evaluate(listImages)).toEqual([])
  })
})

/** Hands the dialog a file of the folder. */
async function choose(page: Screen, path: string, bytes: Uint8Array): Promise<void> {
  writeFileSync(path, bytes)
  const input = await page.page.waitForSelector('dialog input[type="file"]')
  await (input as unknown as { uploadFile(path: string): Promise<void> }).uploadFile(path)
}

/** A JPEG with the note that it is to be turned by a quarter: EXIF's orientation 6, behind the marker of its start. */
function turn(jpeg: Uint8Array): Uint8Array {
  const tiff = '4d4d002a00000008' + '0001' + '011200030000000100060000' + '00000000'
  const exif = Buffer.from(`457869660000${tiff}`, 'hex')
  const size = Buffer.alloc(2)
  size.writeUInt16BE(exif.length + 2)
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from('ffe1', 'hex'),
    size,
    exif,
    jpeg.subarray(2),
  ])
}

/** Whole as a file; but what is packed in it is none. */
function damage(avif: Uint8Array): Uint8Array {
  return avif.fill(0xff, avif.length - 40)
}

/** 30,000 pixels a side, of one bit each: 110 kilobytes that take 3.6 gigabytes once they are drawn. */
function bomb(): Uint8Array {
  const side = 30_000
  const rows = Buffer.alloc((1 + side / 8) * side)
  return encodeChunks({ width: side, height: side, bits: 1, colour: 0 }, deflateSync(rows))
}

// What follows runs in pages of the extension, the last three in the decoder.

function readLarge(): Seen | null {
  const canvas = document.querySelector<HTMLCanvasElement>('.inscription-picture__large > canvas')
  if (!canvas) return null
  const { width, height } = canvas
  const at = (x: number, y: number) =>
    Array.from(canvas.getContext('2d')?.getImageData(x, y, 1, 1).data ?? []) as Pixel
  const rendering = getComputedStyle(canvas).imageRendering
  return { width, height, corner: at(0, 0), far: at(width - 1, height - 1), rendering }
}

/** The colours of the large picture's first pixel as they follow one another, so many of them; one is waited for to change. */
async function watchColours(most: number): Promise<string[]> {
  const colours: string[] = []
  const until = performance.now() + (most > 1 ? 30_000 : 1_000)
  while (performance.now() < until && (most === 1 || colours.length < most)) {
    const canvas = document.querySelector<HTMLCanvasElement>('.inscription-picture__large > canvas')
    const data = canvas?.getContext('2d')?.getImageData(0, 0, 1, 1).data
    const colour = data && String(Array.from(data))
    if (colour && colour !== colours.at(-1)) colours.push(colour)
    await new Promise(resolve => setTimeout(resolve, 7))
  }
  return colours
}

/** Images that are not the extension's own. */
function listImages(): string[] {
  return Array.from(document.images, ({ src }) => src).filter(
    src => !src.startsWith(`${location.origin}/icons/`),
  )
}

function silence(): void {
  MessagePort.prototype.postMessage = () => {}
  Object(globalThis).isSilent = true
}

function isSilent(): boolean {
  return Object(globalThis).isSilent === true
}

/** What somebody who runs code there could begin. */
async function tryPowers(site: string) {
  const nameOf = (act: () => unknown) => {
    try {
      return typeof act()
    } catch (error) {
      return (error as Error).name
    }
  }
  const { chrome, browser } = Object(globalThis)
  const image = await new Promise(resolve => {
    const picture = new Image()
    picture.onload = () => resolve('load')
    picture.onerror = () => resolve('error')
    picture.src = `${site}icon.png`
  })
  document.body.append(document.createElement('iframe'))
  return {
    origin: self.origin,
    extension: ['storage', 'runtime', 'tabs', 'extension'].filter(
      name => name in Object(chrome) || name in Object(browser),
    ),
    storage: nameOf(() => localStorage),
    parent: nameOf(() => parent.document),
    fetch: await fetch(site, { mode: 'no-cors' }).then(
      () => 'fetched',
      error => error.name,
    ),
    image,
    frame: frames.length - 1,
    opened: nameOf(() => window.open(site)?.closed),
    // biome-ignore lint/security/noGlobalEval: it must not be one
    eval: nameOf(() => globalThis.eval('1')),
  }
}

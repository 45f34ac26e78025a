/**
 * `npm run store:pictures`: the pictures and tiles that the stores show, of real screens, in `artifacts/store/<language>/`, for each
 * language that can be chosen. `--language de` makes those of one; `--built <folder>` takes an extension that is built already.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'puppeteer-core'
import { type PictureName, readListing, readTitle } from '../../release/store/listing.ts'
import { LANGUAGES, type Language } from '../../src/browser/languages.ts'
import { launch } from '../driver/driver.ts'
import { closeWelcomeTab } from '../driver/welcome-tab.ts'
import { loadShots } from '../shots/fixtures/areas.ts'
import { createCamera, showTheme, type Theme, waitForPauses } from '../shots/fixtures/camera.ts'
import type { Answers, Shot } from '../shots/shot.ts'
import { GALLERY } from '../store/gallery.ts'
import { makePicturePage, type PictureParts, SIZES } from '../store/picture-page.ts'
import { assertPicture } from '../store/picture-size.ts'
import { buildIfStale } from './build.ts'
import { provision, provisionFonts } from './provision.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'artifacts/store')

/** A shot that is shown, with other answers where told, and the feature whose text stands beside it; the summary where there is none. */
type StorePicture = {
  name: PictureName
  shot: string
  with?: Answers
  size?: { width: number; height: number }
  feature?: string
  theme: Theme
}

/** In the order of the store. */
const PICTURES: readonly StorePicture[] = [
  { name: 'home', shot: 'home-filled', theme: 'light' },
  { name: 'approval', shot: 'approvals-payment', feature: 'reviews', theme: 'light' },
  {
    name: 'gallery',
    ...{ shot: 'inscriptions-gallery', with: GALLERY, feature: 'protected', theme: 'dark' },
  },
  { name: 'send', shot: 'send-filled', feature: 'payments', theme: 'light' },
  {
    name: 'wide',
    ...{ shot: 'home-1280', feature: 'tokens', theme: 'light' },
    size: { width: 1000, height: 620 },
  },
]

const { language, built } = parseArgs({
  options: { language: { type: 'string' }, built: { type: 'string' } },
}).values
const languages = LANGUAGES.filter(tag => language === undefined || tag === language)
if (languages.length === 0) throw new Error(`${language} is none of ${LANGUAGES.join(', ')}`)
const shots = await loadShots(null)
provision(['chromium'])
provisionFonts(languages)
if (built === undefined) buildIfStale()

const wallet = await launch({
  browser: 'chromium',
  ...(built === undefined ? {} : { extensionDir: built }),
})
try {
  await closeWelcomeTab(wallet)
  const camera = createCamera(wallet, { scale: 2, reload: true })
  const easel = await wallet.browser.newPage()
  for (const tag of languages) await makeAll(tag, camera, easel)
} finally {
  await wallet.close()
}
console.log(`Pictures and tiles in ${languages.join(', ')}: ${FOLDER}`)

async function makeAll(
  tag: Language,
  camera: ReturnType<typeof createCamera>,
  easel: Page,
): Promise<void> {
  mkdirSync(join(FOLDER, tag), { recursive: true })
  const listing = readListing(ROOT, tag)
  const { summary } = readTitle(ROOT, tag)
  const screens: PictureParts['screen'][] = []
  for (const [at, { name, shot, with: answers, size, feature, theme }] of PICTURES.entries()) {
    const shown = { ...findShot(shot, tag, answers), ...(size && { size }) }
    const screen = await takeScreen(camera, shown, theme)
    screens.push(screen)
    const kind = name === 'wide' ? 'wide' : 'popup'
    const text = feature === undefined ? summary : (listing.features[feature] ?? '')
    const words = { title: listing.pictures[name], text }
    const file = join(FOLDER, tag, `${at + 1}-${name}.png`)
    await paint(easel, 'picture', file, { kind, language: tag, theme, screen, ...words })
  }
  const title = listing.pictures.home
  const same = { language: tag, theme: 'light', title } as const
  const tile = { ...same, kind: 'tile', text: '', screen: null } as const
  await paint(easel, 'tile', join(FOLDER, tag, 'tile-440x280.png'), tile)
  const marquee = { ...same, kind: 'marquee', text: summary, screen: screens[0] ?? null } as const
  await paint(easel, 'marquee', join(FOLDER, tag, 'tile-1400x560.png'), marquee)
}

function findShot(name: string, tag: Language, answers: Answers = {}): Shot {
  const shot = shots.find(one => one.name === name)
  if (shot === undefined) throw new Error(`There is no shot ${name}`)
  const state = shot.answers.getState
  if (state === undefined || !('value' in state)) throw new Error(`${name} has no state`)
  const settings = { ...state.value.settings, language: tag }
  const getState = { value: { ...state.value, settings } }
  return { ...shot, answers: { ...shot.answers, ...answers, getState } }
}

async function takeScreen(
  camera: ReturnType<typeof createCamera>,
  shot: Shot,
  theme: Theme,
): Promise<Uint8Array> {
  const { page } = await camera.show(shot)
  await showTheme(page, theme)
  await waitForPauses(page)
  return page.screenshot()
}

/** Throws where the words do not fit, or the picture is none that the stores take. */
async function paint(
  easel: Page,
  size: keyof typeof SIZES,
  file: string,
  parts: PictureParts,
): Promise<void> {
  await easel.setViewport({ ...SIZES[size], deviceScaleFactor: 1 })
  await easel.bringToFront()
  await easel.setContent(makePicturePage(parts))
  const overflow = await easel.evaluate(async () => {
    await document.fonts.ready
    await Promise.all([...document.images].map(image => image.decode()))
    const words = document.querySelector('.words')?.getBoundingClientRect()
    const screen = document.querySelector('.screen')?.getBoundingClientRect()
    if (!words || words.top < 16 || words.bottom > innerHeight - 16) return 'leave the picture'
    const isBeside = words.right <= (screen?.left ?? 0) || words.left >= (screen?.right ?? 0)
    const isAbove = words.bottom <= (screen?.top ?? innerHeight)
    return isBeside || isAbove ? null : 'are on the screen'
  })
  if (overflow !== null) throw new Error(`${file}: the words ${overflow}`)
  const png = await easel.screenshot()
  assertPicture(file, png, SIZES[size])
  writeFileSync(file, png)
}

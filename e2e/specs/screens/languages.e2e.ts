import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Language } from '../../../src/browser/languages.ts'
import { isRightToLeft } from '../../../src/browser/locale.ts'
import { launch, type Wallet } from '../../driver/driver.ts'
import type { Screen } from '../../driver/screen.ts'
import { closeWelcomeTab } from '../../driver/welcome-tab.ts'
import { describeViolations, findViolations } from '../../fixtures/accessibility.ts'
import { loadShots } from '../../shots/fixtures/areas.ts'
import { createCamera } from '../../shots/fixtures/camera.ts'
import {
  ALL_LANGUAGES,
  inLanguage,
  MOST_USED,
  readMessages,
} from '../../shots/fixtures/languages.ts'
import type { Shot } from '../../shots/shot.ts'

/** As wide as the toolbar popup, and the narrowest window. */
const WIDTHS = [360, 320]

/** One that runs to the left, and one without spaces: what those do to roles and names, the others do not. */
const FOR_AXE: readonly Language[] = ['ar', 'ja']

const all = await loadShots(null)
const shots = MOST_USED.map(name => {
  const shot = all.find(other => other.name === name)
  if (!shot) throw new Error(`There is no shot ${name}`)
  return inNarrowWindow(shot)
})

let wallet: Wallet
let camera: ReturnType<typeof createCamera>

beforeAll(async () => {
  wallet = await launch({ browser: 'chromium' })
  await closeWelcomeTab(wallet)
  camera = createCamera(wallet, { scale: 1, reload: false })
})
afterAll(() => wallet?.close())

describe.each(ALL_LANGUAGES)('in %s', language => {
  it.each(shots)('$name has all its words, and room for them', async shot => {
    const screen = await camera.show(inLanguage(shot, language))
    await expectWords(screen, language)
    for (const width of WIDTHS) {
      await screen.page.setViewport({ width, height: 600 })
      expect(await screen.evaluate(listCut), `${width} px`).toEqual([])
    }
    if (!FOR_AXE.includes(language)) return
    expect(describeViolations(await findViolations(screen.page))).toEqual([])
  })
})

/** Its page as wide as its window, which the toolbar popup is not. */
function inNarrowWindow(shot: Shot): Shot {
  const { surface = 'popup' } = shot
  return {
    ...shot,
    surface: surface === 'popup' ? 'tab' : surface,
    size: { width: WIDTHS[0] ?? 0, height: 600 },
  }
}

/** Texts of the language and no others, with all gaps filled, and nothing of what keeps their order made visible. */
async function expectWords(screen: Screen, language: Language): Promise<void> {
  const dir = await screen.evaluate(() => document.documentElement.dir)
  expect(dir).toBe(isRightToLeft(language) ? 'rtl' : 'ltr')
  const text = await screen.text()
  expect(text).not.toMatch(/\{\w+\}|U\+206[89]/)
  const [own, english] = [listTexts(language), listTexts('en')]
  const lines = text.split('\n').map(line => line.trim())
  expect(lines.filter(line => own.has(line)).length, text).toBeGreaterThan(0)
  // The name of a standard is one in every language.
  const isEnglish = (line: string) => english.has(line) && !own.has(line) && !/^BIP-/.test(line)
  expect(lines.filter(isEnglish)).toEqual([])
}

/** All texts of a language without gaps. */
function listTexts(language: Language): Set<string> {
  const messages = Object.values(readMessages(language)).map(({ message }) => message)
  return new Set(messages.filter(message => !message.includes('{')))
}

/** Runs in the page: what is wider than its window, and texts of which a part cannot be seen, by their beginnings. */
function listCut(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const cut = scrollWidth > clientWidth ? [`the page, by ${scrollWidth - clientWidth} px`] : []
  for (const element of document.querySelectorAll<HTMLElement>(
    'main, dialog[open], main *, dialog[open] *',
  )) {
    if (element.scrollWidth <= element.clientWidth + 1 || element.clientWidth === 0) continue
    const { overflowX, textOverflow, clipPath, position } = getComputedStyle(element)
    // For screen readers alone, or with a mark that says that there is more.
    if (clipPath !== 'none' || position === 'absolute' || textOverflow === 'ellipsis') continue
    const isHeld = overflowX !== 'visible' || element.matches('button, a, label, main, dialog')
    if (isHeld && !element.matches('input, textarea')) cut.push(element.outerHTML.slice(0, 160))
  }
  return cut
}

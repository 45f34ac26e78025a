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
import { inWindow } from '../../shots/shot.ts'

/** As wide as the toolbar popup, and the narrowest window. */
const WIDTHS = [360, 320]

/** One that runs to the left, and one without spaces: what those do to roles and names, the others do not. */
const FOR_AXE: readonly Language[] = ['ar', 'ja']

/** The narrowest window that has tables, and details beside a list. */
const WIDE = { width: 900, height: 800 }

/** One that runs to the left, one with long words and one without spaces. */
const FOR_WIDE: readonly Language[] = ['ar', 'ru', 'ja']

/** What has a layout of its own in {@link WIDE}. */
const IN_WIDE = [
  'home-900',
  'activity-list-900',
  'activity-beside-900',
  'coins-all-900',
  'coins-beside-inscribed-900',
  'inscriptions-gallery-900',
  'send-review-plain',
  'psbt-file-review-900',
  'psbt-purchase',
  'psbt-batch',
  'chart-month',
]

/** The narrowest panel, with more than {@link MOST_USED} have. */
const IN_PANEL = [
  'inscriptions-gallery',
  'runes-list',
  'brc20-list-full',
  'chart-month',
  'coins-all',
]

/** Besides {@link MOST_USED}, what has the longest titles and buttons, choices beside each other, and names beside a picture. */
const WITH_LONG_WORDS = [
  'psbt-assets',
  'psbt-batch',
  'approvals-push-swap',
  'brc20-list',
  'coins-merge',
  'coins-merge-review',
]

const all = await loadShots(null)
const findShots = (names: readonly string[], size: { width: number; height: number }) =>
  names.map(name => {
    const shot = all.find(other => other.name === name)
    if (!shot) throw new Error(`There is no shot ${name}`)
    return inWindow(shot, size)
  })
const shots = findShots(MOST_USED, { width: WIDTHS[0] ?? 0, height: 600 })

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
    if (shot.name === 'accounts-list') await expectUnnamed(screen, language)
    for (const width of WIDTHS) {
      await screen.page.setViewport({ width, height: 600 })
      expect(await screen.evaluate(listCut), `${width} px`).toEqual([])
      if (isRightToLeft(language)) expect(await screen.evaluate(listMisplaced)).toEqual([])
    }
    if (!FOR_AXE.includes(language)) return
    expect(describeViolations(await findViolations(screen.page))).toEqual([])
  })
})

describe.each(FOR_WIDE)('in %s', language => {
  it.each(findShots(WITH_LONG_WORDS, { width: WIDTHS[0] ?? 0, height: 600 }))(
    '$name has room for its long words',
    async shot => {
      const screen = await camera.show(inLanguage(shot, language))
      for (const width of WIDTHS) {
        await screen.page.setViewport({ width, height: 600 })
        expect(await screen.evaluate(listCut), `${width} px`).toEqual([])
        expect(await screen.evaluate(listCrossed), `${width} px`).toEqual([])
      }
    },
  )
})

describe.each(FOR_WIDE)('in %s, in a wide window', language => {
  it.each(findShots(IN_WIDE, WIDE))('$name has room for its words', async shot => {
    const screen = await camera.show(inLanguage(shot, language))
    expect(await screen.evaluate(listCut)).toEqual([])
    expect(await screen.evaluate(listBroken)).toEqual([])
    if (isRightToLeft(language)) expect(await screen.evaluate(listMisplaced)).toEqual([])
  })
})

describe.each(FOR_WIDE)('in %s, in the narrowest panel', language => {
  it.each(findShots(IN_PANEL, { width: 320, height: 800 }))(
    '$name has room for its words',
    async shot => {
      const screen = await camera.show(inLanguage({ ...shot, surface: 'panel' }, language))
      expect(await screen.evaluate(listCut)).toEqual([])
      expect(await screen.evaluate(listBroken)).toEqual([])
      if (isRightToLeft(language)) expect(await screen.evaluate(listMisplaced)).toEqual([])
    },
  )
})

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

/** An account that nobody named has its number in the language, and one of a person the name that it was given. */
async function expectUnnamed(screen: Screen, language: Language): Promise<void> {
  const said = readMessages(language).accountUnnamed?.message.replace('{number}', '1')
  const names = await screen.evaluate(() =>
    [...document.querySelectorAll('main li button')].map(button => button.textContent ?? ''),
  )
  expect(names[0]?.startsWith(`${said} `), `${names[0]}`).toBe(true)
  expect(names[1]?.startsWith('Savings '), `${names[1]}`).toBe(true)
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
    // What can be hit of a small button is larger than what is seen.
    if (getComputedStyle(element, '::after').position === 'absolute') continue
    const isHeld = overflowX !== 'visible' || element.matches('button, a, label, main, dialog')
    if (isHeld && !element.matches('input, textarea')) cut.push(element.outerHTML.slice(0, 160))
  }
  return cut
}

/** Runs in the page: names beside a strand of the flow picture that run into it. */
function listCrossed(): string[] {
  const overlaps = (one: DOMRect, other: DOMRect) =>
    one.left < other.right - 1 && other.left < one.right - 1
  const crossed: string[] = []
  for (const picture of document.querySelectorAll('figure svg')) {
    const strands = [...picture.querySelectorAll('path')].map(path => path.getBoundingClientRect())
    const [left, right] = [
      Math.min(...strands.map(strand => strand.left)),
      Math.max(...strands.map(strand => strand.right)),
    ]
    const drawn = new DOMRect(left, 0, right - left, 1)
    for (const label of picture.querySelectorAll('text:has(tspan + tspan)')) {
      if (overlaps(label.getBoundingClientRect(), drawn)) crossed.push(label.textContent ?? '')
    }
  }
  return crossed
}

/**
 * Runs in the page: what is broken into two (words of headings and of a table, numbers, and what is said of a title), and
 * headings that begin with a small letter.
 */
function listBroken(): string[] {
  const whole = new CSSStyleSheet()
  whole.replaceSync('* { overflow-wrap: normal !important; word-break: normal !important }')
  const parts = 'h2, th, td, [role="columnheader"], [role="cell"]'
  const shown = [...document.querySelectorAll<HTMLElement>(parts)].filter(
    part => part.checkVisibility() && part.clientWidth > 0 && (part.textContent ?? '').length < 40,
  )
  document.adoptedStyleSheets.push(whole)
  const broken = shown.filter(part => part.scrollWidth > part.clientWidth + 1)
  document.adoptedStyleSheets.pop()
  const lines = document.querySelectorAll<HTMLElement>('h1 + [role="status"], [class*="row__sum"]')
  broken.push(...[...lines].filter(line => line.clientHeight > 28 && line.innerText.length < 20))
  const heads = [...document.querySelectorAll<HTMLElement>('h1, h2')].map(head => head.innerText)
  return [
    ...broken.map(part => part.innerText),
    ...heads.filter(head => /^\p{Ll}/u.test(head)).map(head => `small: ${head}`),
  ]
}

/**
 * Runs in a page that runs to the left: what does not stand as it is read. A number stands at the right of its word, the sign
 * of a number at its left, the day at the right of the year, and a text of Latin letters that is cut has its beginning.
 */
function listMisplaced(): string[] {
  const wrong: string[] = []
  const placeOf = (node: Node, start: number, end: number) => {
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, end)
    return range.getBoundingClientRect()
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    const parent = node.parentElement
    if (!parent?.checkVisibility() || parent.closest('option, script, style')) continue
    const check = (pattern: RegExp, isRight: (first: DOMRect, second: DOMRect) => boolean) => {
      for (const { index, groups: { first = '', between = '', second = '' } = {} } of text.matchAll(
        pattern,
      )) {
        const middle = index + first.length + between.length
        const [one, other] = [
          placeOf(node, index, index + first.length),
          placeOf(node, middle, middle + second.length),
        ]
        const isOneLine = Math.abs(one.top - other.top) < one.height / 2
        if (one.width > 0 && isOneLine && !isRight(one, other)) wrong.push(text)
      }
    }
    check(
      /(?<first>[\d,.]+)(?<between>[\u2069 ]+)(?<second>[\u0620-\u064a]+)/g,
      (number, word) => number.left > word.left,
    )
    check(
      /(?<first>#)(?<between>[\u2066-\u2069]*)(?<second>[−\d]+)/g,
      (sign, number) => sign.left < number.left,
    )
    check(
      /(?<first>\d+)(?<between>\u200f\/\d+\u200f\/)(?<second>\d{4})/g,
      (day, year) => day.left > year.left,
    )
    const { textOverflow } = getComputedStyle(parent)
    const latin = /[A-Za-z]+/.exec(text)
    if (textOverflow !== 'ellipsis' || latin === null) continue
    const start = placeOf(node, latin.index, latin.index + 1)
    if (start.left < parent.getBoundingClientRect().left - 1) wrong.push(`cut: ${text}`)
  }
  return wrong
}

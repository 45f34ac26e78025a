/**
 * `npm run shots`: every screen in every state and both themes, as pictures in `artifacts/shots/<theme>/`.
 * `--only send` takes one area (a file of `e2e/shots/`), `--only send-review` the shots whose names begin so.
 * `--language ar` takes them in a language, offered or not, into `artifacts/shots/ar/<theme>/`; `--used` takes those that most
 * people see most often. `--theme dark` takes one theme. `--width 900` takes them in a window of that width, what is of the
 * toolbar popup in a tab, and with `--panel` in the panel beside a page; into a folder of that name, such as `900` or `panel-320`.
 * `--built <folder>` takes an extension that is built already; `--words long` and `--words mirrored` build one in longer words, or
 * from right to left, and take what can be shown without presses. Ends with an error when axe finds something serious.
 */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parsePseudo } from '../../release/words/pseudo-words.ts'
import { launch } from '../driver/driver.ts'
import { closeWelcomeTab } from '../driver/welcome-tab.ts'
import { describeViolations, findViolations } from '../fixtures/accessibility.ts'
import { loadShots } from '../shots/fixtures/areas.ts'
import { createCamera, showTheme, type Theme } from '../shots/fixtures/camera.ts'
import { inLanguage, MOST_USED, parseLanguage } from '../shots/fixtures/languages.ts'
import { inWindow } from '../shots/shot.ts'
import { buildIfStale, buildPseudo } from './build.ts'
import { provision, provisionFonts } from './provision.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../../artifacts/shots')
const THEMES = ['light', 'dark'] as const
/** Of windows of a chosen width. */
const HEIGHT = 800

const {
  only,
  words,
  used,
  panel = false,
  ...given
} = parseArgs({
  options: {
    ...{ only: { type: 'string' }, built: { type: 'string' }, words: { type: 'string' } },
    ...{ language: { type: 'string' }, used: { type: 'boolean' } },
    ...{ theme: { type: 'string' }, width: { type: 'string' }, panel: { type: 'boolean' } },
  },
}).values
const pseudo = parsePseudo(words)
const language = given.language === undefined ? null : parseLanguage(given.language)
const themes = parseThemes(given.theme)
const width = parseWidth(given.width ?? (panel ? '360' : undefined))
const FOLDER = join(
  ROOT,
  language ?? '',
  width === null ? '' : panel ? `panel-${width}` : `${width}`,
)
const loaded = (await loadShots(only ?? null))
  .filter(({ name }) => !used || MOST_USED.some(most => most === name))
  .map(shot => (width === null ? shot : inWindow(shot, { width, height: HEIGHT }, panel)))
  .map(shot => (language === null ? shot : inLanguage(shot, language)))
// What a shot presses has an English name.
const shots = pseudo ? loaded.filter(({ act }) => act === undefined) : loaded
provision(['chromium'])
provisionFonts(language === null ? [] : [language])
const built = pseudo ? buildPseudo(pseudo) : given.built
if (built === undefined) buildIfStale()
for (const theme of themes) mkdirSync(join(FOLDER, theme), { recursive: true })

const wallet = await launch({
  browser: 'chromium',
  ...(built === undefined ? {} : { extensionDir: built }),
})
try {
  await closeWelcomeTab(wallet)
  const camera = createCamera(wallet, { scale: 2, reload: true })
  for (const shot of shots) await take(camera, shot)
} finally {
  await wallet.close()
}
console.log(`${shots.length} states, ${themes.join(' and ')}: ${FOLDER}`)

async function take(
  camera: ReturnType<typeof createCamera>,
  shot: (typeof shots)[number],
): Promise<void> {
  try {
    const screen = await camera.show(shot)
    for (const theme of themes) {
      await showTheme(screen.page, theme)
      await screen.screenshot(join(FOLDER, theme, `${shot.name}.png`))
      const problems = describeViolations(await findViolations(screen.page))
      if (problems.length > 0) throw new Error(`${theme}: ${problems.join('\n')}`)
    }
  } catch (error) {
    process.exitCode = 1
    console.error(`${shot.name}: ${error instanceof Error ? error.message : error}`)
  }
}

/** One, or both where none is named. */
function parseThemes(named: string | undefined): readonly Theme[] {
  if (named === undefined) return THEMES
  const theme = THEMES.find(theme => theme === named)
  if (theme) return [theme]
  throw new Error(`--theme is ${named}, expected one of ${THEMES.join(', ')}`)
}

/** In pixels; no window is narrower than 300. */
function parseWidth(said: string | undefined): number | null {
  if (said === undefined) return null
  const width = Number(said)
  if (Number.isInteger(width) && width >= 300 && width <= 4000) return width
  throw new Error(`--width is ${said}, expected pixels from 300 to 4000`)
}
